import type { Origin } from '@fencewright/model/program/program.js';
import { outgoing } from './graph-passes.js';
import type { Edge, Node, Step, StepGraph } from './step.js';
import type { Refuse } from './thread-entry.js';

/**
 * Refuses loads of several cells at once where a store of the thread may still wait in its buffer:
 * the bus lock, under which they load here, would be a fence.
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
      `load ${part} at a time, or put a fence before: atomic_thread_fence(memory_order_seq_cst)`,
    );
  }
}

/** By node, a store that may be in the buffer there; absent where none is. */
function storesThatWait(graph: StepGraph): ReadonlyMap<Node, Origin> {
  const table = outgoing(graph);
  const waiting = new Map<Node, Origin>();
  const pending: Node[] = [];
  const visit = (node: Node, store: Origin): void => {
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
function isBuffered(step: Step): boolean {
  return (step.kind === 'store' && !step.isLocked) || (step.kind === 'create' && !!step.argument);
}

/**
 * Whether the buffer is empty behind the step. Who waits for the end of a thread takes the bus
 * lock, as does who leaves a section under it.
 */
function isEmptying({ step }: Edge): boolean {
  switch (step.kind) {
    case 'fence':
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
