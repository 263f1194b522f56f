import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { AccessMaps, type MapId } from './access-maps.js';
import { computeMayLoop } from './compiled-bodies.js';
import { Config, type LogItem, type TaskRole } from './config.js';
import {
  addFootprint,
  cellOfMilestone,
  computeFootprints,
  countCells,
  countPlaces,
  type Footprint,
} from './footprints.js';
import { groupInstances, type InstanceGroup } from './instance-groups.js';
import { Interner } from './interner.js';
import { LocalStates, type LocalId, type LocalOptions, type Spawn } from './local-states.js';
import { performAccess, type MemoryView, type PerformedAccess } from './perform.js';

/** Reductions of the sequential searches; no reduction changes a verdict. */
export interface SerialReductions {
  /**
   * Whether the searches forget, between events, cells and accesses that make no difference to
   * later events.
   */
  readonly forgetDeadCells: boolean;
  /**
   * Whether the searches leave out events that make no difference to later events. Removing an
   * event without effect from a run leaves a possible run.
   */
  readonly skipIdleEvents: boolean;
  /**
   * Whether the search drops a configuration in which no waiting task and no future event can
   * conflict with the postponed access or the pending stores of the delayed task `K`.
   */
  readonly dropLostTargets: boolean;
}

export const allReductions: SerialReductions = {
  forgetDeadCells: true,
  skipIdleEvents: true,
  dropLostTargets: true,
};

/** The functions that receive the configurations after a step. */
interface Sink {
  /**
   * Receives a configuration in which the running task is between two accesses, or no event runs.
   */
  readonly reach: (config: Config) => void;
  /** Receives a configuration in which a violation is complete. */
  readonly violate: (config: Config) => void;
}

/** The maximum number of configurations inspected to find out whether a main task can end. */
const maxTaskStates = 10_000;

/**
 * The machine of the sequential searches: the single thread of [BEMR18] Fig. 6, on which background
 * tasks may also stop before any access, and waiting tasks may never run. Subclasses decide what is
 * remembered about the attack event.
 */
export abstract class SerialMachine {
  readonly locals: LocalStates;
  readonly groups: readonly InstanceGroup[];
  readonly maps = new AccessMaps();
  /** The contents of memory in configurations, each with a number. */
  readonly memories = new Interner();
  /**
   * Numbered lists of tasks, each list as a pair `[task, rest]` with the number of the rest. A task
   * is `2 * spawn`, plus 1 if the task is late (`Config.isLate`).
   */
  readonly lists = new Interner();
  readonly lefts = new Interner();
  /** Whether some main task had too many configurations to find out whether the task can end. */
  isUnbounded = false;
  /** Whether a configuration was left out because too many tasks would have waited. */
  isCut = false;
  isRecording = false;
  protected sink: Sink = { reach: () => undefined, violate: () => undefined };
  readonly #program: EventProgram;
  readonly #cells: number;
  /** The number of all cells, including one cell for each milestone. */
  readonly #places: number;
  readonly #depth: number;
  readonly #reductions: SerialReductions;
  readonly #mayLoop: readonly boolean[];
  readonly #footprints: readonly Footprint[];
  readonly #lengths = new Map<number, number>([[0, 0]]);
  readonly #leftFootprints = new Map<number, Footprint>();
  readonly #ends = new Map<number, boolean>();

  constructor(program: EventProgram, local: LocalOptions, reductions: SerialReductions) {
    this.#program = program;
    this.#cells = countCells(program);
    this.#places = countPlaces(program);
    this.#depth = local.depth;
    this.#reductions = reductions;
    this.locals = new LocalStates(program, local);
    this.groups = groupInstances(program);
    this.#mayLoop = computeMayLoop(this.locals.bodies);
    this.#footprints = computeFootprints(program);
  }

  /** The approximate number of bytes that the tables of the machine take. */
  get bytes(): number {
    const { locals, maps, memories, lists, lefts } = this;
    return locals.bytes + maps.bytes + memories.bytes + lists.bytes + lefts.bytes;
  }

