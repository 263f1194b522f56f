import {
  areOpposite,
  type BinaryOperator,
  type Expression,
  forEachRegister,
  innerOf,
} from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import { definedBy, isIdleStep, liveRegisters, outgoing } from './graph-passes.js';
import {
  isOwnAssignment,
  type LoweredStep,
  type StepEdge,
  type StepGraph,
  type StepNode,
} from './step.js';

/** The maximum number of nodes between an idle branch and the node at which its paths meet. */
const largestRegion = 64;

/**
 * The nodes between a branch and the node `meets` at which the branch's paths meet, this node
 * included.
 */
interface Region {
  readonly inside: ReadonlySet<StepNode>;
  readonly meets: StepNode;
}

type Table = readonly (readonly StepEdge[])[];
type Nodes = ReadonlySet<StepNode>;

/**
 * The graph without idle branches. A branch is idle if all its paths lead to one node, and steps on
 * the paths only set registers on which nothing depends after that node. An example is the loop of
 * an exponential back-off, together with the computation of the loop's bound. A branch with a loop
 * is kept unless the loop counts to a bound. A computation that may overflow is left out, too, if
 * nothing depends on its result.
 */
export function withoutIdleBranches(graph: StepGraph): StepGraph {
  const table = outgoing(graph);
  const quiet = table.map(isQuiet);
  const regions = new Map<StepNode, Region>();
  for (const [node, edges] of table.entries()) {
    const region = edges.length > 1 && quiet[node] ? regionOf(table, quiet, node) : undefined;
    if (region) regions.set(node, region);
  }
  // The branches are idle together: the bound of one may only be read by another.
  for (;;) {
    if (regions.size === 0) return graph;
    const left = withJumps(graph, regions);
    const live = liveRegisters(left);
    const isNeeded = ({ inside, meets }: Region): boolean =>
      [...inside].some((node) =>
        table[node]!.some(({ step }) => definedBy(step).some((into) => live[meets]!.has(into))),
      );
    const needed = [...regions].filter(([, region]) => isNeeded(region));
    if (needed.length === 0) return left;
    for (const [node] of needed) regions.delete(node);
  }
}

/**
 * The graph with a jump from each branch of `regions` to the node at which the branch's paths meet.
 */
function withJumps(graph: StepGraph, regions: ReadonlyMap<StepNode, Region>): StepGraph {
  const told = new Set<StepNode>();
  const edges = graph.edges.flatMap((edge): readonly StepEdge[] => {
    const region = regions.get(edge.from);
    if (!region) return [edge];
    if (told.has(edge.from)) return [];
    told.add(edge.from);
    return [{ ...edge, to: region.meets, step: { kind: 'skip' } }];
  });
  return { ...graph, edges };
}

/**
 * The region of a quiet branch; `undefined` if a node that is not quiet, or an endless loop, may be
 * inside.
 */
function regionOf(table: Table, quiet: readonly boolean[], branch: StepNode): Region | undefined {
  const reached = new Set([branch]);
  for (const node of reached) {
    if (reached.size > largestRegion) break;
    if (quiet[node]) for (const { to } of table[node]!) reached.add(to);
  }
  for (const meets of reached) {
    if (meets === branch) continue;
    const inside = insideOf(table, quiet, branch, meets);
    if (inside) return allLoopsEnd(table, inside) ? { inside, meets } : undefined;
  }
  return undefined;
}

/**
 * The nodes possibly visited between a branch and a node; `undefined` if a visited node is not
 * quiet, or for too many nodes.
 */
function insideOf(
  table: Table,
  quiet: readonly boolean[],
  branch: StepNode,
  meets: StepNode,
): Nodes | undefined {
  const inside = new Set([branch]);
  for (const node of inside) {
    if (!quiet[node] || inside.size > largestRegion) return undefined;
    for (const { to } of table[node]!) if (to !== meets) inside.add(to);
  }
  return inside;
}

/**
 * Whether a thread at a node always goes on, invisibly to other threads and final states; `edges`
 * are the outgoing edges of the node.
 */
function isQuiet(edges: readonly StepEdge[]): boolean {
  const [first, second, ...more] = edges.map(({ step }) => step);
  if (!first || more.length > 0) return false;
  if (!second) return first.kind !== 'assume' && isQuietStep(first);
  return (
    isPlainAssume(first) && isPlainAssume(second) && areOpposite(first.condition, second.condition)
  );
}

function isQuietStep(step: LoweredStep): boolean {
  return isOwnAssignment(step) || step.kind === 'havoc' || isIdleStep(step);
}

function isPlainAssume(step: LoweredStep): step is LoweredStep & { readonly kind: 'assume' } {
  return step.kind === 'assume' && step.cutsOff === undefined && step.luck === undefined;
}

/** Whether each loop within the nodes ends. */
function allLoopsEnd(table: Table, nodes: Nodes): boolean {
  return loopsWithin(table, nodes).every((loop) =>
    [...loop].some((header) => {
      const rest = new Set(loop);
      rest.delete(header);
      return countsAt(table, loop, header) && allLoopsEnd(table, rest);
    }),
  );
}

