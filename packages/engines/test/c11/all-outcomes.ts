import type { EventOrder } from '@fencewright/model/c11/execution-graph.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { isPlainCell, type ProgramSketch, type Sketch } from './sketch.js';

/** An event of a graph. The initial stores have thread -1. */
export interface Event {
  readonly thread: number;
  /**
   * The position of the event's statement among the statements that its thread executes, those of
   * the chosen branches included.
   */
  readonly place: number;
  readonly does: 'R' | 'W' | 'U' | 'F';
  readonly order: EventOrder;
  readonly cell: number;
  readonly read: number;
  readonly wrote: number;
  /** The index of the store that the event reads from; -1 for none. */
  readonly from: number;
}

type Matrix = boolean[][];

const matrix = (n: number, holds: (i: number, j: number) => boolean): Matrix =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => holds(i, j)));

function closed(given: Matrix): Matrix {
  const n = given.length;
  const all = given.map((row) => [...row]);
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++)
      if (all[i]![k]) for (let j = 0; j < n; j++) if (all[k]![j]) all[i]![j] = true;
  return all;
}

const hasLoop = (relation: Matrix): boolean => relation.some((row, i) => row[i]);
const isCyclic = (relation: Matrix): boolean => hasLoop(closed(relation));

const atLeast = (order: EventOrder, ...orders: readonly MemoryOrder[]): boolean =>
  (orders as readonly EventOrder[]).includes(order);

/**
 * The relations between the events of a graph; `stores` has the modification order of each cell.
 */
interface Relations {
  readonly po: Matrix;
  readonly eco1: Matrix;
  readonly rf: Matrix;
}

export function relate(
  events: readonly Event[],
  stores: readonly (readonly number[])[],
): Relations {
  const n = events.length;
  const place = events.map((_, i) => {
    for (const list of stores) if (list.includes(i)) return list.indexOf(i);
    return -1;
  });
  const isLater = (i: number, j: number): boolean =>
    events[i]!.cell === events[j]!.cell && place[i]! >= 0 && place[j]! > place[i]!;
  const po = matrix(n, (i, j) => {
    const [a, b] = [events[i]!, events[j]!];
    return a.thread < 0 ? b.thread >= 0 : a.thread === b.thread && a.place < b.place;
  });
  const rf = matrix(n, (i, j) => events[j]!.from === i);
  const eco1 = matrix(n, (i, j) => {
    const { from } = events[i]!;
    return rf[i]![j]! || isLater(i, j) || (from >= 0 && i !== j && isLater(from, j));
  });
  return { po, rf, eco1 };
}

/** Whether a single order of all events explains the graph, so that the graph is SC. */
export function isOfSC({ po, eco1 }: Relations): boolean {
  return !isCyclic(matrix(po.length, (i, j) => po[i]![j]! || eco1[i]![j]!));
}

/**
 * Returns the release sequence of a store: the store, and the chain of updates that read from it.
 */
function sequenceOf(events: readonly Event[], first: number): number[] {
  const found = [first];
  for (const one of found)
    events.forEach(({ does, from }, i) => {
      if (does === 'U' && from === one) found.push(i);
    });
  return found;
}

/** The pairs of events that synchronise, by the words of [atomics.order] and [atomics.fences]. */
function synchronising(events: readonly Event[], po: Matrix): Matrix {
  const n = events.length;
  const sw = matrix(n, () => false);
  const releases = (i: number): boolean =>
    atLeast(events[i]!.order, 'release', 'acq_rel', 'seq_cst');
  const acquires = (i: number): boolean =>
    atLeast(events[i]!.order, 'acquire', 'acq_rel', 'seq_cst');
  const is = (i: number, kinds: string): boolean => kinds.includes(events[i]!.does);
  for (let store = 0; store < n; store++) {
    if (!is(store, 'WU') || events[store]!.order === 'plain') continue;
    const heads = events.flatMap((_, i) =>
      releases(i) && ((i === store && is(i, 'WU')) || (is(i, 'F') && po[i]![store])) ? [i] : [],
    );
    for (const member of sequenceOf(events, store))
      for (let read = 0; read < n; read++) {
        if (events[read]!.from !== member || events[read]!.order === 'plain') continue;
        const tails = events.flatMap((_, i) =>
          acquires(i) && ((i === read && is(i, 'RU')) || (is(i, 'F') && po[read]![i])) ? [i] : [],
        );
        for (const head of heads) for (const tail of tails) sw[head]![tail] = true;
      }
  }
  return sw;
}

