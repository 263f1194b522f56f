import { isConsistentButForThinAir, relationsOf } from './consistency.js';
import type { C11Model, ExecutionGraph } from './execution-graph.js';

/** A store that belongs to a release sequence in C11 and up to C++17, and not in C++20. */
export interface EndedSequence {
  /** The index in `ExecutionGraph.events` of the first store of the release sequence. */
  readonly head: number;
  /**
   * The index in `ExecutionGraph.events` of a later store of the same thread, from which an event
   * reads.
   */
  readonly store: number;
}

/**
 * Returns a store from which an event reads, and which belongs to a release sequence only in older
 * standards (up to C++17); `undefined` if there is none. A sequence whose head is a releasing store
 * is preferred; the head may also be a store after a releasing fence.
 */
function findEnded({ events, modification }: ExecutionGraph): EndedSequence | undefined {
  const found = modification.flatMap((order) =>
    order.flatMap((store, place): EndedSequence[] => {
      const { kind, thread } = events[store]!;
      const isRead = events.some(({ from }) => from === store);
      if (kind !== 'write' || thread === undefined || !isRead) return [];
      const before = order.slice(0, place);
      const end = before.findLastIndex(
        (one) => events[one]!.kind !== 'update' && events[one]!.thread !== thread,
      );
      const own = before.slice(end + 1).filter((one) => events[one]!.thread === thread);
      return own.map((head) => ({ head, store }));
    }),
  );
  const releases = ({ head }: EndedSequence): boolean =>
    ['release', 'acq_rel', 'seq_cst'].includes(events[head]!.order);
  return found.findLast(releases) ?? found.at(-1);
}

/**
 * Returns a store that ends a release sequence in C++20 ([intro.races]), if an execution is
 * possible only because of this end; otherwise `undefined`. C11 (5.1.2.4) and C++17 exclude such an
 * execution, since later stores of the same thread continue release sequences there.
 */
export function sequenceEndedInExecution(
  graph: ExecutionGraph,
  model: C11Model,
): EndedSequence | undefined {
  const isNew = !isConsistentButForThinAir(graph, model, 'C++17');
  return isNew && isConsistentButForThinAir(graph, model) ? findEnded(graph) : undefined;
}

/**
 * Returns a store that ends a release sequence in C++20, if the two accesses race only because of
 * this end; otherwise `undefined`. The happens-before relation of C++17 orders such accesses.
 */
export function sequenceEndedInRace(
  graph: ExecutionGraph,
  [first, second]: readonly [number, number],
): EndedSequence | undefined {
  const { hb } = relationsOf(graph, 'C++17');
  const isOrdered = hb.has(first, second) || hb.has(second, first);
  return isOrdered ? findEnded(graph) : undefined;
}
