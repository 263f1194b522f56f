import type { ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';

/**
 * Whether a thread stores after the overtaken load, and then loads from this own store. A processor
 * may forward the store to the later load before the store is executed. The judge executes the
 * store first; `forwarded-turn.test.ts` judges such programs.
 */
export function mayForward({ verdict }: C11Result): boolean {
  if (verdict.kind !== 'not-robust') return false;
  return isForwardedBehind(verdict.violation.graph, verdict.violation.event);
}

/** Whether the thread of the event stores after the event, and then loads from this own store. */
export function isForwardedBehind({ events }: ExecutionGraph, event: number): boolean {
  const { thread } = events[event]!;
  return events.some(
    ({ from, ...one }, place) =>
      from !== undefined && one.thread === thread && event < from && from < place,
  );
}