/** The largest sets of nodes in which every node can reach every node. */
function loopsWithin(table: Table, nodes: Nodes): readonly Nodes[] {
  const behind = new Map([...nodes].map((node) => [node, nodesBehind(table, nodes, node)]));
  const loops: Nodes[] = [];
  for (const [node, reached] of behind) {
    if (!reached.has(node) || loops.some((loop) => loop.has(node))) continue;
    loops.push(new Set([...reached].filter((each) => behind.get(each)!.has(node))));
  }
  return loops;
}

/** The nodes reachable from a node by at least one step other than `without`. */
function nodesBehind(table: Table, within: Nodes, from: StepNode, without?: StepEdge): Nodes {
  const reached = new Set<StepNode>();
  const follow = (node: StepNode): void => {
    for (const edge of table[node]!)
      if (edge !== without && within.has(edge.to)) reached.add(edge.to);
  };
  follow(from);
  for (const node of reached) follow(node);
  return reached;
}

/**
 * Whether control leaves the loop at the node `header` after finitely many iterations: the
 * condition to stay compares a register with a bound, and each iteration moves the register by 1
 * towards the bound.
 */
function countsAt(table: Table, loop: Nodes, header: StepNode): boolean {
  const stay = table[header]!.filter(({ to }) => loop.has(to));
  const [only, ...others] = stay;
  if (!only || others.length > 0 || only.step.kind !== 'assume') return false;
  const inLoop = [...loop].flatMap((node) => table[node]!.filter(({ to }) => loop.has(to)));
  const setters = (register: RegisterId): readonly StepEdge[] =>
    inLoop.filter(({ step }) => definedBy(step).includes(register));
  return boundsOf(only.step.condition).some(({ relation, register, bound }) => {
    const [setter, ...more] = setters(register);
    if (!setter || more.length > 0 || setter.step.kind !== 'assign') return false;
    const by = countingOf(setter.step.value, register);
    if (by === undefined || !leavesAt.has(`${relation} ${by}`)) return false;
    let isFixed = true;
    forEachRegister(bound, (each) => (isFixed &&= setters(each).length === 0));
    return isFixed && !nodesBehind(table, loop, header, setter).has(header);
  });
}

/**
 * The pairs of a relation (of a counter to a bound) and a counting operator with which a loop ends.
 * With a plain operator, the loop has to end before the counter overflows, since overflow is
 * undefined in C. With a wrapping operator, the counter reaches the bound before it wraps.
 */
const leavesAt: ReadonlySet<string> = new Set([
  ...['<', '<=', '!='].map((relation) => `${relation} + 1`),
  ...['>', '>=', '!='].map((relation) => `${relation} + -1`),
  ...['<', '<=', '!='].map((relation) => `${relation} +: 1`),
  ...['>', '>=', '!='].map((relation) => `${relation} +: -1`),
  ...['<% +% 1', '>% +% -1', '<:% +:% 1', '>:% +:% -1', '!= +:% 1', '!= +:% -1'],
  ...['!=0 +% 1', '!=0 +% -1'],
]);

/** The ways to read a condition as a comparison of a register with a bound. */
function boundsOf(condition: Expression): readonly {
  readonly relation: string;
  readonly register: RegisterId;
  readonly bound: Expression;
}[] {
  const zero: Expression = { kind: 'constant', value: 0 };
  if (condition.kind === 'register')
    return [
      { relation: '!=', register: condition.register, bound: zero },
      { relation: '!=0', register: condition.register, bound: zero },
    ];
  if (innerOf(condition)?.kind !== 'binary' || condition.kind !== 'binary') return [];
  const { operator, left, right } = condition;
  const ways = [];
  if (left.kind === 'register') {
    ways.push({ relation: operator, register: left.register, bound: right });
    // Without the width of a bound, a counter of 32 bits may never equal the bound.
    if (operator === '!=' && right.kind === 'constant' && right.value === 0)
      ways.push({ relation: '!=0', register: left.register, bound: right });
  }
  if (right.kind === 'register') {
    const turned = mirrored.get(operator);
    if (turned) ways.push({ relation: turned, register: right.register, bound: left });
  }
  return ways;
}

/** By relation, the relation with exchanged operands. */
const mirrored: ReadonlyMap<BinaryOperator, BinaryOperator> = new Map([
  ['<', '>'],
  ['>', '<'],
  ['<=', '>='],
  ['>=', '<='],
  ['!=', '!='],
  ['<%', '>%'],
  ['>%', '<%'],
  ['<:%', '>:%'],
  ['>:%', '<:%'],
]);

/**
 * For a value `register + 1` or `register - 1`: the operator and the number added, 1 or -1, as
 * text. `undefined` for all other values.
 */
function countingOf(value: Expression, register: RegisterId): string | undefined {
  if (value.kind !== 'binary') return undefined;
  const { operator, left, right } = value;
  if (left.kind !== 'register' || left.register !== register) return undefined;
  if (right.kind !== 'constant' || Math.abs(right.value) !== 1) return undefined;
  if (operator.startsWith('+')) return `${operator} ${right.value}`;
  if (operator.startsWith('-')) return `${operator.replace('-', '+')} ${-right.value}`;
  return undefined;
}
