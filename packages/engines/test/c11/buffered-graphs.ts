import {
  isConsistentButForThinAir,
  isSequentiallyConsistent,
} from '@fencewright/model/c11/consistency.js';
import type { GraphEvent } from '@fencewright/model/c11/execution-graph.js';
import { isPlainCell, type ProgramSketch, type Sketch } from './sketch.js';

export type Straight = Exclude<Sketch, { readonly kind: 'if' }>;

const acquires = (order: string): boolean => ['acquire', 'acq_rel', 'seq_cst'].includes(order);
const releases = (order: string): boolean => ['release', 'acq_rel', 'seq_cst'].includes(order);

function isRead({ kind }: Straight): boolean {
  return !['store', 'plain-store', 'fence'].includes(kind);
}

export function isWrite({ kind }: Straight): boolean {
  return ['store', 'plain-store', 'xchg', 'fetch_add', 'cas'].includes(kind);
}

export function setsRegister({ kind }: Straight): boolean {
  return ['load', 'plain-load', 'xchg', 'fetch_add', 'cas'].includes(kind);
}

/** The facts about the memory order of one access that a statement makes. */
interface Access {
  readonly acquires: boolean;
  readonly releases: boolean;
  readonly isSeqCst: boolean;
}

/**
 * Returns the accesses of a statement. `outcome` tells whether a `cas` is known to fail or to
 * succeed: a failing `cas` stores nothing, and acquires if either of its orders does.
 */
function accessesOf(one: Straight, outcome: Outcome): readonly Access[] {
  const order = 'cell' in one && isPlainCell(one.cell) ? '' : one.order;
  const whole = {
    acquires: isRead(one) && acquires(order),
    releases: isWrite(one) && releases(order),
    isSeqCst: order === 'seq_cst',
  };
  if (one.kind !== 'cas') return [whole];
  const failed = {
    acquires: acquires(order) || acquires(one.failure),
    releases: false,
    isSeqCst: one.failure === 'seq_cst',
  };
  if (outcome !== undefined) return [outcome === 'fails' ? failed : whole];
  return one.waits ? [whole] : [whole, failed];
}

export type Outcome = 'fails' | 'succeeds' | undefined;

/**
 * Whether hardware keeps the order of two statements of a thread: at place `a`, and later at place
 * `b`. If it is unknown whether a `cas` succeeds, the order has to be kept in both cases.
 */
export function isPreserved(
  thread: readonly Straight[],
  a: number,
  b: number,
  outcomes: { readonly first?: Outcome; readonly second?: Outcome } = {},
): boolean {
  const [first, second] = [thread[a]!, thread[b]!];
  if (first.kind === 'fence' || second.kind === 'fence' || first.kind === 'await') return true;
  if (first.kind === 'cas' && first.waits) return true;
  if (first.cell === second.cell) return true;
  const last = thread.findLastIndex((one, i) => i < b && setsRegister(one));
  // A cas that fails stores nothing.
  const stores = second.kind !== 'cas' || second.waits || outcomes.second === 'succeeds';
  if (stores && 'value' in second && second.value === 'r' && last === a) return true;
  return accessesOf(first, outcomes.first).every((one) =>
    accessesOf(second, outcomes.second).every(
      (other) => one.acquires || other.releases || (one.isSeqCst && other.isSeqCst),
    ),
  );
}

/**
 * Whether hardware may execute the event at a place after the events `own`, which the thread has
 * executed already.
 */
function isInOrder(
  statements: readonly Straight[],
  own: ReadonlyMap<number, GraphEvent>,
  place: number,
  event: GraphEvent,
): boolean {
  const outcomeOf = (one: GraphEvent | undefined): Outcome =>
    one && (one.kind === 'read' ? 'fails' : 'succeeds');
  const now = outcomeOf(event);
  return statements.every((_, other) => {
    const known = own.get(other);
    if (other < place)
      return known !== undefined || !isPreserved(statements, other, place, { second: now });
    if (other === place || !known) return true;
    return !isPreserved(statements, place, other, { first: now, second: outcomeOf(known) });
  });
}

interface Partial {
  /**
   * The events of the graph, in the order in which they were added. Each has its position in its
   * thread.
   */
  readonly events: readonly (GraphEvent & { readonly place: number })[];
  readonly modification: readonly (readonly number[])[];
}

/** Sorts the events by thread and program order. Some statements of a thread may have no event. */
function ordered({ events, modification }: Partial): Partial {
  const order = [...events.keys()].sort((i, j) => {
    const [a, b] = [events[i]!, events[j]!];
    return (a.thread ?? -1) - (b.thread ?? -1) || a.place - b.place;
  });
  const renamed = new Map(order.map((old, i) => [old, i]));
  return {
    events: order.map((i) => {
      const { from, ...event } = events[i]!;
      return from === undefined ? event : { ...event, from: renamed.get(from)! };
    }),
    modification: modification.map((list) => list.map((i) => renamed.get(i)!)),
  };
}

