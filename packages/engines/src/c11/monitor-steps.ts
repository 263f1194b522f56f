import { forwardedCells } from './forwarded-cells.js';
import { at } from '@fencewright/ground/base/at.js';
import type { C11Model, EventOrder } from '@fencewright/model/c11/execution-graph.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { isWord } from '@fencewright/model/program/wide-values.js';
import { type C11Cells, findCells } from './cells.js';
import {
  type C11Code,
  type C11Step,
  addressOfStep,
  type ThreadPoint,
  targetsOf,
} from './c11-steps.js';
import { computeFutures, type Future, isAcquiring, isReleasing } from './futures.js';
import {
  monitorAccess,
  type MonitoredAccess,
  monitorFence,
  staleClasses,
} from './monitor-access.js';
import { layOutMonitor, type MonitorLayout } from './monitor-layout.js';
import { noteRacingAccess, noteRacingFence, racingThread } from './monitor-races.js';
import { type NormalForm, normalise } from './normal-form.js';
import { settleThread } from './settle.js';
import { effectsOf, isConditional, type StepEffect } from './step-effects.js';
import { CellValueClasses } from './value-classes.js';

/** A step of an SC execution. */
export interface MonitorEvent {
  readonly thread: ThreadId;
  readonly step: C11Step;
  readonly kind: 'read' | 'write' | 'update' | 'fence';
  readonly order: EventOrder;
  /** The position of the accessed cell in `C11Cells.addresses`; absent for fences. */
  readonly cell?: number;
  readonly read?: number;
  readonly written?: number;
}

/**
 * An access that C11 lets read an old store (a store already overwritten), or be placed directly
 * after one in modification order, after an SC execution.
 */
export interface StaleStep {
  readonly thread: ThreadId;
  readonly step: C11Step;
  readonly cell: number;
  readonly kind: 'read' | 'write' | 'update';
  readonly order: EventOrder;
  /** The registers of the accessing thread before the access. */
  readonly registers: readonly number[];
  /**
   * One value of each class of old stores that the access may read, or be placed after in
   * modification order.
   */
  readonly values: readonly number[];
}

/** A data race of an SC execution: the access, and a thread with a conflicting access before. */
export interface RacingStep {
  readonly event: MonitorEvent;
  readonly other: ThreadId;
}

/** The functions that receive the steps from a state. */
interface MonitorVisitor {
  readonly onState: (state: Int32Array, event: MonitorEvent) => void;
  readonly onStale: (stale: StaleStep) => void;
  readonly onRace: (race: RacingStep) => void;
  /**
   * Receives a failing assertion, and the event right before the failure; no event for a failure at
   * the start.
   */
  readonly onFailure: (thread: ThreadId, assertion: TransitionId, event?: MonitorEvent) => void;
}

/**
 * Thrown if an execution accesses an address that the analysis of addresses does not know, or a
 * plain variable by a read-modify-write.
 */
export class UnknownCell extends Error {
  override readonly name = 'UnknownCell';

  /**
   * `isPlain`: whether the cell belongs to a plain variable, and a read-modify-write accesses it.
   */
  constructor(readonly isPlain = false) {
    super();
  }
}

/** Thrown if an execution computes a value that does not fit into 32 bits. */
export class WideValue extends Error {
  override readonly name = 'WideValue';
}

/** The normal form of states that searches use; only tests switch parts of the normal form off. */
const wholeForm: NormalForm = { dropsUntakeable: true, forgets: true };

/**
 * The purpose of recording what threads know about stores. `robustness`: to find accesses that C11
 * lets read old stores, or be placed after them, though no interleaving does. `observation`: also
 * to follow executions after loads of such stores. `interleavings`: only the interleavings are
 * followed, and no knowledge is recorded.
 */
export type MonitorPurpose = 'robustness' | 'observation' | 'interleavings';

