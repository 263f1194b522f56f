import { forEachRegister } from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { LoweredStep, StepEdge, StepGraph, StepNode } from './step.js';

/**
 * The nodes of the loops whose steps satisfy a condition, and which end by conditions about
 * registers only that no turn changes: if the first turns do not end such a loop, it has no end.
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
    for (const loop of loopsIn(inside, leaving)) {
      const within = [...loop].flatMap((node) => leaving[node]!.filter(({ to }) => loop.has(to)));
      if (within.length === 0) for (const node of loop) inside.delete(node);
      const changed = changedIn(within);
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

/** The registers whose values in a turn of a loop depend on their values in the turn before. */
function changedIn(edges: readonly StepEdge[]): ReadonlySet<RegisterId> {
  const read = new Map<RegisterId, Set<RegisterId>>();
  for (const { step } of edges) {
    if (step.kind !== 'assign') continue;
    const { into, value } = step;
    if (!read.has(into)) read.set(into, new Set());
    forEachRegister(value, (register) => read.get(into)!.add(register));
  }
  const behind = (register: RegisterId): ReadonlySet<RegisterId> => {
    const found = new Set(read.get(register));
    // Additions during the iteration are visited too.
    for (const each of found) for (const next of read.get(each) ?? []) found.add(next);
    return found;
  };
  return new Set([...read.keys()].filter((register) => behind(register).has(register)));
}

/** The strongly connected sets of nodes, by Tarjan's algorithm. */
function loopsIn(
  inside: ReadonlySet<StepNode>,
  leaving: readonly (readonly StepEdge[])[],
): readonly ReadonlySet<StepNode>[] {
  const found: Set<StepNode>[] = [];
  const order = new Map<StepNode, number>();
  const low = new Map<StepNode, number>();
  const open: StepNode[] = [];
  const isOpen = new Set<StepNode>();
  const path: { readonly node: StepNode; next: number }[] = [];
  const enter = (node: StepNode): void => {
    order.set(node, order.size);
    low.set(node, order.get(node)!);
    open.push(node);
    isOpen.add(node);
    path.push({ node, next: 0 });
  };
  const lower = (node: StepNode, to: number): void => {
    low.set(node, Math.min(low.get(node)!, to));
  };
  for (const first of inside) {
    if (!order.has(first)) enter(first);
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const { node } = at;
      const to = leaving[node]![at.next++]?.to;
      if (to === undefined) {
        path.pop();
        const before = path.at(-1);
        if (before) lower(before.node, low.get(node)!);
        if (low.get(node) !== order.get(node)) continue;
        const loop = new Set(open.splice(open.lastIndexOf(node)));
        for (const each of loop) isOpen.delete(each);
        found.push(loop);
      } else if (inside.has(to)) {
        if (!order.has(to)) enter(to);
        else if (isOpen.has(to)) lower(node, order.get(to)!);
      }
    }
  }
  return found;
}
