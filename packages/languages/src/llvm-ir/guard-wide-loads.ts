import { binary, registerValue } from '@fencewright/model/program/expression.js';
import type { Origin } from '@fencewright/model/program/program.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import { outgoing } from './graph-passes.js';
import {
  isAccessStep,
  type LoweredStep,
  type StepEdge,
  type StepGraph,
  type StepNode,
  type WideLoad,
} from './step.js';
import type { Refuse } from './thread-entry.js';

/**
 * The store buffer before a step: `empty` on all paths, or the source place of a store that may
 * still be in the buffer.
 */
type Waiting = Origin | 'empty';

/** A node of a graph, and what the store buffer may contain at the node. */
interface Point {
  readonly node: StepNode;
  readonly waiting: Waiting;
}

/**
 * The graph with guarded loads of several cells: the model makes such a load under the bus lock,
 * which needs an empty store buffer and would act as a fence. Where a store of the thread may wait
 * on some path to the load, loads of the parts stand for a load that can be split: see `partsOf`.
 * Executions on such a path to any other load end in a fault, as a limit of the model. Any other
 * load with a waiting store on each path is refused.
 */
export function withGuardedWideLoads(graph: StepGraph, refuse: Refuse): StepGraph {
  const wide = graph.edges.filter(isWideLoad);
  if (wide.length === 0) return graph;
  const isAhead = nodesBefore(graph, wide);
  const table = outgoing(graph);
  // Each node has one copy for an empty buffer, and one for a store that may wait.
  const copies = new Map<string, StepNode>();
  const points: Point[] = [];
  let { nodes } = graph;
  const copyOf = (node: StepNode, waiting: Waiting): StepNode => {
    const isEmpty = waiting === 'empty';
    const key = `${node}${isEmpty ? '' : '+'}`;
    let copy = copies.get(key);
    if (copy === undefined) {
      copies.set(key, (copy = isEmpty ? node : nodes++));
      points.push({ node, waiting });
    }
    return copy;
  };
  const edges: StepEdge[] = [];
  const registers = [...graph.registers];
  const initial = copyOf(graph.initial, 'empty');
  for (const { node, waiting } of points) {
    const from = copyOf(node, waiting);
    for (const edge of table[node]!) {
      const after = isAhead.has(edge.to) ? bufferAfter(edge, waiting) : 'empty';
      if (waiting === 'empty' || !isWideLoad(edge)) {
        // Ends of threads are known by their steps, so that each copy needs a step of its own.
        const step = edge.step.kind === 'end' ? { ...edge.step } : edge.step;
        edges.push({ ...edge, step, from, to: copyOf(edge.to, after) });
        continue;
      }
      if (edge.step.wideLoad.isSplit) {
        const { steps, behind } = partsOf(edge, table, registers);
        const last = copyOf(behind, isAhead.has(behind) ? waiting : 'empty');
        let at = from;
        for (const [i, step] of steps.entries()) {
          const to = i === steps.length - 1 ? last : nodes++;
          edges.push({ ...step, from: at, to });
          at = to;
        }
        continue;
      }
      const said = inWords(edge, waiting);
      const step = { kind: 'fault', reason: 'waiting-store', said } as const;
      edges.push({ ...edge, from, to: nodes++, step });
    }
  }
  for (const edge of wide)
    if (!edge.step.wideLoad.isSplit && !copies.has(`${edge.from}`) && copies.has(`${edge.from}+`)) {
      const { waiting } = points.find(({ node }) => node === edge.from)!;
      const { part } = edge.step.wideLoad;
      refuse(
        edge.origin,
        inWords(edge, waiting),
        `load ${part} at a time, or insert a fence before the load: atomic_thread_fence(memory_order_seq_cst)`,
      );
    }
  return { ...graph, nodes, initial, edges, registers };
}

/**
 * The steps of a load of several cells without the bus lock, and the node behind the load. The
 * parts are loaded one by one, and all but the last once more; the parts loaded twice have to be
 * unchanged. Every execution of the load is one of these steps next to each other. No trace is
 * lost, either: if the load has to precede and to follow another event by different parts, then so
 * do the loads of these parts, since each comes before one of the other. The names of new registers
 * are added to `registers`.
 */
function partsOf(
  { to, origin, nofence }: WideEdge,
  table: readonly (readonly StepEdge[])[],
  registers: string[],
): { readonly steps: readonly StepEdge[]; readonly behind: StepNode } {
  const loads: StepEdge[] = [];
  let behind = to;
  for (;;) {
    const [edge, ...others] = table[behind]!;
    if (!edge || others.length > 0)
      throw new InternalError('a load of several cells is no sequence of loads');
    behind = edge.to;
    if (edge.step.kind === 'unlock') break;
    loads.push(edge);
  }
  const again = loads.slice(0, -1).flatMap((edge): StepEdge[] => {
    const { step } = edge;
    if (!isAccessStep(step) || step.kind !== 'load') return [];
    const into = registers.length as RegisterId;
    registers.push(registers[step.into]!);
    const condition = binary('==', registerValue(step.into), registerValue(into));
    return [
      { ...edge, step: { ...step, into } },
      { ...edge, step: { kind: 'assume', condition, cutsOff: true } },
    ];
  });
  const steps = [...loads, ...again].map((edge, i): StepEdge => {
    const { nofence: _, ...first } = edge;
    return i === 0 ? { ...first, origin, ...(nofence && { nofence }) } : edge;
  });
  return { steps, behind };
}

/** A step that takes the bus lock for a load of several cells. */
type WideEdge = StepEdge & {
  readonly step: { readonly kind: 'lock'; readonly wideLoad: WideLoad };
};

function isWideLoad(edge: StepEdge): edge is WideEdge {
  return edge.step.kind === 'lock' && edge.step.wideLoad !== undefined;
}

function inWords({ step }: WideEdge, waiting: Waiting): string {
  const span = waiting === 'empty' ? undefined : waiting.span;
  const line = span ? `, of line ${span.start.line + 1},` : '';
  return `${step.wideLoad.what}, while a store${line} may wait in the store buffer`;
}

/** The nodes from which a load of several cells may come before the buffer is emptied. */
function nodesBefore({ edges }: StepGraph, wide: readonly WideEdge[]): ReadonlySet<StepNode> {
  const incoming = new Map<StepNode, StepNode[]>();
  for (const edge of edges)
    if (!isEmptying(edge)) incoming.set(edge.to, [...(incoming.get(edge.to) ?? []), edge.from]);
  const before = new Set(wide.map(({ from }) => from));
  for (const node of before) for (const from of incoming.get(node) ?? []) before.add(from);
  return before;
}

function bufferAfter(edge: StepEdge, before: Waiting): Waiting {
  if (isEmptying(edge)) return 'empty';
  return isBuffered(edge.step) ? edge.origin : before;
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