interface MonitorOptions {
  readonly purpose?: MonitorPurpose;
  readonly form?: NormalForm;
  /**
   * The read-modify-writes that hardware may execute later than in the interleaving: another store
   * may still be placed directly after the store read by the read-modify-write.
   */
  readonly late?: ReadonlySet<C11Step>;
  /** Whether stores are forwarded to `seq_cst` loads of their thread: see `forwardedCells`. */
  readonly forwards?: boolean;
}

function unwatched(cells: C11Cells): C11Cells {
  return { ...cells, watched: [], watchedAt: cells.addresses.map(() => -1) };
}

/**
 * The states of a program with the knowledge of threads about stores, and the steps between the
 * states.
 */
export class MonitoredProgram {
  readonly code: C11Code;
  readonly cells: C11Cells;
  readonly layout: MonitorLayout;
  readonly classes: CellValueClasses;
  readonly #futures: readonly (readonly Future[])[];
  readonly #form: NormalForm;
  readonly #late: ReadonlySet<C11Step>;

  constructor(code: C11Code, model: C11Model, options: MonitorOptions = {}) {
    const { purpose = 'robustness', form = wholeForm, late = new Set(), forwards } = options;
    const observes = purpose === 'observation';
    const cells = findCells(code);
    this.code = code;
    this.cells = purpose === 'interleavings' ? unwatched(cells) : cells;
    const forwarded = forwards
      ? forwardedCells(code, cells)
      : code.steps.map(() => new Set<number>());
    this.layout = layOutMonitor(code, this.cells, model, { observes, forwarded });
    this.classes = new CellValueClasses(code, this.cells, observes);
    this.#futures = computeFutures(code, this.cells);
    this.#form = form;
    this.#late = late;
    this.cells.watched.forEach((cell, watched) => {
      this.classes.bit(watched, at(this.cells.initial, cell));
    });
  }

