import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { C11Code, C11Step } from './c11-steps.js';
import type { C11Cells } from './cells.js';
import type { LoadBuffering } from './postponed-load.js';
import type { PostponedEvent } from './postponed-state.js';
import {
  isConsistent,
  isConsistentButForThinAir,
  isSequentiallyConsistent,
} from '@fencewright/model/c11/consistency.js';
import type {
  C11Model,
  ExecutionGraph,
  GraphEvent,
} from '@fencewright/model/c11/execution-graph.js';
import type { MonitoredProgram, MonitorEvent, StaleStep } from './monitor-steps.js';
import { effectsOf } from './step-effects.js';

/**
 * A store of a graph under construction (a `Draft`) that is executed after a postponed load: its
 * cell, and the index of its event.
 */
interface LateStore {
  readonly cell: number | undefined;
  readonly index: number;
}

/** A graph of an execution under construction: events are added one by one. */
export interface Draft {
  readonly events: GraphEvent[];
  /**
   * For each cell, its modification order, as indices of events; indexed by position among all
   * cells.
   */
  readonly modification: number[][];
}

function eventOf(cells: C11Cells, event: MonitorEvent, from?: number): GraphEvent {
  const { thread, step, kind, order, cell, read, written } = event;
  return {
    ...{ kind, thread, transition: step.code.id, order },
    ...(cell !== undefined && { address: at(cells.addresses, cell) }),
    ...(read !== undefined && { read }),
    ...(written !== undefined && { written }),
    ...(from !== undefined && { from }),
  };
}

/**
 * Returns an execution graph in which a postponed load reads from a store that follows a later
 * store of the load's own thread. The definitions of C11 allow the graph, except for the rule
 * against values out of thin air. Throws `InternalError` if the definitions forbid the graph.
 */
export function loadBufferingGraph(
  code: C11Code,
  cells: C11Cells,
  model: C11Model,
  { thread, step, cell, registers, run }: LoadBuffering,
): { readonly graph: ExecutionGraph; readonly event: number } {
  const place = run.indexOf('postponed');
  const executed = run.filter((event) => event !== 'postponed');
  const { draft, late } = draftOfPostponed(cells, executed);
  const store = draft.events.length - 1;
  const value = draft.events[store]!.written!;
  const written = writtenBy(code, step, registers, value, 'update');
  const order = step.kind === 'rmw' && written === undefined ? step.failureOrder : step.order;
  const load: GraphEvent = {
    ...{ kind: written === undefined ? 'read' : 'update', thread, transition: step.code.id },
    ...{
      order: at(cells.isPlain, cell) ? 'plain' : order,
      address: at(cells.addresses, cell),
      read: value,
    },
    ...(written !== undefined && { written }),
  };
  const position = cells.addresses.length + place;
  const shift = (index: number): number => (index < position ? index : index + 1);
  const whole: Draft = {
    events: draft.events
      .map(({ from, ...event }): GraphEvent =>
        from === undefined ? event : { ...event, from: shift(from) },
      )
      .toSpliced(position, 0, { ...load, from: shift(store) }),
    modification: draft.modification.map((stores, one) => [
      ...stores.map(shift),
      ...(one === cell && written !== undefined ? [position] : []),
      ...late.filter((event) => event.cell === one).map(({ index }) => shift(index)),
    ]),
  };
  const needed = new Set([...neededFor(draft, [store])].map(shift)).add(position);
  for (const kept of [needed, new Set(whole.events.keys())]) {
    const { graph, renamed } = restrict(whole, kept);
    if (isConsistentButForThinAir(graph, model) && !isSequentiallyConsistent(graph))
      return { graph, event: renamed.get(position)! };
  }
  throw new InternalError('C11 does not allow the load buffering that the search found');
}

/**
 * Returns the value stored by the step after reading the value; `undefined` if the step does not
 * store.
 */
function writtenBy(
  code: C11Code,
  step: C11Step,
  registers: readonly number[],
  value: number,
  kind: 'write' | 'update',
): number | undefined {
  const effects = effectsOf(code, step, registers, value);
  return effects.find((effect) => effect.kind === kind)?.written;
}

/** Returns the graph of an SC execution, without cells that the execution does not access. */
export function graphOf(cells: C11Cells, run: readonly MonitorEvent[]): ExecutionGraph {
  const draft = draftOf(cells, run);
  return restrict(draft, new Set(draft.events.keys())).graph;
}

/** Returns a graph with the initial stores alone. */
export function initialDraft({ addresses, initial }: C11Cells): Draft {
  return {
    events: addresses.map((address, cell) => ({
      ...{ kind: 'write', order: 'relaxed', address, written: at(initial, cell) },
    })),
    modification: addresses.map((_, cell) => [cell]),
  };
}

/** Adds an SC event to the graph, at the end of modification order. */
export function addEvent(
  cells: C11Cells,
  { events, modification }: Draft,
  event: MonitorEvent,
): void {
  const order = event.cell === undefined ? undefined : modification[event.cell]!;
  const from = event.read === undefined ? undefined : order?.at(-1);
  const index = events.push(eventOf(cells, event, from)) - 1;
  if (event.written !== undefined) order?.push(index);
}

function draftOf(cells: C11Cells, run: readonly MonitorEvent[]): Draft {
  const draft = initialDraft(cells);
  for (const event of run) addEvent(cells, draft, event);
  return draft;
}

