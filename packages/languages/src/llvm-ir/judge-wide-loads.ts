import type { Origin } from '@fencewright/model/program/program.js';
import { outgoing } from './graph-passes.js';
import type { StepEdge, StepNode, LoweredStep, StepGraph } from './step.js';
import type { Refuse } from './thread-entry.js';

/**
 * Refuses loads of several cells by one instruction if a store of the thread may still be in the
 * buffer: the model makes such loads under the bus lock, which would act as a fence.
 */
export function judgeWideLoads(graph: StepGraph, refuse: Refuse): void {
  const waiting = storesThatWait(graph);
  for (const { from, step, origin } of graph.edges) {
    if (step.kind !== 'lock' || !step.wideLoad) continue;
    const store = waiting.get(from);
    if (!store) continue;
    const { what, part } = step.wideLoad;
    const line = store.span ? `, of line ${store.span.start.line + 1},` : '';
    refuse(
      origin,
      `${what}, while a store${line} may wait in the store buffer`,
      `load ${part} at a time, or insert a fence before the load: atomic_thread_fence(memory_order_seq_cst)`,
    );
  }
}

/** A store that may still be in the buffer at a node, by node; absent if the buffer is empty. */
function storesThatWait(graph: StepGraph): ReadonlyMap<StepNode, Origin> {
  const table = outgoing(graph);
  const waiting = new Map<StepNode, Origin>();
  const pending: StepNode[] = [];
  const visit = (node: StepNode, store: Origin): void => {
    if (waiting.has(node)) return;
    waiting.set(node, store);
    pending.push(node);
  };
  for (const edge of graph.edges) if (isBuffered(edge.step)) visit(edge.to, edge.origin);
  for (let at = pending.pop(); at !== undefined; at = pending.pop())
    for (const edge of table[at]!) if (!isEmptying(edge)) visit(edge.to, waiting.get(at)!);
  return waiting;
}

/** Whether the step may put a store into the buffer. */
function isBuffered(step: LoweredStep): boolean {
  return (step.kind === 'store' && !step.isLocked) || (step.kind === 'create' && !!step.argument);
}

/**
 * Whether the buffer is empty after the step. A join and the end of a locked section drain the
 * buffer, because both take the bus lock.
 */
function isEmptying({ step }: StepEdge): boolean {
  switch (step.kind) {
    case 'fence':
      return step.order === 'seq_cst';
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
    case 'modify':
    case 'exchange-if':
    case 'join':
      return step.kind !== 'lock' || !step.wideLoad;
    case 'store':
      return step.isLocked;
    default:
      return false;
  }
}
