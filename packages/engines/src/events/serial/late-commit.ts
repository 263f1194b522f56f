import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { Config, TaskRole } from './config.js';
import type { Footprint } from './footprints.js';
import { Interner } from './interner.js';
import type { LocalOptions } from './local-states.js';
import type { TaskAccess, PerformedAccess } from './perform.js';
import { SerialMachine, type SerialReductions } from './serial-machine.js';

/** A buffered store of a main task that runs after the delayed task `K`. */
interface Behind {
  readonly cell: number;
  readonly value: number;
  /**
   * The event that issued the store: one that happens after the attack event (`joined`); the
   * running event, if not joined (`running`); or any other event.
   */
  readonly of: 'joined' | 'running' | 'other';
}

const owners: readonly Behind['of'][] = ['joined', 'running', 'other'];

/**
 * The search for TSO runs that no serial order explains, in a program that is robust against
 * concurrency. The runs are runs of a single thread on which tasks may stop early. One task `K` of
 * the attack event holds back `K`'s stores from some point on. The run is a violation if a later
 * task of the attack event, or an event to which the attack event leads by conflicts, accesses a
 * cell of these stores. With `K` on main, later main tasks run before `K` or behind `K`. `target`
 * is a list of pending stores.
 */
export class LateCommit extends SerialMachine {
  /**
   * Numbers the lists of pending stores of the delayed task `K`. A list has a cell and a value for
   * each store, in the order of the cells.
   */
  readonly pendings = new Interner();
  /**
   * Numbers the lists of buffered stores of tasks of role `behind` (`Config.behind`). In a list,
   * three integers represent a store: the cell, the value, and the index in `owners` of the issuing
   * event.
   */
  readonly behinds = new Interner();

  constructor(
    program: EventProgram,
    options: Omit<LocalOptions, 'fences'>,
    reductions: SerialReductions,
  ) {
    super(program, { fences: true, ...options }, reductions);
  }

  override get bytes(): number {
    return super.bytes + this.pendings.bytes + this.behinds.bytes;
  }

  protected override roles(config: Config): readonly TaskRole[] {
    if (!config.isMain) return ['ordinary'];
    if (config.phase === 'attack') return this.attackRoles(config);
    if (!config.isDelayingOnMain) return ['ordinary'];
    return [
      ...(config.isLate ? [] : (['before'] as const)),
      ...(config.mayRunBehind ? (['behind'] as const) : []),
    ];
  }

  protected override atEnd(config: Config): boolean {
    if (config.role === 'delaying') return this.#delayed(config, config.isMain);
    if (config.isPromised) this.sink.violate(config);
    return !config.isPromised;
  }

  protected override atStop(config: Config): boolean {
    if (config.role === 'delaying') return this.#delayed(config, false);
    if (config.isPromised) return false;
    if (config.role !== 'behind') return !config.isMain || this.takeMain(config);
    config.mayRunBehind = false;
    return true;
  }

