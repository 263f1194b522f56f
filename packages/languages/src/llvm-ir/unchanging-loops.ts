import { forEachRegister } from '@fencewright/model/program/expression.js';
import { nodesOnCycles, stronglyConnected } from '@fencewright/ground/base/strongly-connected.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { LoweredStep, StepEdge, StepGraph, StepNode } from './step.js';

/**
 * The nodes of the loops whose steps satisfy a condition, and whose exits are conditions on
 * registers unchanged by iterations: such a loop ends in the first iterations or never.
 */
export function unchangingLoops(
  { nodes, edges }: StepGraph,
  condition: (step: LoweredStep) => boolean,
): ReadonlySet<StepNode> {
  const leaving: StepEdge[][] = Array.from({ length: nodes }, () => []);
  for (const edge of edges) leaving[edge.from]!.push(edge);
  const inside = new Set<StepNode>(leaving.keys());
  for (const { from, step } of edges) if (!condition(step)) inside.delete(from);
  // A node at which a loop ends otherwise is left out; a loop within the loop may remain.
  for (let size = -1; size !== inside.size;) {
    ({ size } = inside);
    const within = (node: StepNode): readonly StepNode[] =>
      leaving[node]!.flatMap(({ to }) => (inside.has(to) ? [to] : []));
    for (const nodesOfLoop of stronglyConnected([...inside], within)) {
      const loop = new Set(nodesOfLoop);
      const turns = nodesOfLoop.flatMap((node) => leaving[node]!.filter(({ to }) => loop.has(to)));
      if (turns.length === 0) for (const node of loop) inside.delete(node);
      const changed = changedIn(turns);
      for (const node of loop)
        for (const { to, step } of leaving[node]!)
          if (!loop.has(to) && !isUnchanged(step, changed)) inside.delete(node);
    }
  }
  return inside;
}

/** Whether a step is a condition that reads none of the registers. */
function isUnchanged(step: LoweredStep, changed: ReadonlySet<RegisterId>): boolean {
  if (step.kind !== 'assume') return false;
  let reads = false;
  forEachRegister(step.condition, (register) => (reads ||= changed.has(register)));
  return !reads;
}

/**
 * The registers whose values in an iteration of a loop depend on their values in the iteration
 * before.
 */
function changedIn(edges: readonly StepEdge[]): ReadonlySet<RegisterId> {
  const read = new Map<RegisterId, RegisterId[]>();
  for (const { step } of edges) {
    if (step.kind !== 'assign') continue;
    const known = read.get(step.into) ?? [];
    forEachRegister(step.value, (register) => void known.push(register));
    read.set(step.into, known);
  }
  return nodesOnCycles(read.keys(), (register) => read.get(register) ?? []);
}
