import type { Program } from '../program/program.js';
import type { C11Model, EventOrder, ExecutionGraph } from './execution-graph.js';
import { possibleDependencies } from './possible-dependencies.js';
import { Relation } from './relation.js';

/** An instruction of a processor; a read-modify-write is a load and a store. */
export interface MachineNode {
  readonly kind: 'load' | 'store' | 'fence';
  /** -1: an initial store. */
  readonly thread: number;
  readonly order: EventOrder;
  readonly address?: number | undefined;
  /**
   * Whether the node belongs to a read-modify-write, even to a read-modify-write without a store.
   */
  readonly isRmw: boolean;
}

/** An execution graph as instructions of a processor, with the relations of its axioms. */
export interface MachineGraph {
  readonly nodes: readonly MachineNode[];
  readonly po: Relation;
  /** Program order between accesses of one cell. */
  readonly poLoc: Relation;
  readonly rf: Relation;
  readonly co: Relation;
  readonly fr: Relation;
  /** From the load of each read-modify-write to its store. */
  readonly rmw: Relation;
  /** From loads to possibly dependent later accesses; see `possibleDependencies`. */
  readonly mayDepend: Relation;
  /** From loads to later accesses whose addresses may depend on the load. */
  readonly mayAddress: Relation;
  /** Returns the pairs of a relation for which the condition holds. */
  readonly pairs: (
    of: Relation,
    holds: (from: MachineNode, to: MachineNode) => boolean,
  ) => Relation;
}

/** Returns the pairs of the relation between different threads. */
export function external({ pairs }: MachineGraph, relation: Relation): Relation {
  return pairs(relation, (from, to) => from.thread !== to.thread);
}

/**
 * Returns an execution graph as instructions of a processor; under `ra`, `seq_cst` accesses are
 * those of `acq_rel`.
 */
export function machineGraph(
  program: Program,
  graph: ExecutionGraph,
  model: C11Model,
): MachineGraph {
  const nodes: MachineNode[] = [];
  const loads = new Map<number, number>();
  const stores = new Map<number, number>();
  const dependents = possibleDependencies(program, graph);
  const eventOf: number[] = [];
  const add = (event: number, kind: MachineNode['kind'], isRmw: boolean): number => {
    const { thread = -1, order: written, address } = graph.events[event]!;
    const isWeaker = model === 'ra' && written === 'seq_cst' && kind !== 'fence';
    const order = isWeaker ? 'acq_rel' : written;
    eventOf.push(event);
    return nodes.push({ kind, thread, order, address, isRmw }) - 1;
  };
  for (const [index, { kind, thread, transition }] of graph.events.entries()) {
    if (kind === 'fence') {
      add(index, 'fence', false);
      continue;
    }
    const by = thread === undefined ? undefined : program.threads[thread]?.transitions[transition!];
    const { kind: instruction } = by?.instruction ?? {};
    const isRmw = kind === 'update' || instruction === 'rmw' || instruction === 'lock';
    if (kind !== 'write') loads.set(index, add(index, 'load', isRmw));
    if (kind !== 'read') stores.set(index, add(index, 'store', isRmw));
  }
  const size = nodes.length;
  const relation = (holds: (from: number, to: number) => boolean): Relation => {
    const result = new Relation(size);
    for (let from = 0; from < size; from++)
      for (let to = 0; to < size; to++) if (holds(from, to)) result.add(from, to);
    return result;
  };
  const node = (index: number): MachineNode => nodes[index]!;
  const pairs: MachineGraph['pairs'] = (of, holds) =>
    relation((from, to) => of.has(from, to) && holds(node(from), node(to)));
  const po = relation(
    (from, to) => from < to && node(from).thread >= 0 && node(from).thread === node(to).thread,
  );
  const isSameCell = (from: MachineNode, to: MachineNode): boolean =>
    from.address !== undefined && from.address === to.address;
  const co = new Relation(size);
  for (const order of graph.modification)
    for (const [place, from] of order.entries())
      for (const to of order.slice(place + 1)) co.add(stores.get(from)!, stores.get(to)!);
  const rf = new Relation(size);
  for (const [index, { from }] of graph.events.entries())
    if (from !== undefined) rf.add(stores.get(from)!, loads.get(index)!);
  const fr = relation((load, to) =>
    nodes.some((_, from) => rf.has(from, load) && co.has(from, to)),
  );
  const byAddress = (to: number): boolean => dependents[eventOf[to]!]!.byAddress;
  const mayAddress = relation(
    (from, to) => po.has(from, to) && node(from).kind === 'load' && byAddress(to),
  );
  const stored = relation(
    (from, to) =>
      po.has(from, to) &&
      node(from).kind === 'load' &&
      node(to).kind === 'store' &&
      dependents[eventOf[to]!]!.byValue,
  );
  return {
    ...{ nodes, po, poLoc: pairs(po, isSameCell), rf, co, fr, pairs, mayAddress },
    rmw: relation((from, to) => from + 1 === to && eventOf[from] === eventOf[to]),
    // A store also waits for the addresses of the accesses before it.
    mayDepend: mayAddress.union(
      stored,
      pairs(mayAddress.then(po), (_, to) => to.kind === 'store'),
    ),
  };
}