/** Whether the executed statements of each thread form a prefix of the thread. */
function isPrefix({ events }: Partial, threads: readonly unknown[]): boolean {
  return threads.every((_, thread) => {
    const places = events.flatMap((one) => (one.thread === thread ? [one.place] : []));
    return places.every((place) => place < places.length);
  });
}

/**
 * Whether all executions of a program without branches are SC if a thread may execute its
 * statements in any order that keeps preserved program order. Builds every graph that is consistent
 * apart from the rule against out-of-thin-air values. An early event only counts in graphs in which
 * all earlier statements are executed, too: a `cas` that has to succeed may never do so.
 * `undefined` if there are more than `most` graphs.
 */
export function isRobustWithBuffering(
  { cells, threads: sketched }: ProgramSketch,
  most = 30_000,
): boolean | undefined {
  const threads = sketched as readonly (readonly Straight[])[];
  const seen = new Set<string>();
  const work: Partial[] = [];
  let isRobust = true;
  const add = (partial: Partial): void => {
    const next = ordered(partial);
    const key = JSON.stringify(next);
    if (seen.has(key)) return;
    seen.add(key);
    if (!isConsistentButForThinAir(next, 'c11')) return;
    if (isPrefix(next, threads) && !isSequentiallyConsistent(next)) isRobust = false;
    else work.push(next);
  };
  add({
    events: cells.map((_, address) => ({
      ...{ kind: 'write', order: 'relaxed', address, written: 0, place: address },
    })),
    modification: cells.map((_, cell) => [cell]),
  });
  while (work.length > 0 && isRobust) {
    if (seen.size > most) return undefined;
    const now = work.pop()!;
    threads.forEach((statements, thread) => {
      const own = new Map(
        now.events.flatMap((event) => (event.thread === thread ? [[event.place, event]] : [])),
      );
      statements.forEach((one, place) => {
        const waits = (before: number): boolean =>
          before < place && !own.has(before) && isPreserved(statements, before, place);
        if (own.has(place) || statements.some((_, before) => waits(before))) return;
        for (const next of extend(now, thread, one, place, statements, own, cells))
          if (isInOrder(statements, own, place, next.events.at(-1)!)) add(next);
      });
    });
  }
  return isRobust;
}

/**
 * Returns the value of the register before the statement at `place`, as set by the last earlier
 * statement that sets the register; 0 if there is none, or it has not been executed.
 */
export function registerAt(
  statements: readonly Straight[],
  place: number,
  own: ReadonlyMap<number, GraphEvent>,
): number {
  const setter = statements.findLastIndex((one, i) => i < place && setsRegister(one));
  const event = own.get(setter);
  if (!event) return 0;
  const { read, kind } = event;
  if (statements[setter]!.kind !== 'cas') return read!;
  return kind === 'update' ? 1 : 0;
}

function extend(
  now: Partial,
  thread: number,
  one: Straight,
  place: number,
  statements: readonly Straight[],
  own: ReadonlyMap<number, GraphEvent>,
  cells: readonly string[],
): readonly Partial[] {
  const index = now.events.length;
  const add = (given: Omit<GraphEvent, 'thread'>, behind?: number): Partial => ({
    events: [...now.events, { ...given, thread, place }],
    modification:
      behind === undefined
        ? now.modification
        : now.modification.map((list, cell) =>
            cell === given.address ? list.toSpliced(behind + 1, 0, index) : list,
          ),
  });
  if (one.kind === 'fence') return [add({ kind: 'fence', order: one.order })];
  const address = cells.indexOf(one.cell);
  const order = isPlainCell(one.cell) ? ('plain' as const) : one.order;
  const stores = now.modification[address]!;
  const value =
    'value' in one ? (one.value === 'r' ? registerAt(statements, place, own) : one.value) : 0;
  return stores.flatMap((from, behind) => {
    const read = now.events[from]!.written!;
    switch (one.kind) {
      case 'store':
      case 'plain-store':
        return [add({ kind: 'write', order, address, written: value }, behind)];
      case 'load':
      case 'plain-load':
        return [add({ kind: 'read', order, address, read, from })];
      case 'await':
        return read === value ? [add({ kind: 'read', order, address, read, from })] : [];
      case 'xchg':
      case 'fetch_add': {
        const written = one.kind === 'xchg' ? value : read + value;
        return [add({ kind: 'update', order, address, read, written, from }, behind)];
      }
      case 'cas':
        return [
          ...(read === one.expected
            ? [add({ kind: 'update', order, address, read, written: value, from }, behind)]
            : []),
          ...(!one.waits && (read !== one.expected || one.isWeak)
            ? [add({ kind: 'read', order: one.failure, address, read, from })]
            : []),
        ];
    }
  });
}
