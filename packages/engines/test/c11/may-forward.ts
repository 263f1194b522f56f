import type { ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';

/**
 * Whether a thread loads, behind the overtaken load, what it has stored itself behind that load: a
 * processor may forward the store before it is executed. The judge executes the store first;
 * `forwarded-turn.test.ts` judges such programs.
 */
export function mayForward({ verdict }: C11Result): boolean {
  if (verdict.kind !== 'not-robust') return false;
  return isForwardedBehind(verdict.violation.graph, verdict.violation.event);
}

/** Whether the thread of the event loads, behind it, what it has stored itself behind it. */
export function isForwardedBehind({ events }: ExecutionGraph, event: number): boolean {
  const { thread } = events[event]!;
  return events.some(
    ({ from, ...one }, place) =>
      from !== undefined && one.thread === thread && event < from && from < place,
  );
}