/**
 * Whether a total order of all `seq_cst` operations exists, by [atomics.order] paragraphs 4 and 5.
 */
function hasTotalOrder(
  events: readonly Event[],
  { po, hb, sw, eco }: Readonly<Record<'po' | 'hb' | 'sw' | 'eco', Matrix>>,
): boolean {
  if (events.every(({ order }) => order !== 'seq_cst')) return true;
  const n = events.length;
  const isSc = (i: number): boolean => events[i]!.order === 'seq_cst';
  const isFence = (i: number): boolean => events[i]!.does === 'F';
  const isAccess = (i: number): boolean => isSc(i) && !isFence(i);
  const strongly = closed(
    matrix(n, (i, j) => {
      if (po[i]![j] || (isAccess(i) && isAccess(j) && sw[i]![j])) return true;
      // An event also strongly happens before another if a path leads from it by sequenced-before,
      // then happens-before, then sequenced-before.
      for (let k = 0; k < n; k++)
        if (po[i]![k]) for (let l = 0; l < n; l++) if (hb[k]![l] && po[l]![j]) return true;
      return false;
    }),
  );
  const before = matrix(n, (i, j) => {
    if (!isSc(i) || !isSc(j)) return false;
    if (strongly[i]![j] || (isFence(i) && isFence(j) && hb[i]![j])) return true;
    for (let a = 0; a < n; a++) {
      if (!(isFence(i) ? hb[i]![a] : a === i)) continue;
      for (let b = 0; b < n; b++) if (eco[a]![b] && (isFence(j) ? hb[b]![j] : b === j)) return true;
    }
    return false;
  });
  return !isCyclic(before);
}

/** Returns the happens-before relation of an execution graph. */
export function happensBefore(
  events: readonly Event[],
  stores: readonly (readonly number[])[],
): Matrix {
  const { po } = relate(events, stores);
  const sw = synchronising(events, po);
  return closed(matrix(events.length, (i, j) => po[i]![j]! || sw[i]![j]!));
}

/** Whether C11 allows the graph, apart from its rule against out-of-thin-air values. */
export function isAllowed(
  events: readonly Event[],
  stores: readonly (readonly number[])[],
): boolean {
  const { po, eco1 } = relate(events, stores);
  const n = events.length;
  for (const list of stores)
    for (const [i, one] of list.entries())
      if (events[one]!.does === 'U' && events[one]!.from !== list[i - 1]) return false;
  const sw = synchronising(events, po);
  const hb = closed(matrix(n, (i, j) => po[i]![j]! || sw[i]![j]!));
  if (hasLoop(hb)) return false;
  const eco = closed(eco1);
  if (hasLoop(eco)) return false;
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) if (hb[i]![j] && eco[j]![i]) return false;
  return hasTotalOrder(events, { po, hb, sw, eco });
}

/** The effects of the executions of a program. */
export interface Outcomes {
  /**
   * The final states of the executions: memory, the registers of threads that have ended, and the
   * locations of threads that wait for ever.
   */
  readonly finals: ReadonlySet<string>;
  /** The values of the registers at the ends of the threads, each as `thread value`. */
  readonly registers: ReadonlySet<string>;
}

export interface AllOutcomes {
  readonly c11: Outcomes;
  readonly sc: Outcomes;
}

interface Open {
  readonly events: readonly Event[];
  readonly stores: readonly (readonly number[])[];
  readonly threads: readonly { readonly rest: readonly Sketch[]; readonly r: number }[];
}

/**
 * A possible effect of a statement: its event, the value of the register afterwards, and the store
 * directly before its own store in modification order (`behind`).
 */
interface Choice {
  readonly event: Omit<Event, 'thread' | 'place'>;
  readonly r: number;
  readonly behind?: number;
}

/**
 * Returns the possible effects of a statement, given the stores of its cell in modification order.
 */