  /** Calls `visit` for each initial state; throws `ExecutionFault`. */
  initial(visit: (state: Int32Array) => void, onFailure: MonitorVisitor['onFailure']): void {
    const { layout, cells, code } = this;
    const state = new Int32Array(layout.length);
    state.set(cells.initial, layout.memory);
    if (!cells.initial.every(isWord)) throw new WideValue();
    for (const view of layout.views) state.fill(-1, view, view + layout.view);
    if (layout.races) state.fill(-1, layout.races.start, layout.races.end);
    for (let thread = 0; thread < layout.threads; thread++) {
      state[layout.knows + thread] = -1 >>> (32 - layout.cells) || 0;
      if (layout.cells === 0) state[layout.knows + thread] = 0;
      for (const views of [layout.current, layout.acquired]) {
        const view = views[thread]![0]!;
        state.fill(0, view, view + layout.view);
      }
      if (layout.races)
        for (const sets of [layout.races.current, layout.races.acquired])
          state.fill(0, sets[thread], sets[thread]! + layout.races.length);
    }
    for (let cell = 0; cell < layout.cells; cell++) {
      state[layout.storeKnows + cell] = 1 << cell;
      state[layout.readersKnow + cell] = 1 << cell;
    }
    let states: Int32Array[] = [state];
    code.program.threads.forEach(({ initial, registers }, thread) => {
      const settled = settleThread(
        code,
        thread,
        initial,
        registers.map(() => 0),
      );
      for (const id of settled.failed) onFailure(thread, id);
      states = states.flatMap((one) => this.#placed(one, thread, settled.states));
    });
    for (const one of states) {
      normalise(one, layout, this.#futures, this.#form);
      visit(one);
    }
  }

  /**
   * Returns one state for each of `places`, with the thread at this place (location and registers).
   * Without any place, returns one state in which the thread is stuck.
   */
  #placed(state: Int32Array, thread: ThreadId, places: readonly ThreadPoint[]): Int32Array[] {
    const { location, registers } = this.layout;
    const offset = registers[thread]!;
    const count = this.code.program.threads[thread]!.registers.length;
    if (places.length === 0) {
      const stuck = state.slice();
      stuck[location[thread]!] = -1;
      stuck.fill(0, offset, offset + count);
      return [stuck];
    }
    return places.map((place) => {
      const placed = state.slice();
      placed[location[thread]!] = place.location;
      placed.set(place.registers, offset);
      if (place.registers.some((value, i) => placed[offset + i] !== value)) throw new WideValue();
      return placed;
    });
  }

  /**
   * Returns, for each of `places`, the state with the thread at this place (location and
   * registers), in normal form.
   */
  settledAt(state: Int32Array, thread: ThreadId, places: readonly ThreadPoint[]): Int32Array[] {
    const states = this.#placed(state, thread, places);
    for (const one of states) normalise(one, this.layout, this.#futures, this.#form);
    return states;
  }

  /** Returns the place of a thread (location and registers); `undefined` if the thread is stuck. */
  placeOf(state: Int32Array, thread: ThreadId): ThreadPoint | undefined {
    const location = state[this.layout.location[thread]!]!;
    if (location < 0) return undefined;
    const offset = this.layout.registers[thread]!;
    const count = this.code.program.threads[thread]!.registers.length;
    return { location, registers: [...state.subarray(offset, offset + count)] };
  }

  /** Visits the steps from a state. Throws `ExecutionFault`, `UnknownCell`, `TooManyValues`. */
  visitSteps(state: Int32Array, visitor: MonitorVisitor): void {
    for (let thread = 0; thread < this.layout.threads; thread++) {
      const place = this.placeOf(state, thread);
      if (!place) continue;
      for (const step of at(at(this.code.steps, thread), place.location))
        this.#visitStep(state, thread, step, place.registers, visitor);
    }
  }

  #visitStep(
    state: Int32Array,
    thread: ThreadId,
    step: C11Step,
    registers: readonly number[],
    visitor: MonitorVisitor,
  ): void {
    const { layout, cells, code } = this;
    if (step.kind === 'fence') {
      const event = { thread, step, kind: 'fence', order: step.order } as const;
      this.#execute(state, event, { registers, targets: targetsOf(step, registers) }, visitor);
      return;
    }
    const address = addressOfStep(step, registers);
    const cell = cells.indexOf.get(address);
    if (cell === undefined) throw new UnknownCell();
    const isPlain = at(cells.isPlain, cell);
    if (isPlain && step.kind === 'rmw') throw new UnknownCell(true);
    const order = isPlain ? 'plain' : step.order;
    const failing = isPlain ? 'plain' : step.failureOrder;
    const old = state[layout.memory + cell]!;
    const watched = at(cells.watchedAt, cell);
    const effects = effectsOf(code, step, registers, old);
    if (watched >= 0)
      this.findStale(state, { thread, step, cell, order, registers }, failing, visitor.onStale);
    if (effects.length === 0) {
      if (order === 'plain')
        this.#findRaceOfWait(
          state,
          { thread, step, kind: 'read', order, cell, read: old },
          visitor,
        );
      return;
    }
    for (const effect of effects) {
      const event: MonitorEvent = {
        ...{ thread, step, cell, kind: effect.kind },
        order: effect.kind === 'read' && step.kind === 'rmw' ? failing : order,
        ...(effect.kind !== 'write' && { read: old }),
        ...(effect.written !== undefined && { written: effect.written }),
      };
      this.#execute(state, event, effect, visitor);
    }
  }