  /**
   * Ends the delayed task `K`. Returns whether `K` has held back a store whose cell a later task or
   * event may still access. `mayRunBehind` tells whether main tasks may still run after `K`.
   */
  #delayed(config: Config, mayRunBehind: boolean): boolean {
    if (config.target === 0) return false;
    config.phase = 'delayed';
    config.isDelayingOnMain = config.isMain;
    config.mayRunBehind = mayRunBehind;
    if (!mayRunBehind) this.#forgetValues(config);
    return this.canMeetTarget(config);
  }

  /** Removes the values from `K`'s pending stores, since no task can read the values any more. */
  #forgetValues(config: Config): void {
    const cells = this.pendings.list(config.target).filter((_, i) => i % 2 === 0);
    config.target = this.pendings.id(cells.flatMap((cell) => [cell, 0]));
  }

  protected override targetLevels({ target }: Config): readonly number[] {
    const levels: number[] = [];
    for (const { cell } of this.#accesses(target)) levels[cell] = 2;
    return levels;
  }

  protected override forget(config: Config, footprint: Footprint): void {
    const mayStore = (cell: number): boolean => (footprint[cell] ?? 0) >= 2;
    config.all = this.noticed(this.maps.levels(config.all), footprint);
    config.late = this.noticed(this.maps.levels(config.late), footprint);
    config.own = this.maps.of(
      this.maps.levels(config.own).map((level, cell) => (level > 0 && mayStore(cell) ? 1 : 0)),
    );
    if (!config.mayRunBehind) {
      if (config.target !== 0) this.#forgetValues(config);
    }
    const stores = this.#behind(config)
      .filter(({ cell }) => (footprint[cell] ?? 0) !== 0)
      .map((store): Behind => ({
        ...store,
        value: config.mayRunBehind ? store.value : 0,
        of: store.of === 'running' ? 'other' : store.of,
      }));
    this.#setBehind(config, stores);
  }

  #accesses(pending: number): readonly TaskAccess[] {
    return this.pendings
      .list(pending)
      .flatMap((cell, i) => (i % 2 === 0 ? [{ cell, isStore: true }] : []));
  }

  #pendingValue(config: Config, cell: number): number | undefined {
    const list = this.pendings.list(config.target);
    for (let i = 0; i < list.length; i += 2) if (list[i] === cell) return list[i + 1];
    return undefined;
  }

  #behind({ behind }: Config): readonly Behind[] {
    const list = this.behinds.list(behind);
    return list.flatMap((cell, i) =>
      i % 3 === 0
        ? [{ cell, value: list[i + 1] ?? 0, of: owners[list[i + 2] ?? 0] ?? 'other' }]
        : [],
    );
  }

  #setBehind(config: Config, stores: readonly Behind[]): void {
    const sorted = [...stores].sort((a, b) => a.cell - b.cell);
    config.behind = this.behinds.id(
      sorted.flatMap(({ cell, value, of }) => [cell, value, owners.indexOf(of)]),
    );
  }

  protected override steps(config: Config): void {
    switch (config.role) {
      case 'delaying':
        this.#delayingSteps(config);
        break;
      case 'behind':
        this.stop(config.copy());
        this.#behindSteps(config);
        break;
      case 'ordinary':
      case 'before':
        this.#ordinarySteps(config);
        break;
    }
  }

  #ordinarySteps(config: Config): void {
    const outcomes = this.performed(config);
    if (!config.isMain || this.isHopeless(config, outcomes)) this.stop(config.copy());
    for (const outcome of outcomes) {
      if (!outcome.isComplete) continue;
      if (config.phase === 'attack' && !config.isMain && isPlainStore(outcome)) {
        const delaying = config.copy();
        delaying.role = 'delaying';
        this.#hold(delaying, outcome);
      }
      const next = config.copy();
      this.note(next, { kind: 'perform', steps: outcome.steps, isBuffered: false });
      if (!this.#account(next, outcome)) continue;
      this.notePassed(next, outcome.passed);
      this.write(next, outcome.writes);
      this.settle(next, outcome.state);
    }
  }

  /** Puts the stores of the delayed task `K` into the buffer, where the stores remain. */
  #hold(config: Config, { accesses, writes, steps, state }: PerformedAccess): void {
    for (const [cell, value] of writes) {
      const pending = new Map<number, number>();
      const list = this.pendings.list(config.target);
      for (let i = 0; i < list.length; i += 2) pending.set(list[i] ?? 0, list[i + 1] ?? 0);
      pending.set(cell, value);
      config.target = this.pendings.id([...pending].sort(([a], [b]) => a - b).flat());
    }
    if (config.isMain) config.own = this.maps.add(config.own, accesses);
    this.note(config, { kind: 'perform', steps, isBuffered: true });
    this.settle(config, state);
  }

  #delayingSteps(config: Config): void {
    const isHolding = config.target !== 0;
    if (isHolding) this.stop(config.copy());
    const { kind } = this.locals.waitingFor(config.node).instruction;
    if (isHolding && kind !== 'load' && kind !== 'store' && kind !== 'pass') return;
    const outcomes = this.performed(
      config,
      (cell) => this.#pendingValue(config, cell) ?? this.loaded(config, cell),
    );
    for (const outcome of outcomes) {
      if (!outcome.isComplete) continue;
      if (isPlainStore(outcome)) this.#hold(config.copy(), outcome);
      if (isHolding && kind === 'store') continue;
      const next = config.copy();
      const isForwarded =
        isHolding && outcome.accesses.some(({ cell }) => this.#holds(config, cell));
      this.note(next, { kind: 'perform', steps: outcome.steps, isBuffered: isForwarded });
      if (!isForwarded) {
        next.all = this.maps.add(next.all, outcome.accesses);
        if (next.isMain) {
          next.late = this.maps.add(next.late, outcome.accesses);
          next.own = this.maps.add(next.own, outcome.accesses);
        }
        this.notePassed(next, outcome.passed);
        this.write(next, outcome.writes);
      }
      this.settle(next, outcome.state);
    }
  }

  #holds(config: Config, cell: number): boolean {
    return this.#pendingValue(config, cell) !== undefined;
  }

  /**
   * Makes the steps of a main task that runs after the delayed task `K`: the task's stores follow
   * `K`'s stores in the buffer.
   */
  #behindSteps(config: Config): void {
    const { kind } = this.locals.waitingFor(config.node).instruction;
    // At a fence the task waits for `K`'s stores.
    if (kind === 'pass') this.#passBehind(config);
    if (kind !== 'load' && kind !== 'store') return;
    const stores = this.#behind(config);
    const held = (cell: number): Behind | undefined => stores.find((store) => store.cell === cell);
    const outcomes = this.performed(
      config,
      (cell) => held(cell)?.value ?? this.#pendingValue(config, cell) ?? this.loaded(config, cell),
    );
    for (const { accesses, writes, steps, state } of outcomes)
      for (const access of accesses) {
        const { cell } = access;
        const next = config.copy();
        const isPending = this.#holds(config, cell);
        const isHeld = held(cell) !== undefined;
        const isForwarded = kind === 'load' && (isHeld || isPending);
        let isJoining = isPending && (kind === 'store' || !isHeld);
        isJoining ||= held(cell)?.of === 'joined';
        isJoining ||= !isForwarded && this.maps.conflicts(config.all, accesses);
        if (isJoining) this.#join(next);
        if (kind === 'store') {
          next.own = this.maps.add(next.own, accesses);
          next.hasEffect = true;
          this.#holdBehind(next, cell, writes[0]?.[1] ?? 0);
        } else if (!isForwarded) {
          next.own = this.maps.add(next.own, accesses);
          next.late = this.maps.add(next.late, accesses);
          this.#see(next, accesses);
        }
        this.note(next, {
          kind: 'perform',
          steps,
          isBuffered: kind === 'store' || isForwarded,
        });
        if (next.isJoined && next.isTouched) this.sink.violate(next);
        else this.settle(next, state);
      }
  }

  /** Makes a main task that runs after the delayed task `K` pass a milestone. */
  #passBehind(config: Config): void {
    for (const { passed, writes, steps, state } of this.performed(config)) {
      const next = config.copy();
      this.note(next, { kind: 'perform', steps, isBuffered: false });
      this.notePassed(next, passed);
      this.write(next, writes);
      this.settle(next, state);
    }
  }

  #holdBehind(config: Config, cell: number, value: number): void {
    const stores = this.#behind(config);
    const isOld = stores.some((store) => store.cell === cell && store.of === 'joined');
    this.#setBehind(config, [
      ...stores.filter((store) => store.cell !== cell),
      { cell, value, of: config.isJoined || isOld ? 'joined' : 'running' },
    ]);
  }

  /**
   * Records that the running event happens after the attack event. All accesses that the event has
   * made so far count as accesses after the attack event.
   */
  #join(config: Config): void {
    if (config.isJoined) return;
    config.isJoined = true;
    this.setAll(config, this.maps.union(config.all, config.mine));
    config.mine = 0;
    this.#setBehind(
      config,
      this.#behind(config).map((store) =>
        store.of === 'running' ? { ...store, of: 'joined' } : store,
      ),
    );
  }

  /**
   * Records accesses of the running event that are done in memory, where other events can notice
   * them.
   */
  #see(config: Config, accesses: readonly TaskAccess[]): void {
    if (config.isJoined) this.setAll(config, this.maps.add(config.all, accesses));
    else config.mine = this.maps.add(config.mine, accesses);
  }

  /**
   * Records accesses of a task other than the delayed task `K` and the tasks of role `behind`.
   * Returns whether the search goes on with the configuration.
   */
  #account(config: Config, performed: PerformedAccess): boolean {
    const { accesses } = performed;
    if (config.phase === 'prefix') return true;
    if (config.phase === 'attack') {
      config.all = this.maps.add(config.all, accesses);
      return true;
    }
    if (config.isDelayingOnMain && !this.#isInTime(config, performed)) return false;
    if (this.maps.conflicts(config.all, accesses)) this.#join(config);
    this.#see(config, accesses);
    if (accesses.some(({ cell }) => this.#holds(config, cell))) config.isTouched = true;
    if (!config.isTouched || !config.isJoined) return true;
    if (config.isDelayingOnMain && config.isMain) {
      config.isPromised = true;
      return true;
    }
    this.sink.violate(config);
    return false;
  }

  /**
   * Whether the performed accesses are possible in memory now, while a delayed task on main still
   * has stores in its buffer.
   */
  #isInTime(config: Config, { accesses, steps }: PerformedAccess): boolean {
    const { maps } = this;
    const behind = this.#behind(config);
    if (accesses.some(({ cell }) => behind.some((store) => store.cell === cell))) return false;
    if (!config.isMain) {
      config.isLate ||= maps.conflicts(config.late, accesses);
      if (config.isLate) config.late = maps.add(config.late, accesses);
      return true;
    }
    if (accesses.some(({ cell }) => this.#holds(config, cell))) return false;
    const stores = accesses.filter(({ isStore }) => isStore);
    if (maps.conflicts(config.own, stores)) return false;
    // A store may have waited in the buffer; a load or a locked instruction cannot.
    const isAtOnce = steps.some(({ kind }) => kind !== 'store');
    return !isAtOnce || !maps.conflicts(config.late, accesses);
  }
}

function isPlainStore({ steps }: PerformedAccess): boolean {
  return steps[0]?.kind === 'store';
}
