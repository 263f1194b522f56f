import { forEachRegister, type Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import { expressionsOf } from './value.js';
import { isAccess, type Edge, type Node, type Step, type StepGraph } from './step.js';

/** The expressions that a step evaluates. */
export function operandsOf(step: Step): readonly Expression[] {
  switch (step.kind) {
    case 'assign':
      return [step.value];
    case 'assume':
    case 'assert':
      return [step.condition];
    case 'load':
      return [step.address];
    case 'store':
      return [step.address, step.value];
    case 'modify':
      return [step.address, step.operand];
    case 'exchange-if':
      return [step.address, step.expected, step.desired];
    case 'create':
      return step.argument ? [step.argument] : [];
    case 'end':
      return step.value ? [step.value] : [];
    case 'observe':
      return [...step.cells.values()].flatMap(({ value }) => expressionsOf(value));
    case 'havoc':
    case 'fence':
    case 'lock':
    case 'unlock':
    case 'join':
    case 'fault':
    case 'skip':
      return [];
  }
}

/** The registers that a step sets. */
function definedBy(step: Step): readonly RegisterId[] {
  switch (step.kind) {
    case 'assign':
    case 'havoc':
    case 'load':
    case 'modify':
    case 'join':
      return [step.into];
    case 'exchange-if':
      return [step.old, step.success];
    default:
      return [];
  }
}

/** By node, the edges that leave it. */
export function outgoing({ nodes, edges }: StepGraph): readonly (readonly Edge[])[] {
  const table: Edge[][] = Array.from({ length: nodes }, () => []);
  for (const edge of edges) table[edge.from]!.push(edge);
  return table;
}

/** The registers whose values are used behind a node; indexed by node. */
export function liveRegisters(graph: StepGraph): readonly ReadonlySet<RegisterId>[] {
  const live = Array.from({ length: graph.nodes }, () => new Set<RegisterId>());
  const incoming: Edge[][] = Array.from({ length: graph.nodes }, () => []);
  for (const edge of graph.edges) incoming[edge.to]!.push(edge);
  const pending: Node[] = [...live.keys()];
  for (let at = pending.pop(); at !== undefined; at = pending.pop())
    for (const { from, step } of incoming[at]!) {
      const before = live[from]!;
      const { size } = before;
      const defined = definedBy(step);
      for (const register of live[at]!) if (!defined.includes(register)) before.add(register);
      for (const operand of operandsOf(step))
        forEachRegister(operand, (register) => before.add(register));
      if (before.size > size) pending.push(from);
    }
  // Nodes that nothing leads from still have what their own edges use.
  return live;
}

/** The graph without what control never gets to, and without steps that only set dead registers. */
export function withoutDeadSteps(graph: StepGraph): StepGraph {
  let current = reachablePart(graph);
  for (;;) {
    const live = liveRegisters(current);
    let isChanged = false;
    const edges = current.edges.map((edge): Edge => {
      const { step, to } = edge;
      const isDead =
        (step.kind === 'havoc' || (step.kind === 'assign' && !step.isOutcome)) &&
        !live[to]!.has(step.into);
      if (!isDead) return edge;
      isChanged = true;
      return { ...edge, step: { kind: 'skip' } };
    });
    if (!isChanged) return reachablePart(withoutSkips(current));
    current = { ...current, edges };
  }
}

function reachablePart(graph: StepGraph): StepGraph {
  const table = outgoing(graph);
  const reached = new Set<Node>([graph.initial]);
  for (const node of reached) for (const { to } of table[node]!) reached.add(to);
  return { ...graph, edges: graph.edges.filter(({ from }) => reached.has(from)) };
}

/** Whether the step does nothing, nobody asks where it stands, and it can be counted on. */
function isIdle(step: Step): boolean {
  if (step.kind !== 'skip') return false;
  return [step.mark, step.luck, step.label].every((said) => said === undefined);
}

/** The graph without steps that do nothing, but for those in which control runs in circles. */
function withoutSkips(graph: StepGraph): StepGraph {
  const table = outgoing(graph);
  const isPassed = (node: Node): Node | undefined => {
    const [only, second] = table[node]!;
    return only && isIdle(only.step) && !second ? only.to : undefined;
  };
  const endOf = (node: Node): Node => {
    const seen: Node[] = [];
    let at = node;
    for (;;) {
      const next = isPassed(at);
      if (next === undefined) return at;
      seen.push(at);
      const start = seen.indexOf(next);
      if (start >= 0) return Math.min(...seen.slice(start));
      at = next;
    }
  };
  return {
    ...graph,
    initial: endOf(graph.initial),
    edges: graph.edges
      .filter(({ from, step }) => !isIdle(step) || endOf(from) === from)
      .map((edge) => ({ ...edge, to: endOf(edge.to) })),
  };
}

/**
 * Whether anything that others could notice, or that is checked or looked at in final states, comes
 * at or behind each node:
 * the end of the thread as well, where somebody waits for it.
 */
export function isFollowed(graph: StepGraph, isAwaited: boolean): readonly boolean[] {
  const follows = Array.from({ length: graph.nodes }, () => false);
  const incoming: Edge[][] = Array.from({ length: graph.nodes }, () => []);
  for (const edge of graph.edges) incoming[edge.to]!.push(edge);
  const pending: Node[] = [];
  const mark = (node: Node): void => {
    if (follows[node]) return;
    follows[node] = true;
    pending.push(node);
  };
  for (const { from, step } of graph.edges) {
    const isOutcome = step.kind === 'assign' && step.isOutcome === true;
    const isEnd = isAwaited && step.kind === 'end' && step.isLast !== 'exit';
    if (isVisible(step) || isOutcome || isEnd) mark(from);
  }
  for (let at = pending.pop(); at !== undefined; at = pending.pop())
    for (const { from } of incoming[at]!) mark(from);
  return follows;
}

/** Whether others could notice the step, or it checks something, or is asked for. */
export function isVisible(step: Step): boolean {
  if (step.kind === 'skip') return step.label !== undefined;
  return isAccess(step) || ['assert', 'lock', 'fault', 'create'].includes(step.kind);
}
