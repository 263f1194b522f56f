import { isSequentiallyConsistent } from '@fencewright/model/c11/consistency.js';
import type { ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';

/**
 * Returns the graph restricted to the events `kept`, renumbered. For each load, `kept` has to
 * contain the store read by the load.
 */
export function neededInGraph(
  { events, modification }: ExecutionGraph,
  kept: ReadonlySet<number>,
): ExecutionGraph {
  const list = [...events.keys()].filter((index) => kept.has(index));
  const renamed = new Map(list.map((old, index) => [old, index]));
  return {
    events: list.map((index) => {
      const { from, ...event } = events[index]!;
      return from === undefined ? event : { ...event, from: renamed.get(from)! };
    }),
    modification: modification
      .map((order) => order.flatMap((store) => renamed.get(store) ?? []))
      .filter((order) => order.length > 0),
  };
}

/**
 * Returns a smaller graph that is consistent if `graph` is. Initial stores of cells that no thread
 * accesses are removed. If the graph is not an SC execution and `thread` is given, events at the
 * ends of other threads are removed one by one, as long as the graph does not become an SC
 * execution.
 */
export function withoutNeedless(
  graph: ExecutionGraph,
  { isOfSC, thread }: { readonly isOfSC: boolean; readonly thread?: ThreadId },
): ExecutionGraph {
  const { events } = graph;
  const kept = new Set(events.keys());
  const isLast = (index: number): boolean =>
    events.every(
      (other, at) =>
        !kept.has(at) ||
        (other.from !== index && (at <= index || other.thread !== events[index]!.thread)),
    );
  if (thread !== undefined && !isOfSC)
    for (let isSmaller = true; isSmaller;) {
      isSmaller = false;
      for (const index of [...kept].reverse()) {
        const { thread: own } = events[index]!;
        if (own === undefined || own === thread || !isLast(index)) continue;
        kept.delete(index);
        if (isSequentiallyConsistent(neededInGraph(graph, kept))) kept.add(index);
        else isSmaller = true;
      }
    }
  const accessed = new Set(
    [...kept].flatMap((index) =>
      events[index]!.thread === undefined ? [] : [events[index]!.address],
    ),
  );
  for (const index of kept)
    if (events[index]!.thread === undefined && !accessed.has(events[index]!.address))
      kept.delete(index);
  return neededInGraph(graph, kept);
}
