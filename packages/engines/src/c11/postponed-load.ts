import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { C11Model, EventOrder } from '@fencewright/model/c11/execution-graph.js';
import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import type { RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import type { C11Cells } from './cells.js';
import {
  addressExpression,
  addressOfStep,
  type C11Code,
  type C11Step,
  isTesting,
  targetsOf,
} from './c11-steps.js';
import { isAcquiring, isReleasing } from './futures.js';
import { MonitoredProgram, type MonitorEvent, UnknownCell } from './monitor-steps.js';
import {
  behindEvent,
  isHeld,
  postponedKey,
  type Postponed,
  postponedAt,
  type PostponedEvent,
  type PostponedState,
  type WaitingStore,
  type Way,
} from './postponed-state.js';
import { runOf, withSortedThreads } from './postponed-symmetry.js';
import { needsUnknown, type PartlyKnown, settleUnknown } from './settle-unknown.js';
import { effectsOf, isConditional, type StepEffect } from './step-effects.js';
import { ThreadSymmetry } from './symmetry.js';
import {
  dependsOnUnknown,
  outcomeDependsOnUnknown,
  registersOf,
  storesOn,
} from './unknown-outcomes.js';

const checkEvery = 512;

const noRegister: ReadonlySet<RegisterId> = new Set();

/**
 * A step that a thread can take in a state, with the thread's location and registers, and the
 * accessed cell.
 */
interface PlacedStep {
  readonly state: PostponedState;
  readonly thread: ThreadId;
  readonly place: PartlyKnown;
  readonly step: C11Step;
  readonly cell: number;
  readonly order: EventOrder;
}

/**
 * An instance of load buffering: a load whose value may depend on a later store by the load's
 * thread.
 */
export interface LoadBuffering {
  readonly thread: ThreadId;
  readonly step: C11Step;
  readonly cell: number;
  readonly registers: readonly number[];
  /** The SC execution up to the store; `postponed` marks the load's place in program order. */
  readonly run: readonly (PostponedEvent | 'postponed')[];
}

export interface LoadBufferingFindings {
  readonly states: number;
  /**
   * The instances of load buffering that were found, in the order of the search; at most
   * `PostponedLoadOptions.most`.
   */
  readonly found: readonly LoadBuffering[];
  /**
   * The first load or read-modify-write found of which the search cannot tell whether load
   * buffering is possible, since the search leaves out some executions with this step; absent if
   * there is none.
   */
  readonly doubt?: C11Step;
  readonly incomplete?: Exhaustion;
}

/** The restrictions of a search for load buffering. */
interface PostponedLoadOptions {
  /**
   * Returns whether a load may be postponed. If absent, all loads may. The answer has to be the
   * same for threads with equal code.
   */
  readonly mayPostpone?: (thread: ThreadId, load: C11Step) => boolean;
  /**
   * Whether the search also follows loads of old stores, as `observe` does. If so, two further
   * cases make the result doubtful: a store placed after an old store in modification order, and a
   * data race.
   */
  readonly hasOldLoads?: boolean;
  /** The memory model; under `ra`, `seq_cst` accesses have no order among each other. */
  readonly model: C11Model;
  /**
   * Whether the search visits all states. Otherwise one state represents all states that differ by
   * exchanges of threads with equal code.
   */
  readonly isWhole?: boolean;
  /** The number of instances of load buffering at which the search stops; 1 by default. */
  readonly most?: number;
}

/** Searches for load buffering: SC executions with one load postponed after later stores. */
export class PostponedLoadSearch {
  readonly #program: MonitoredProgram;
  readonly #seen = new Set<string>();
  readonly #work: PostponedState[] = [];
  readonly #mayPostpone: (thread: ThreadId, load: C11Step) => boolean;
  readonly #hasOldLoads: boolean;
  readonly #model: C11Model;
  readonly #symmetry: ThreadSymmetry;
  readonly #isReduced: boolean;
  /** Whether the cell is a watched cell; cells are given by position in `C11Cells.addresses`. */
  readonly #isContested: (cell: number) => boolean;
  readonly #most: number;
  readonly #found: LoadBuffering[] = [];
  /** The first step of which the search does not know whether load buffering is possible. */
  #doubt: C11Step | undefined;

  constructor(program: MonitoredProgram, cells: C11Cells, options: PostponedLoadOptions) {
    const {
      mayPostpone = () => true,
      hasOldLoads = false,
      model,
      isWhole = false,
      most = 1,
    } = options;
    this.#most = most;
    this.#program = program;
    this.#symmetry = new ThreadSymmetry(program.code, program.layout);
    this.#isReduced = !isWhole && !this.#symmetry.isTrivial;
    this.#mayPostpone = mayPostpone;
    this.#hasOldLoads = hasOldLoads;
    this.#model = model;
    this.#isContested = (cell) => at(cells.watchedAt, cell) >= 0;
  }

  async search(budget: Budget): Promise<LoadBufferingFindings> {
    const ignore = (): undefined => undefined;
    this.#program.initial((monitored) => {
      this.#add({ monitored, unknown: new Set() });
    }, ignore);
    let incomplete: Exhaustion | undefined;
    const bytes = 600 + 20 * this.#program.layout.length;
    for (let index = 0; index < this.#work.length && !this.#isDone; index++) {
      if (index % checkEvery === 0) {
        incomplete = await budget.checkpoint(this.#seen.size, this.#seen.size * bytes);
        if (incomplete) break;
      }
      this.#expand(this.#work[index]!);
    }
    const states = this.#seen.size;
    budget.finishSearch(states, states * bytes);
    return {
      ...{ states, found: this.#found },
      ...(this.#doubt && { doubt: this.#doubt }),
      ...(incomplete && { incomplete }),
    };
  }

  /**
   * Whether the search can stop: the requested number of instances of load buffering is found, or,
   * in a search with loads of old stores, one step is doubtful. The caller treats a doubt in such a
   * search as load buffering.
   */
  get #isDone(): boolean {
    return this.#found.length >= this.#most || (this.#hasOldLoads && this.#doubt !== undefined);
  }

  #add(added: PostponedState): void {
    const state = this.#isReduced ? withSortedThreads(this.#symmetry, added) : added;
    const key = postponedKey(state);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#work.push(state);
  }

  #expand(state: PostponedState): void {
    const { steps, program } = this.#program.code;
    for (const thread of program.threads.keys()) {
      const place = this.#program.placeOf(state.monitored, thread);
      if (!place) continue;
      const unknown = state.postponed?.thread === thread ? state.unknown : noRegister;
      for (const step of at(at(steps, thread), place.location))
        this.#step(state, thread, { ...place, unknown }, step);
    }
  }

  #step(state: PostponedState, thread: ThreadId, place: PartlyKnown, step: C11Step): void {
    const { postponed } = state;
    const behind = postponed?.thread === thread ? postponed : undefined;
    if (step.kind === 'fence') {
      const event = { thread, step, kind: 'fence' as const, order: step.order };
      const monitored = this.#program.behind(state.monitored, event);
      if (!behind) this.#move(state, thread, step, place, { event, monitored });
      return;
    }
    if (behind && this.#hasUnknownAddress(step, place)) return;
    const { cells } = this.#program;
    const cell = cells.indexOf.get(addressOfStep(step, place.registers));
    if (cell === undefined) throw new UnknownCell();
    const order: EventOrder = at(cells.isPlain, cell) ? 'plain' : step.order;
    const placed = { state, thread, place, step, cell, order };
    if (behind) {
      this.#stepBehind(placed, behind);
      return;
    }
    const mayPostpone = !postponed && this.#mayPostpone(thread, step);
    const isLoad = step.kind !== 'store' && !isAcquiring(order) && this.#isContested(cell);
    if (mayPostpone && isLoad) this.#doubtOtherTests(step, noRegister);
    if (mayPostpone && isLoad && !isTesting(step)) {
      const first = postponedAt(thread, step, cell, place.registers);
      const isRmw = step.kind === 'rmw';
      const own = isRmw ? this.#withStore(placed, first, this.#writtenAlways(placed)) : first;
      this.#postpone(state, thread, step, place, own);
    }
    this.#execute(placed, () => true);
  }

  #hasUnknownAddress(step: C11Step, place: PartlyKnown): boolean {
    const address = addressExpression(step);
    const { symbols } = this.#program.code.program;
    return address !== undefined && needsUnknown(address, place, symbols);
  }

  /**
   * Makes the result of the search doubtful if the step is an atomic block and one of two things
   * holds. First: a test of the block does not depend on the value that the block loads, so later
   * stores of the thread may not wait for the test. Second: `&&` or `||` in the block may skip a
   * register of `unknown`, a register whose value depends on the postponed load, so the block's own
   * store may not wait for the load.
   */
  #doubtOtherTests(step: C11Step, unknown: ReadonlySet<RegisterId>): void {
    const { block } = step;
    if (!block) return;
    const mayNotWait = block.mayLeaveOut && [...block.uses].some((one) => unknown.has(one));
    if (mayNotWait || (isTesting(step) && !block.testsValue)) this.#doubt ??= step;
  }

  /**
   * Executes or postpones a step of the thread whose load is postponed, depending on whether the
   * step can come first.
   */
  #stepBehind(placed: PlacedStep, own: Postponed): void {
    switch (placed.step.kind) {
      case 'load':
        this.#loadBehind(placed, own);
        break;
      case 'store':
        this.#storeBehind(placed, own);
        break;
      default:
        this.#rmwBehind(placed, own);
    }
  }

  /**
   * Whether a `seq_cst` access has to wait, because an earlier `seq_cst` access of the thread waits
   * for the postponed load. If the access is a store, the thread's later accesses need not wait; if
   * it is any other access, all of them wait.
   */
  #stopsSeqCst(order: EventOrder, own: Postponed): boolean {
    return this.#isSeqCst(order) && own.holdsSeqCst;
  }

  #isSeqCst(order: EventOrder): boolean {
    return order === 'seq_cst' && this.#model === 'c11';
  }

  /**
   * Executes or postpones a load. A processor may forward the value of the thread's own store
   * before the store is executed, unless the value of the store has to wait.
   */
  #loadBehind(placed: PlacedStep, own: Postponed): void {
    const { state, thread, place, step, cell, order } = placed;
    // A loop that tests a value not known yet keeps all later accesses waiting.
    if (this.#stopsSeqCst(order, own) || dependsOnUnknown(this.#program.code, step, place)) return;
    if (!isHeld(own, cell)) {
      this.#execute(placed, () => true);
      return;
    }
    const { written: value, order: storeOrder } = own.waiting.get(cell) ?? {};
    if (value !== undefined) {
      const effects = effectsOf(this.#program.code, step, place.registers, value);
      // What C++20 says of `seq_cst` loads that get such values is in doubt: LWG 3941.
      const isSure = storeOrder !== undefined && !this.#isSeqCst(order);
      if (isSure) this.#forwardStore(placed, effects, value);
      else this.#forward(placed, effects, own);
    }
    if (!isTesting(step) && !isAcquiring(order)) this.#postpone(state, thread, step, place, own);
  }

  #storeBehind(placed: PlacedStep, own: Postponed): void {
    const { state, thread, place, step, cell, order } = placed;
    const depends = dependsOnUnknown(this.#program.code, step, place);
    if (!isHeld(own, cell) && !depends && !isReleasing(order)) {
      this.#execute(placed, () => true);
      return;
    }
    const [effect] = depends ? [] : effectsOf(this.#program.code, step, place.registers, 0);
    const written = effect?.written;
    const event: PostponedEvent | undefined =
      written === undefined
        ? undefined
        : { thread, step, cell, kind: 'write', order, written, isLate: true };
    this.#postpone(state, thread, step, place, this.#withStore(placed, own, written), event);
  }

  /**
   * Executes or postpones a read-modify-write of the thread whose load is postponed. The load of
   * the read-modify-write is executed, gets the value of the thread's own store, or waits. A `cas`
   * that fails stores nothing, so it releases nothing and does not wait. A `cas` that acquires on
   * success counts as acquiring on failure, too: processors test the loaded value by a branch, and
   * later stores wait for the branch.
   */
  #rmwBehind(placed: PlacedStep, own: Postponed): void {
    const { state, thread, place, step, cell, order } = placed;
    const waits = isHeld(own, cell);
    const value = waits ? own.waiting.get(cell)?.written : this.#valueOf(state, cell);
    // A test of a value not known yet keeps later stores waiting.
    const isCondition = isTesting(step);
    this.#doubtOtherTests(step, place.unknown);
    if (value !== undefined)
      try {
        this.#rmwInTime(placed, own, value);
      } catch (error) {
        if (!(error instanceof ExecutionFault)) throw error;
        if (!dependsOnUnknown(this.#program.code, step, place)) throw error;
        this.#doubt ??= step;
      }
    if (!waits || isCondition || isAcquiring(order) || this.#stopsSeqCst(order, own)) return;
    const before = this.#beforeStoring(placed, own);
    const written = this.#writtenAlways(placed);
    this.#postpone(state, thread, step, place, this.#withStore(placed, before, written));
  }

  /** Executes a read-modify-write whose load is not postponed and reads `value`. */
  #rmwInTime(placed: PlacedStep, own: Postponed, value: number): void {
    const { state, thread, place, step, cell, order } = placed;
    const { code } = this.#program;
    const mayFail = !this.#stopsSeqCst(step.failureOrder, own);
    const mayStore = !this.#stopsSeqCst(order, own);
    if (outcomeDependsOnUnknown(code, step, place, value)) {
      if (isTesting(step)) return;
      const doubtful = { ...own, isDoubtful: true };
      if (mayFail && isConditional(step)) this.#postpone(state, thread, step, place, doubtful);
      if (mayStore) this.#postpone(state, thread, step, place, this.#withStore(placed, doubtful));
      return;
    }
    const isLate = isHeld(own, cell);
    const depends = dependsOnUnknown(this.#program.code, step, place);
    const waits = isLate || depends || isReleasing(order);
    const isTaken = ({ kind }: StepEffect): boolean =>
      kind === 'read' ? mayFail : mayStore && !waits;
    if (!isLate) this.#execute(placed, isTaken);
    for (const effect of effectsOf(code, step, place.registers, value))
      if (effect.kind !== 'read') {
        const written = depends ? undefined : effect.written;
        if (waits && mayStore)
          this.#forward(placed, [effect], this.#withStore(placed, own, written));
      } else if (isLate && mayFail) this.#forward(placed, [effect], own);
  }

  /**
   * Returns the postponed load with the condition under which the thread goes on after a
   * read-modify-write that waits for the load. A read-modify-write that acquires on failure has to
   * store: if it failed, later accesses of the thread would wait for it. If the read-modify-write
   * is the thread's first store to the cell of the load, it reads the store that the load reads, or
   * a later one; the load could then read the later one, too. So the condition is about the value
   * of the load. After another store of the thread to the cell, only the value of this other store
   * is examined.
   */
  #beforeStoring({ place, step, cell }: PlacedStep, own: Postponed): Postponed {
    if (!isConditional(step) || !isAcquiring(step.failureOrder)) return own;
    if (!own.waiting.has(cell)) return { ...own, mustStore: { step, place } };
    const value = own.waiting.get(cell)?.written;
    const isSure = value !== undefined && storesOn(this.#program.code, step, place, value) === true;
    return isSure ? own : { ...own, isDoubtful: true };
  }

  /**
   * Returns the postponed load, with one more store of the thread recorded as waiting for the load.
   * `written` is the stored value, absent if unknown.
   */
  #withStore({ step, cell, order }: PlacedStep, own: Postponed, written?: number): Postponed {
    const store: WaitingStore = { written, ...(step.kind === 'store' && { order }) };
    const waiting = new Map([...own.waiting, [cell, store]]);
    return { ...own, waiting, holdsSeqCst: own.holdsSeqCst || this.#isSeqCst(order) };
  }

  /**
   * Returns the value stored by a read-modify-write if the value is the same for the loaded values
   * 0 and 1, as for an exchange; otherwise `undefined`. Processors execute the store after the
   * load, but may forward the stored value to later loads of the thread earlier.
   */
  #writtenAlways({ place, step }: PlacedStep): number | undefined {
    if (dependsOnUnknown(this.#program.code, step, place)) return undefined;
    try {
      const [one, other] = [0, 1].map((old) =>
        effectsOf(this.#program.code, step, place.registers, old).map(({ written }) => written),
      );
      return one!.length === 1 && one![0] === other?.[0] ? one![0] : undefined;
    } catch (error) {
      if (error instanceof ExecutionFault) return undefined;
      throw error;
    }
  }

  /** Executes a load that gets, by forwarding, the value of a waiting store of the same thread. */
  #forwardStore(
    { state, thread, place, step, cell, order }: PlacedStep,
    effects: readonly StepEffect[],
    read: number,
  ): void {
    const event: PostponedEvent = { thread, step, cell, kind: 'read', order, read, isLate: true };
    for (const { registers, targets } of effects)
      this.#move(state, thread, step, { ...place, registers }, { event, targets });
  }

  /**
   * Executes a step that loads the value of a waiting store of the same thread, or a
   * read-modify-write whose store waits. The search does not follow such executions exactly, so the
   * result is marked as doubtful.
   */
  #forward(
    { state, thread, place, step }: PlacedStep,
    effects: readonly StepEffect[],
    own: Postponed,
  ): void {
    const postponed = { ...own, isDoubtful: true };
    for (const { registers, targets } of effects)
      this.#move(state, thread, step, { ...place, registers }, { postponed, targets });
  }

  /** Returns the value that the last store to the cell has written in the state. */
  #valueOf({ monitored }: PostponedState, cell: number): number {
    return monitored[this.#program.layout.memory + cell]!;
  }

  #execute(placed: PlacedStep, isTaken: (effect: StepEffect) => boolean): void {
    const { state, thread, place, step, cell, order } = placed;
    const old = this.#valueOf(state, cell);
    for (const effect of effectsOf(this.#program.code, step, place.registers, old))
      if (isTaken(effect)) this.#take(state, thread, place, effect, { step, cell, order, old });
    if (this.#hasOldLoads) this.#loadOld(placed, isTaken);
  }

  /**
   * Executes loads of old stores. The thread gets the value of the old store, and learns nothing
   * about other stores.
   */
  #loadOld(
    { state, thread, place, step, cell, order }: PlacedStep,
    isTaken: (effect: StepEffect) => boolean,
  ): void {
    const { code, cells } = this.#program;
    if (at(cells.watchedAt, cell) < 0) return;
    const { registers } = place;
    const failureOrder = order === 'plain' ? order : step.failureOrder;
    const access = { thread, step, cell, order, registers };
    this.#program.findStale(state.monitored, access, failureOrder, ({ kind, values }) => {
      if (kind !== 'read') this.#doubt ??= step;
      else
        for (const effect of values.flatMap((value) => effectsOf(code, step, registers, value)))
          if (effect.kind === 'read' && isTaken(effect)) {
            const { targets } = effect;
            this.#move(state, thread, step, { ...place, registers: effect.registers }, { targets });
          }
    });
  }

  #take(
    state: PostponedState,
    thread: ThreadId,
    place: PartlyKnown,
    effect: StepEffect,
    access: {
      readonly step: C11Step;
      readonly cell: number;
      readonly order: EventOrder;
      readonly old: number;
    },
  ): void {
    const { step, cell, order, old } = access;
    const event: MonitorEvent = {
      ...{ thread, step, cell, kind: effect.kind },
      order:
        effect.kind === 'read' && step.kind === 'rmw' && order !== 'plain'
          ? step.failureOrder
          : order,
      ...(effect.kind !== 'write' && { read: old }),
      ...(effect.written !== undefined && { written: effect.written }),
    };
    const postponed = state.postponed && behindEvent(state.postponed, event);
    if (
      postponed &&
      effect.kind !== 'read' &&
      cell === postponed.cell &&
      thread !== postponed.thread &&
      postponed.stores.has(cell)
    ) {
      const maySee = this.#maySee(postponed, effect.written!);
      if (maySee === undefined || (maySee && postponed.isDoubtful)) {
        this.#doubt ??= postponed.step;
        return;
      }
      if (maySee) {
        this.#find(postponed, { before: state.way, event });
        return;
      }
    }
    this.#move(
      state,
      thread,
      step,
      { ...place, registers: effect.registers },
      {
        event,
        targets: effect.targets,
        monitored: this.#program.behind(state.monitored, event, () => {
          if (this.#hasOldLoads) this.#doubt ??= step;
        }),
        ...(postponed && { postponed }),
      },
    );
  }

  #find({ thread, step, cell, registers }: Postponed, way: Way): void {
    const { run, standing } = runOf(this.#symmetry, way, this.#program.layout.threads);
    const own = at(standing, thread);
    this.#found.push({
      ...{ thread: own, step: this.#symmetry.stepOf(step, thread, own), cell, registers, run },
    });
  }

  /**
   * Whether the postponed access can read the value without acquiring, so that the thread's later
   * accesses need not wait for it; `undefined` if not known. A `cas` that acquires on failure has
   * to succeed.
   */
  #maySee({ step, registers, mustStore }: Postponed, value: number): boolean | undefined {
    if (mustStore) return storesOn(this.#program.code, mustStore.step, mustStore.place, value);
    if (!isConditional(step) || !isAcquiring(step.failureOrder)) return true;
    return storesOn(
      this.#program.code,
      step,
      { location: 0, registers, unknown: noRegister },
      value,
    );
  }

  #postpone(
    state: PostponedState,
    thread: ThreadId,
    step: C11Step,
    place: PartlyKnown,
    postponed: Postponed,
    event: PostponedEvent | 'postponed' | undefined = state.postponed ? undefined : 'postponed',
  ): void {
    const set = registersOf(step);
    this.#move(
      state,
      thread,
      step,
      {
        ...place,
        registers: place.registers.map((value, one) => (set.includes(one) ? 0 : value)),
        unknown: new Set([...place.unknown, ...set]),
      },
      { postponed, ...(event && { event }), keepsUnknown: true },
    );
  }

  #move(
    state: PostponedState,
    thread: ThreadId,
    step: C11Step,
    { registers, unknown }: PartlyKnown,
    change: {
      readonly event?: PostponedEvent | 'postponed';
      /**
       * The state after the event: the program's state, and the knowledge of threads about stores.
       */
      readonly monitored?: Int32Array;
      readonly postponed?: Postponed;
      /** Whether the registers that the step sets have no known value afterwards. */
      readonly keepsUnknown?: true;
      /** The next locations of the thread, if the step has several. */
      readonly targets?: StepEffect['targets'];
    },
  ): void {
    const { event, postponed = state.postponed, keepsUnknown } = change;
    const { targets = targetsOf(step, registers), monitored = state.monitored } = change;
    const set = keepsUnknown ? [] : registersOf(step);
    const left = new Set([...unknown].filter((register) => !set.includes(register)));
    const way = event === undefined ? state.way : { before: state.way, event };
    // If a store was skipped, the search can be sure neither that there is load buffering nor that
    // there is none.
    let isDoubtful = false;
    const onSkippedStore = (): void => {
      isDoubtful = true;
    };
    const places = targets.flatMap((location) =>
      settleUnknown(
        this.#program.code,
        thread,
        { location, registers, unknown: left },
        onSkippedStore,
      ),
    );
    if (isDoubtful) this.#doubt ??= postponed?.step ?? step;
    // Without a place to go to, the thread is stuck after the step, but the step is executed.
    this.#program.settledAt(monitored, thread, places).forEach((next, i) => {
      this.#add({
        monitored: next,
        unknown: postponed?.thread === thread ? (places[i]?.unknown ?? noRegister) : state.unknown,
        ...(postponed && { postponed: isDoubtful ? { ...postponed, isDoubtful } : postponed }),
        ...(way && { way }),
      });
    });
  }
}

/**
 * Searches for a load that hardware may execute after a later store of the same thread, although
 * the value of the load then depends on the store. With `isWhole`, the search visits all states;
 * otherwise one state represents all states that differ by exchanges of threads with equal code.
 * Throws the exceptions of steps.
 */
export function searchPostponedLoad(
  code: C11Code,
  cells: C11Cells,
  model: C11Model,
  budget: Budget,
  options: Pick<PostponedLoadOptions, 'isWhole' | 'most'> = {},
): Promise<LoadBufferingFindings> {
  const program = new MonitoredProgram(code, model, { purpose: 'interleavings' });
  return new PostponedLoadSearch(program, cells, { ...options, model }).search(budget);
}
