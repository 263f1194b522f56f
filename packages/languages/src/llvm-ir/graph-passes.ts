import { forEachRegister, type Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import { expressionsOf } from './value.js';
import {
  isAccessStep,
  isOwnAssignment,
  isUseBeside,
  type StepEdge,
  type StepNode,
  type LoweredStep,
  type StepGraph,
} from './step.js';

/** Returns the expressions that a step of a lowered thread evaluates. */
export function stepExpressions(step: LoweredStep): readonly Expression[] {
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
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
    case 'join':
    case 'fault':
    case 'skip':
      return [];
  }
}

/** Returns the registers that a step of a lowered thread sets. */
export function definedBy(step: LoweredStep): readonly RegisterId[] {
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

/** By node of the graph, its outgoing edges. */
export function outgoing({ nodes, edges }: StepGraph): readonly (readonly StepEdge[])[] {
  const table: StepEdge[][] = Array.from({ length: nodes }, () => []);
  for (const edge of edges) table[edge.from]!.push(edge);
  return table;
}

/**
 * By node of the graph, the live registers. A step that only sets a dead register uses no register,
 * so a chain of such steps is dead as a whole.
 */
export function liveRegisters(graph: StepGraph): readonly ReadonlySet<RegisterId>[] {
  const live = Array.from({ length: graph.nodes }, () => new Set<RegisterId>());
  const incoming: StepEdge[][] = Array.from({ length: graph.nodes }, () => []);
  for (const edge of graph.edges) incoming[edge.to]!.push(edge);
  const isPending = live.map(() => true);
  // Nodes are numbered in the order of their creation: the later ones first.
  const pending: StepNode[] = [...live.keys()];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    isPending[at] = false;
    for (const { from, step } of incoming[at]!) {
      const before = live[from]!;
      const { size } = before;
      const defined = definedBy(step);
      for (const register of live[at]!) if (!defined.includes(register)) before.add(register);
      if (!isDead(step, live[at]!))
        for (const operand of stepExpressions(step))
          forEachRegister(operand, (register) => before.add(register));
      if (before.size === size || isPending[from]) continue;
      isPending[from] = true;
      pending.push(from);
    }
  }
  return live;
}

/** Whether the step only sets a register that is dead after the step. */
function isDead(step: LoweredStep, live: ReadonlySet<RegisterId>): boolean {
  return (step.kind === 'havoc' || isOwnAssignment(step)) && !live.has(step.into);
}

/** The graph without unreachable steps and without steps that only set dead registers. */
export function withoutDeadSteps(graph: StepGraph): StepGraph {
  const reachable = reachablePart(graph);
  const live = liveRegisters(reachable);
  const edges = reachable.edges.map((edge): StepEdge =>
    isDead(edge.step, live[edge.to]!) ? { ...edge, step: { kind: 'skip' } } : edge,
  );
  return reachablePart(withoutSkips({ ...reachable, edges }));
}

function reachablePart(graph: StepGraph): StepGraph {
  const table = outgoing(graph);
  const reached = new Set<StepNode>([graph.initial]);
  for (const node of reached) for (const { to } of table[node]!) reached.add(to);
  return { ...graph, edges: graph.edges.filter(({ from }) => reached.has(from)) };
}

/** Whether the step can be dropped: a `skip` without `mark`, `label` and `luck`. */
export function isIdleStep(step: LoweredStep): boolean {
  if (step.kind !== 'skip') return false;
  return [step.mark, step.luck, step.label].every((said) => said === undefined);
}

/** The graph without idle steps, except for cycles of idle steps. */
function withoutSkips(graph: StepGraph): StepGraph {
  const table = outgoing(graph);
  const isPassed = (node: StepNode): StepNode | undefined => {
    const [only, second] = table[node]!;
    return only && isIdleStep(only.step) && !second ? only.to : undefined;
  };
  const ends = new Map<StepNode, StepNode>();
  const endOf = (node: StepNode): StepNode => {
    const passed = new Set<StepNode>();
    let end = node;
    while (!passed.has(end) && !ends.has(end)) {
      passed.add(end);
      end = isPassed(end) ?? end;
    }
    // A cycle of nodes with idle steps only is replaced by its smallest node.
    const onWay = [...passed];
    end = ends.get(end) ?? onWay.slice(onWay.indexOf(end)).reduce((a, b) => Math.min(a, b));
    for (const each of onWay) ends.set(each, end);
    return end;
  };
  return {
    ...graph,
    initial: endOf(graph.initial),
    edges: graph.edges
      .filter(({ from, step }) => !isIdleStep(step) || endOf(from) === from)
      .map((edge) => ({ ...edge, to: endOf(edge.to) })),
  };
}

/**
 * By node of the graph, whether a visible step, an assignment shown in final states, or a step on a
 * block follows. If `isAwaited`, the end of the thread counts as well; if not `countsFrees`, frees
 * of blocks that no other thread may access do not count.
 */
export function isFollowed(
  graph: StepGraph,
  isAwaited: boolean,
  countsFrees = true,
): readonly boolean[] {
  const follows = Array.from({ length: graph.nodes }, () => false);
  const incoming: StepEdge[][] = Array.from({ length: graph.nodes }, () => []);
  for (const edge of graph.edges) incoming[edge.to]!.push(edge);
  const pending: StepNode[] = [];
  const mark = (node: StepNode): void => {
    if (follows[node]) return;
    follows[node] = true;
    pending.push(node);
  };
  for (const { from, step } of graph.edges) {
    const isOutcome = step.kind === 'assign' && (step.isOutcome ?? step.isAsked) === true;
    const isFree = countsFrees && step.kind === 'assign' && step.block === 'freed';
    const isUse = isFree || isUseBeside(step);
    const isEnd = isAwaited && step.kind === 'end' && step.isLast !== 'exit';
    if (isVisible(step) || isOutcome || isUse || isEnd) mark(from);
  }
  for (let at = pending.pop(); at !== undefined; at = pending.pop())
    for (const { from } of incoming[at]!) mark(from);
  return follows;
}

/**
 * Whether other threads can notice the step, or the step is a check (an assertion or a fault), or
 * has the label of a progress claim.
 */
export function isVisible(step: LoweredStep): boolean {
  if (step.kind === 'skip') return step.label !== undefined;
  return isAccessStep(step) || ['assert', 'lock', 'fault', 'create'].includes(step.kind);
}
