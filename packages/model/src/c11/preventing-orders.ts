import type { MemoryOrder } from '../program/memory-order.js';
import { findRaceIn, isConsistent } from './consistency.js';
import type { C11Model, ExecutionGraph, GraphEvent } from './execution-graph.js';

/** A stronger memory order for an event, and for all events of the same instruction. */
export interface RaisedOrder {
  /** The index of the event in the execution graph. */
  readonly event: number;
  readonly order: MemoryOrder;
}

/** By kind of event, the memory orders to try, from weak to strong. */
const stronger: Readonly<Record<GraphEvent['kind'], readonly MemoryOrder[]>> = {
  read: ['acquire', 'seq_cst'],
  write: ['release', 'seq_cst'],
  update: ['acquire', 'release', 'acq_rel', 'seq_cst'],
  fence: ['acq_rel', 'seq_cst'],
};

/** Whether the memory order of the event is `wanted` or stronger. */
function has({ order, kind }: GraphEvent, wanted: MemoryOrder): boolean {
  if (order === wanted || order === 'seq_cst') return true;
  return kind === 'update' && order === 'acq_rel' && wanted !== 'seq_cst';
}

/**
 * Returns the weakest memory order that includes both orders: `acq_rel` for an `acquire` and a
 * `release`, otherwise `wanted`.
 */
function joined(order: GraphEvent['order'], wanted: MemoryOrder): MemoryOrder {
  const both = [order, wanted];
  return both.includes('acquire') && both.includes('release') ? 'acq_rel' : wanted;
}

function raise(graph: ExecutionGraph, changes: readonly RaisedOrder[]): ExecutionGraph {
  return {
    ...graph,
    events: graph.events.map((event) => {
      const change = changes.find(({ event: index }) => {
        const { thread, transition } = graph.events[index]!;
        return event.thread === thread && event.transition === transition;
      });
      return change ? { ...event, order: joined(event.order, change.order) } : event;
    }),
  };
}

/** The maximum number of single changes of orders for which pairs of changes are tried. */
const mostSingles = 40;

/**
 * Returns one or two changes of orders that exclude the execution under C11; `undefined` if more
 * changes are needed. Accesses of plain variables keep their orders.
 */
export function preventingOrders(
  graph: ExecutionGraph,
  model: C11Model,
): readonly RaisedOrder[] | undefined {
  return fewChanges(graph, (changed) => !isConsistent(changed, model));
}

/**
 * Returns one or two changes of orders, none to `seq_cst`, with which happens-before orders the two
 * accesses of the execution; `undefined` if more changes are needed. Accesses of plain variables
 * keep their orders.
 */
export function orderingOrders(
  graph: ExecutionGraph,
  accesses: readonly [number, number],
): readonly RaisedOrder[] | undefined {
  const changes = fewChanges(graph, (changed) => findRaceIn(changed, accesses) === undefined);
  return changes?.some(({ order }) => order === 'seq_cst') ? undefined : changes;
}

/**
 * Returns one or two changes of orders after which `isMet` holds of the execution; weaker orders
 * are tried first.
 */
function fewChanges(
  graph: ExecutionGraph,
  isMet: (changed: ExecutionGraph) => boolean,
): readonly RaisedOrder[] | undefined {
  const seen = new Set<string>();
  const singles = graph.events.flatMap((event, index): RaisedOrder[] => {
    const { thread, transition, kind } = event;
    const key = `${thread} ${transition}`;
    if (thread === undefined || event.order === 'plain' || seen.has(key)) return [];
    seen.add(key);
    return stronger[kind]
      .filter((order) => !has(event, order))
      .map((order) => ({ event: index, order: joined(event.order, order) }));
  });
  const suffice = (changes: readonly RaisedOrder[]): boolean => isMet(raise(graph, changes));
  // Orders weaker than `seq_cst` come first.
  const ranked = [
    ...singles.filter(({ order }) => order !== 'seq_cst'),
    ...singles.filter(({ order }) => order === 'seq_cst'),
  ];
  for (const one of ranked) if (suffice([one])) return [one];
  if (ranked.length > mostSingles) return undefined;
  for (const [i, one] of ranked.entries())
    for (const other of ranked.slice(i + 1))
      if (one.event !== other.event && suffice([one, other])) return [one, other];
  return undefined;
}