  initial(): Config {
    const config = new Config();
    const milestones = Array.from({ length: this.#places - this.#cells }, () => 0);
    config.memory = this.memories.id([...this.initialMemory(), ...milestones]);
    config.left = this.lefts.id(this.groups.map(({ count }) => (count === 'any' ? -1 : count)));
    return config;
  }

  /** Returns the initial memory, indexed by cell. */
  initialMemory(): number[] {
    const cells = Array.from({ length: this.#cells }, () => 0);
    for (const { base, initial } of this.#program.symbols)
      initial.forEach((value, i) => (cells[base + i] = value));
    return cells;
  }

  /** Passes all configurations after one step to `sink`. */
  successors(config: Config, sink: Sink): void {
    this.sink = sink;
    // A configuration of the prefix without a stopped main task occurs in an actual run, on the
    // single thread with cuts as well as on several threads.
    this.locals.isCertain = config.phase === 'prefix' && !config.isCandidate;
    if (config.node !== 0) this.steps(config);
    else if (config.waiting !== 0) this.#dispatch(config);
    else this.#startEvents(config);
  }

  /** Makes the possible steps of the running task, including stops before an access. */
  protected abstract steps(config: Config): void;
  /** Returns the roles in which the next task may begin. */
  protected abstract roles(config: Config): readonly TaskRole[];
  /** Returns whether a configuration at the end of a task can still lead to a violation. */
  protected abstract atEnd(config: Config): boolean;
  /**
   * Returns whether a configuration with a task stopped before the end can still lead to a
   * violation.
   */
  protected abstract atStop(config: Config): boolean;
  /**
   * Returns the postponed access or the pending stores of the delayed task `K`, as access levels by
   * cell: 1 a load, 2 a store. Only a conflict with one of these accesses completes a violation.
   */
  protected abstract targetLevels(config: Config): readonly number[];
  /**
   * Removes the remembered accesses of the attack event that conflict with no access of
   * `footprint`, a superset of the accesses of later tasks.
   */
  protected abstract forget(config: Config, footprint: Footprint): void;

  protected note(config: Config, item: LogItem): void {
    if (this.isRecording) config.log = { item, earlier: config.log };
  }

  #startEvents(config: Config): void {
    this.groups.forEach((group, g) => {
      const counts = this.lefts.list(config.left);
      const count = at(counts, g);
      const awaited = group.after.map((milestone) => cellOfMilestone(this.#program, milestone));
      if (count === 0 || awaited.some((cell) => this.loaded(config, cell) === 0)) return;
      const isBehind = awaited.some((cell) => this.maps.level(config.all, cell) > 0);
      const isLate =
        config.isDelayingOnMain && awaited.some((cell) => this.maps.level(config.late, cell) > 0);
      const phases = config.phase === 'prefix' ? (['prefix', 'attack'] as const) : [config.phase];
      for (const phase of phases) {
        const next = config.copy();
        next.phase = phase;
        next.isJoined = phase === 'attack' || isBehind;
        if (count > 0) next.left = this.lefts.id(counts.map((n, i) => (i === g ? n - 1 : n)));
        const spawn = 2 * this.locals.initial(group.event, group.arguments) + 1;
        this.note(next, { kind: 'start', group: g, spawn });
        this.#begin(next, spawn, isLate);
      }
    });
  }

  #begin(config: Config, spawn: Spawn, isLate: boolean): void {
    config.isMain = (spawn & 1) === 1;
    config.isLate = isLate;
    for (const role of this.roles(config)) {
      const next = config.copy();
      next.role = role;
      this.note(next, { kind: 'begin', role });
      this.settle(next, spawn >> 1);
    }
  }

  /**
   * Advances the running task from a local state over silent steps to each next access or fence,
   * and passes the configuration there to `sink`; or to the task's end.
   */
  protected settle(config: Config, state: LocalId): void {
    for (const arrival of this.locals.arrivals(state)) {
      const next = config.copy();
      if (arrival.trail.length > 0) this.note(next, { kind: 'silent', trail: arrival.trail });
      if (!this.#post(next, arrival.posts)) continue;
      switch (arrival.kind) {
        case 'access':
        case 'fence':
          next.node = arrival.at;
          this.sink.reach(next);
          break;
        case 'end':
          this.note(next, { kind: 'end' });
          if (this.atEnd(next)) this.#leave(next);
          break;
        case 'stuck':
          this.stop(next);
          break;
      }
    }
  }

  /**
   * Adds tasks to the tasks posted by the running task. Returns false if too many tasks would wait.
   */
  #post(config: Config, posts: readonly Spawn[]): boolean {
    const isLate =
      config.isLate || config.role === 'behind' || (config.role === 'delaying' && config.isMain);
    for (const spawn of posts)
      config.children = this.#push(2 * spawn + (isLate ? 1 : 0), config.children);
    if (this.#length(config.children) + this.#length(config.waiting) <= this.#depth) return true;
    this.isCut = true;
    return false;
  }

  #push(task: number, rest: number): number {
    const id = this.lists.id([task, rest]);
    if (!this.#lengths.has(id)) this.#lengths.set(id, this.#length(rest) + 1);
    return id;
  }

  #length(list: number): number {
    return this.#lengths.get(list) ?? 0;
  }

  /** Returns the roles in which a main task may begin in the attack event. */
  protected attackRoles({ isCandidate }: Config): readonly TaskRole[] {
    // A task that has stopped on main for ever is the last task on main.
    return isCandidate ? ['ordinary'] : ['ordinary', 'delaying'];
  }

  /**
   * Stops the running main task for ever. A witness can show the stop only if the main tasks that
   * follow in the serial order run before the stopped task. Returns false if this is impossible:
   * another main task has stopped for ever, or the delayed task `K` is on main and either never
   * ends or comes after the running task.
   */
  protected takeMain(config: Config): boolean {
    if (config.isCandidate || config.isDelayingOnMain) return false;
    config.isCandidate = true;
    return true;
  }

  /**
   * Stops the running task for ever at its current location; the run goes on with the next task.
   */
  protected stop(config: Config): void {
    this.note(config, { kind: 'cut' });
    if (this.atStop(config)) this.#leave(config);
  }

  /** Ends the running task. The tasks that it has posted come first among the waiting tasks. */
  #leave(config: Config): void {
    for (let list = config.children; list !== 0;) {
      const [task = 0, rest = 0] = this.lists.list(list);
      config.waiting = this.#push(task, config.waiting);
      list = rest;
    }
    config.children = 0;
    config.node = 0;
    config.role = 'ordinary';
    config.isMain = false;
    config.isLate = false;
    config.isPromised = false;
    this.#goOn(config);
  }

  /** Goes on between two tasks: with the next waiting task, or with the end of the event. */
  #goOn(config: Config): void {
    if (config.waiting === 0) this.#endEvent(config);
    else this.sink.reach(config);
  }

  /**
   * Begins the first waiting task. If the task cannot stop by itself at its start, also continues
   * with a configuration in which the task never runs.
   */
  #dispatch(config: Config): void {
    const [task = 0, rest = 0] = this.lists.list(config.waiting);
    const spawn = task >> 1;
    config.waiting = rest;
    if ((spawn & 1) === 1 || !this.#canStopAtOnce(spawn >> 1)) {
      const next = config.copy();
      this.note(next, { kind: 'drop' });
      this.#goOn(next);
    }
    this.#begin(config, spawn, (task & 1) === 1);
  }

  /**
   * Whether a background task may stop before it has done anything. Then no configuration is needed
   * in which the task never runs.
   */
  #canStopAtOnce(state: LocalId): boolean {
    return this.locals
      .arrivals(state)
      .some(({ kind, posts }) => kind === 'access' && posts.length === 0);
  }

  #endEvent(config: Config): void {
    if (config.phase === 'attack') return;
    const { skipIdleEvents } = this.#reductions;
    if (config.phase === 'delayed') config.phase = 'suffix';
    else if (skipIdleEvents && !config.hasEffect) return;
    if (!config.isJoined) this.#freeMilestones(config);
    config.hasEffect = false;
    config.isJoined = false;
    config.isTouched = false;
    config.mine = 0;
    const footprint = this.#leftFootprint(config.left);
    if (config.phase === 'suffix' && !this.#meets(config, footprint)) return;
    if (this.#reductions.forgetDeadCells) {
      const values = this.memories.list(config.memory);
      config.memory = this.memories.id(
        values.map((value, cell) => ((footprint[cell] ?? 0) & 1 ? value : 0)),
      );
      this.forget(config, footprint);
    }
    this.sink.reach(config);
  }

  /**
   * Removes the milestones passed by the running event from `config.all`. Called at the end of an
   * event that does not happen after the attack event: an event that waits for one of these
   * milestones may follow the running event in a serial order, and need not follow the attack
   * event.
   */
  #freeMilestones(config: Config): void {
    for (let cell = this.#cells; cell < this.#places; cell++)
      if (this.maps.level(config.mine, cell) > 0) config.all = this.maps.without(config.all, cell);
  }

  /**
   * Records that the running task passes a milestone. `config.all` contains the milestones passed
   * only by the attack event and by events after the attack event in happens-before. `config.late`
   * contains the milestones passed only later in time than the begin of `K`.
   */
  protected notePassed(config: Config, cell: number | undefined): void {
    if (cell === undefined || config.phase === 'prefix') return;
    const { maps } = this;
    const passing = [{ cell, isStore: true }];
    const isFirst = this.loaded(config, cell) === 0;
    const has = (map: MapId): boolean => maps.level(map, cell) > 0;
    if (isFirst || has(config.all) || has(config.mine))
      if (config.isJoined) this.setAll(config, maps.add(config.all, passing));
      else config.mine = maps.add(config.mine, passing);
    const isLate =
      config.isLate || config.role === 'behind' || (config.role === 'delaying' && config.isMain);
    if (isLate && isFirst) config.late = maps.add(config.late, passing);
    if (!isLate && has(config.late)) {
      config.late = maps.without(config.late, cell);
      config.hasEffect = true;
    }
  }

  /**
   * Returns the possible accesses of the events that have not started yet; `left` is as in
   * `Config`.
   */
  #leftFootprint(left: number): Footprint {
    let sum = this.#leftFootprints.get(left);
    if (!sum) {
      sum = new Uint8Array(this.#places);
      for (const [g, { event, after }] of this.groups.entries()) {
        if (at(this.lefts.list(left), g) === 0) continue;
        addFootprint(sum, at(this.#footprints, event));
        for (const milestone of after) {
          const cell = cellOfMilestone(this.#program, milestone);
          sum[cell] = (sum[cell] ?? 0) | 1;
        }
      }
      this.#leftFootprints.set(left, sum);
    }
    return sum;
  }

  #meets(config: Config, footprint: Footprint): boolean {
    if (!this.#reductions.dropLostTargets) return true;
    return this.targetLevels(config).some((level, cell) => {
      const may = footprint[cell] ?? 0;
      return level === 2 ? may !== 0 : level === 1 && may >= 2;
    });
  }

  /**
   * Whether a waiting task or a future event may conflict with an access of `targetLevels`. Always
   * true without the reduction `dropLostTargets`.
   */
  protected canMeetTarget(config: Config): boolean {
    if (!this.#reductions.dropLostTargets) return true;
    if (this.#meets(config, this.#leftFootprint(config.left))) return true;
    for (const first of [config.children, config.waiting])
      for (let list = first; list !== 0;) {
        const [task = 0, rest = 0] = this.lists.list(list);
        const body = this.locals.bodyOf(task >> 2);
        if (this.#meets(config, at(this.#footprints, body))) return true;
        list = rest;
      }
    return false;
  }

  /**
   * Returns the map of the accesses in `levels` that conflict with some access of the footprint.
   */
  protected noticed(levels: readonly number[], footprint: Footprint): number {
    return this.maps.of(
      levels.map((level, cell) => {
        const may = footprint[cell] ?? 0;
        return may >= 2 || (level === 2 && may !== 0) ? level : 0;
      }),
    );
  }

  /**
   * Replaces the remembered accesses of the attack event and of the events after the attack event
   * in happens-before.
   */
  protected setAll(config: Config, all: MapId): void {
    if (all === config.all) return;
    const footprint = this.#leftFootprint(config.left);
    const noticed = (map: MapId): MapId => this.noticed(this.maps.levels(map), footprint);
    config.hasEffect ||= noticed(all) !== noticed(config.all);
    config.all = all;
  }

  #view(memory: number): MemoryView {
    const values = this.memories.list(memory);
    const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } =
      this.#program.domain ?? {};
    return { cells: this.#cells, low, high, load: (cell) => values[cell] ?? 0 };
  }

  /**
   * Returns the possible outcomes of the access at which the running task waits; `load` returns the
   * value of a cell as read by the task.
   */
  protected performed(config: Config, load?: MemoryView['load']): readonly PerformedAccess[] {
    const view = this.#view(config.memory);
    return performAccess(this.locals, config.node, load ? { ...view, load } : view);
  }

  /** Returns the value that a cell has in memory. */
  protected loaded(config: Config, cell: number): number {
    return this.memories.list(config.memory)[cell] ?? 0;
  }

  protected write(config: Config, writes: PerformedAccess['writes']): void {
    if (writes.length === 0) return;
    const values = [...this.memories.list(config.memory)];
    for (const [cell, value] of writes) values[cell] = value;
    const old = this.memories.list(config.memory);
    const footprint = this.#leftFootprint(config.left);
    const isNoticed = (cell: number): boolean => ((footprint[cell] ?? 0) & 1) === 1;
    config.hasEffect ||= writes.some(([cell]) => values[cell] !== old[cell] && isNoticed(cell));
    config.memory = this.memories.id(values);
  }

  /**
   * Whether the running main task may be treated as stopped at this point: the task is blocked, or
   * can never end.
   */
  protected isHopeless(config: Config, outcomes: readonly PerformedAccess[]): boolean {
    if (!outcomes.some(({ isComplete }) => isComplete)) return true;
    if (!this.locals.bodiesIn(config.node).some((body) => this.#mayLoop[body])) return false;
    return !this.#canEnd(config);
  }

  /** Whether the running task can reach the end without steps of other tasks. */
  #canEnd({ memory, node, left }: Config): boolean {
    const keyOf = (m: number, n: number): number => m * 0x2000000 + n;
    const known = this.#ends.get(keyOf(memory, node));
    if (known !== undefined) return known;
    const seen = new Set([keyOf(memory, node)]);
    const pending: [number, LocalId][] = [[memory, node]];
    let canEnd = false;
    for (let top = pending.pop(); top && !canEnd; top = pending.pop()) {
      const config = new Config();
      [config.memory, config.node] = top;
      config.left = left;
      for (const { state, writes, isComplete } of this.performed(config)) {
        if (!isComplete) continue;
        const next = config.copy();
        this.write(next, writes);
        for (const { at: node, kind } of this.locals.arrivals(state)) {
          if (kind === 'end') canEnd = true;
          const key = keyOf(next.memory, node);
          if ((kind !== 'access' && kind !== 'fence') || seen.has(key)) continue;
          seen.add(key);
          pending.push([next.memory, node]);
        }
      }
      if (seen.size > maxTaskStates) {
        this.isUnbounded = true;
        canEnd = true;
      }
    }
    this.#ends.set(keyOf(memory, node), canEnd);
    return canEnd;
  }
}