export function choices(
  statement: Exclude<Sketch, { readonly kind: 'if' }>,
  cell: number,
  r: number,
  written: readonly { readonly store: number; readonly value: number }[],
): readonly Choice[] {
  if (statement.kind === 'fence') {
    const event = {
      does: 'F',
      order: statement.order,
      cell: -1,
      read: 0,
      wrote: 0,
      from: -1,
    } as const;
    return [{ event, r }];
  }
  const order: EventOrder = isPlainCell(statement.cell) ? 'plain' : statement.order;
  const own = 'value' in statement ? (statement.value === 'r' ? r : statement.value) : 0;
  return written.flatMap(({ store, value }, behind): readonly Choice[] => {
    const read = { does: 'R', order, cell, read: value, wrote: 0, from: store } as const;
    const update = (wrote: number): Omit<Event, 'thread' | 'place'> => ({
      ...read,
      does: 'U',
      wrote,
    });
    switch (statement.kind) {
      case 'store':
      case 'plain-store':
        return [{ event: { ...read, does: 'W', read: 0, wrote: own, from: -1 }, r, behind }];
      case 'load':
      case 'plain-load':
        return [{ event: read, r: value }];
      case 'await':
        return value === own ? [{ event: read, r }] : [];
      case 'xchg':
        return [{ event: update(own), r: value, behind }];
      case 'fetch_add':
        return [{ event: update(value + own), r: value, behind }];
      case 'cas':
        return [
          ...(value === statement.expected
            ? [{ event: update(own), r: statement.waits ? r : 1, behind }]
            : []),
          ...(!statement.waits && (value !== statement.expected || statement.isWeak)
            ? [{ event: { ...read, order: statement.failure }, r: 0 }]
            : []),
        ];
    }
  });
}

function keyOf({ events, stores, threads }: Open): string {
  const name = (i: number): string =>
    i < 0 ? '-' : `${events[i]!.thread}.${events[i]!.place}.${events[i]!.cell}`;
  const list = events.map((e, i) => `${name(i)}${e.does}${name(e.from)}${e.wrote}`).sort();
  return `${list.join()}|${stores.map((l) => l.map(name).join()).join(';')}|${JSON.stringify(threads)}`;
}

/**
 * Returns the outcomes of all execution graphs of a program without loops, with program order and
 * reads-from acyclic; `undefined` if there are more than `most` graphs.
 */
export function allOutcomes(sketch: ProgramSketch, most: number): AllOutcomes | undefined {
  const { cells } = sketch;
  const found = [0, 1].map(() => ({ finals: new Set<string>(), registers: new Set<string>() }));
  const seen = new Set<string>();
  const work: Open[] = [];
  const add = (next: Open): void => {
    const key = keyOf(next);
    if (seen.has(key)) return;
    seen.add(key);
    if (isAllowed(next.events, next.stores)) work.push(next);
  };
  add({
    events: cells.map((_, cell) => ({
      ...{ thread: -1, place: 0, does: 'W', order: 'relaxed', cell, read: 0, wrote: 0, from: -1 },
    })),
    stores: cells.map((_, cell) => [cell]),
    threads: sketch.threads.map((rest) => ({ rest, r: 0 })),
  });
  while (work.length > 0) {
    if (seen.size > most) return undefined;
    const now = work.pop()!;
    const { events, stores, threads } = now;
    const models = isOfSC(relate(events, stores)) ? found : found.slice(0, 1);
    for (const { finals, registers } of models) {
      threads.forEach(({ rest, r }, t) => {
        if (rest.length === 0) registers.add(`${t} ${r}`);
      });
      const last = (cell: number): number => events[stores[cell]!.at(-1)!]!.wrote;
      const isStuck = ([first]: readonly Sketch[]): boolean =>
        !first ||
        (first.kind === 'await' && first.value !== last(cells.indexOf(first.cell))) ||
        (first.kind === 'cas' && first.waits && first.expected !== last(cells.indexOf(first.cell)));
      if (threads.every(({ rest }) => isStuck(rest)))
        finals.add(
          [
            ...cells.map((_, cell) => last(cell)),
            ...threads.map(({ rest, r }) => (rest.length === 0 ? `r${r}` : rest.length)),
          ].join(),
        );
    }
    threads.forEach(({ rest: [first, ...rest], r }, thread) => {
      if (!first) return;
      if (first.kind === 'if') {
        const left = r === first.equals ? [...first.then, ...rest] : rest;
        add({ ...now, threads: threads.with(thread, { rest: left, r }) });
        return;
      }
      const cell = first.kind === 'fence' ? -1 : cells.indexOf(first.cell);
      const written = (stores[cell] ?? []).map((store) => ({ store, value: events[store]!.wrote }));
      const place = events.filter((one) => one.thread === thread).length;
      for (const { event, r: after, behind } of choices(first, cell, r, written))
        add({
          events: [...events, { ...event, thread, place }],
          stores:
            behind === undefined
              ? stores
              : stores.with(cell, stores[cell]!.toSpliced(behind + 1, 0, events.length)),
          threads: threads.with(thread, { rest, r: after }),
        });
    });
  }
  return { c11: found[0]!, sc: found[1]! };
}