  /**
   * Returns the state after an event of SC, in which memory and the knowledge of threads are
   * already changed. The thread of the event still has the location and registers from before the
   * event.
   */
  behind(
    state: Int32Array,
    event: MonitorEvent,
    onRace: MonitorVisitor['onRace'] = () => undefined,
  ): Int32Array {
    const { layout } = this;
    const { thread, step, kind, order, cell, written } = event;
    const next = state.slice();
    if (kind === 'fence') {
      monitorFence(next, layout, thread, order);
      const effects = { acquires: isAcquiring(order), releases: isReleasing(order) };
      noteRacingFence(next, layout, thread, effects);
      return next;
    }
    const watched = at(this.cells.watchedAt, cell!);
    if (watched >= 0) {
      const old = this.classes.bit(watched, state[layout.memory + cell!]!);
      const leavesPlace = kind === 'write' || (kind === 'update' && this.#late.has(step));
      const access: MonitoredAccess = { thread, cell: watched, kind, order, old, leavesPlace };
      const other = racingThread(state, layout, access);
      if (other !== undefined) onRace({ event, other });
      noteRacingAccess(next, layout, access);
      monitorAccess(next, layout, access);
    }
    if (written !== undefined) {
      next[layout.memory + cell!] = written;
      if (next[layout.memory + cell!] !== written) throw new WideValue();
    }
    return next;
  }

  /**
   * Visits the states after a load, or a failing read-modify-write, that reads an old value. The
   * knowledge of threads is left as it was, since the access is not recorded.
   */
  skip(
    state: Int32Array,
    { thread, step, registers }: StaleStep,
    value: number,
    onState: (state: Int32Array) => void,
    onFailure: MonitorVisitor['onFailure'],
  ): void {
    for (const effect of effectsOf(this.code, step, registers, value))
      if (effect.kind === 'read') this.#settle(state, thread, effect, onState, onFailure);
  }

  /**
   * Reports the old stores that an access of a watched cell could read, or be placed after in
   * modification order.
   */
  findStale(
    state: Int32Array,
    access: Omit<StaleStep, 'kind' | 'values'>,
    failureOrder: EventOrder,
    onStale: MonitorVisitor['onStale'],
  ): void {
    const { thread, step, cell, order, registers } = access;
    const watched = at(this.cells.watchedAt, cell);
    const take = (
      kind: StaleStep['kind'],
      by: EventOrder,
      isTaken: (value: number) => boolean = () => true,
    ): void => {
      const which = kind === 'read' ? 'all' : 'unread';
      const set = staleClasses(state, this.layout, { thread, cell: watched, order: by }, which);
      const taken = this.classes.samples(watched, set).filter(isTaken);
      if (taken.length > 0) onStale({ ...access, kind, order: by, values: taken });
    };
    const may =
      (kind: StaleStep['kind']) =>
      (value: number): boolean =>
        effectsOf(this.code, step, registers, value).some((effect) => effect.kind === kind);
    if (step.kind === 'load') take('read', order, may('read'));
    else if (step.kind === 'store') take('write', order);
    else if (!isConditional(step)) take('update', order);
    else {
      take('update', order, may('update'));
      take('read', failureOrder, may('read'));
    }
  }

  /**
   * Reports a data race of a plain load that is repeated until the cell has another value: each
   * repetition reads the cell.
   */
  #findRaceOfWait(state: Int32Array, event: MonitorEvent, { onRace }: MonitorVisitor): void {
    const { thread, order } = event;
    const cell = at(this.cells.watchedAt, event.cell!);
    if (cell < 0) return;
    const other = racingThread(state, this.layout, { thread, cell, kind: 'read', order });
    if (other !== undefined) onRace({ event, other });
  }

  /** Calls the visitor with the states after an event of SC. */
  #execute(
    state: Int32Array,
    event: MonitorEvent,
    effect: Pick<StepEffect, 'registers' | 'targets'>,
    { onState, onRace, onFailure }: MonitorVisitor,
  ): void {
    const next = this.behind(state, event, onRace);
    const visit = (placed: Int32Array): void => {
      onState(placed, event);
    };
    const fail: MonitorVisitor['onFailure'] = (thread, assertion) => {
      onFailure(thread, assertion, event);
    };
    this.#settle(next, event.thread, effect, visit, fail);
  }

  /**
   * Calls the visitor with the states after the thread's local instructions, right before the
   * thread's next steps.
   */
  #settle(
    next: Int32Array,
    thread: ThreadId,
    { registers, targets }: Pick<StepEffect, 'registers' | 'targets'>,
    visit: (state: Int32Array) => void,
    onFailure: MonitorVisitor['onFailure'],
  ): void {
    const places = targets.flatMap((target) => {
      const { states, failed } = settleThread(this.code, thread, target, registers);
      for (const id of failed) onFailure(thread, id);
      return states;
    });
    for (const placed of this.settledAt(next, thread, places)) visit(placed);
  }
}