/**
 * Returns the graph of an execution up to the store that the postponed load reads. Also returns the
 * stores that wait for the load, which have no place in modification order yet.
 */
function draftOfPostponed(
  cells: C11Cells,
  run: readonly PostponedEvent[],
): { readonly draft: Draft; readonly late: readonly LateStore[] } {
  const draft = initialDraft(cells);
  const late: LateStore[] = [];
  for (const event of run) {
    const { cell, kind, isLate } = event;
    if (!isLate) addEvent(cells, draft, event);
    else if (kind === 'read') {
      const from = late.findLast((store) => store.cell === cell)!.index;
      draft.events.push(eventOf(cells, event, from));
    } else late.push({ cell, index: draft.events.push(eventOf(cells, event)) - 1 });
  }
  return { draft, late };
}

/**
 * Returns the events `wanted` and all events before a wanted event in every interleaving. Of the
 * initial stores, only stores to cells accessed by these events are included.
 */
export function neededFor({ events, modification }: Draft, wanted: readonly number[]): Set<number> {
  const needed = new Set<number>();
  const work = [...wanted];
  while (work.length > 0) {
    const index = work.pop()!;
    if (needed.has(index)) continue;
    needed.add(index);
    const { thread, from, address } = events[index]!;
    const before = events.findLastIndex((one, i) => i < index && one.thread === thread);
    if (thread !== undefined && before >= 0) work.push(before);
    if (from !== undefined) work.push(from);
    const order = modification.find((stores) => stores.includes(index));
    if (order) {
      const place = order.indexOf(index);
      work.push(...order.slice(0, place));
      events.forEach((one, i) => {
        if (one.from !== undefined && i !== index && order.indexOf(one.from) < place)
          if (one.address === address && order.includes(one.from)) work.push(i);
      });
    }
  }
  return needed;
}

/** Returns the graph restricted to the given events and the initial stores of their cells. */
export function restrict(
  { events, modification }: Draft,
  kept: ReadonlySet<number>,
): { readonly graph: ExecutionGraph; readonly renamed: ReadonlyMap<number, number> } {
  const accessed = new Set(
    [...kept].flatMap((i) => (events[i]!.thread === undefined ? [] : [events[i]!.address])),
  );
  const list = [...events.keys()].filter((i) =>
    events[i]!.thread === undefined ? accessed.has(events[i]!.address) : kept.has(i),
  );
  const renamed = new Map(list.map((old, i) => [old, i]));
  const graph = {
    events: list.map((i) => {
      const { from, ...event } = events[i]!;
      return from === undefined ? event : { ...event, from: renamed.get(from)! };
    }),
    modification: modification
      .map((order) => order.filter((i) => renamed.has(i)).map((i) => renamed.get(i)!))
      .filter((order) => order.length > 0),
  };
  return { graph, renamed };
}

/**
 * Returns the graph with one more event of the step. The event reads the store at index `place` in
 * the modification order of its cell, unless the step only stores; its own store, if any, comes
 * directly after that store.
 */
export function withStaleEvent(
  program: MonitoredProgram,
  { events, modification }: Draft,
  { thread, step, cell, kind, order, registers }: StaleStep,
  place: number,
): Draft {
  const stores = at(modification, cell);
  const store = at(stores, place);
  const value = events[store]!.written!;
  const index = events.length;
  const written =
    kind === 'read' ? undefined : writtenBy(program.code, step, registers, value, kind);
  const event: GraphEvent = {
    ...{ kind, thread, transition: step.code.id, order },
    address: at(program.cells.addresses, cell),
    ...(kind !== 'write' && { read: value, from: store }),
    ...(written !== undefined && { written }),
  };
  return {
    events: [...events, event],
    modification:
      kind === 'read'
        ? modification
        : modification.with(cell, stores.toSpliced(place + 1, 0, index)),
  };
}

/**
 * Returns an execution graph in which an access, after the SC execution, reads an old store or
 * stores directly after an old store in modification order. By the definitions, C11 allows the
 * graph and SC does not. Throws `InternalError` if no such graph is found.
 */
export function violationGraph(
  program: MonitoredProgram,
  model: C11Model,
  run: readonly MonitorEvent[],
  stale: StaleStep,
): { readonly graph: ExecutionGraph; readonly event: number } {
  const draft = draftOf(program.cells, run);
  const stores = at(draft.modification, stale.cell);
  const watched = at(program.cells.watchedAt, stale.cell);
  const isMeant = (value: number): boolean =>
    stale.values.some(
      (one) => program.classes.bit(watched, one) === program.classes.bit(watched, value),
    );
  const last = draft.events.findLastIndex(({ thread }) => thread === stale.thread);
  for (const whole of [false, true])
    for (let place = stores.length - 2; place >= 0; place--) {
      const store = at(stores, place);
      if (!isMeant(draft.events[store]!.written!)) continue;
      const extended = withStaleEvent(program, draft, stale, place);
      const kept = whole
        ? new Set(extended.events.keys())
        : neededFor(draft, [...(last < 0 ? [] : [last]), store]).add(extended.events.length - 1);
      const { graph } = restrict(extended, kept);
      if (isConsistent(graph, model) && !isSequentiallyConsistent(graph))
        return { graph, event: graph.events.length - 1 };
    }
  throw new InternalError('C11 does not allow the execution that the monitor found');
}
