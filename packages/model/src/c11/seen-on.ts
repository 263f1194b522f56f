import type { Program } from '../program/program.js';
import type { C11Model, EventOrder, ExecutionGraph } from './execution-graph.js';
import { external, machineGraph, type MachineGraph, type MachineNode } from './machine-nodes.js';
import type { Relation } from './relation.js';

/** The processors whose models judge executions. */
export const machines = ['x86', 'ARMv8', 'POWER'] as const;
export type Machine = (typeof machines)[number];

/**
 * Whether a processor shows an execution. `unknown`: the answer depends on the text's dependencies
 * kept by the compiler, or on the instructions that the compiler chooses.
 */
export interface SeenOn {
  readonly machine: Machine;
  readonly answer: 'yes' | 'no' | 'unknown';
}

/**
 * The assumption about everything that the text leaves open. `all`: the processor keeps every
 * dependency that the code may have, and compilers choose the strongest instructions. `none`: the
 * processor keeps no dependency, and compilers choose the weakest instructions.
 */
type Kept = 'all' | 'none';

type Allows = (graph: MachineGraph, kept: Kept) => boolean;

type Test = (node: MachineNode) => boolean;

const hasOrder =
  (...orders: readonly EventOrder[]): Test =>
  ({ order }) =>
    orders.includes(order);
const acquires = hasOrder('acquire', 'acq_rel', 'seq_cst');
const releases = hasOrder('release', 'acq_rel', 'seq_cst');
const isOfSC = hasOrder('seq_cst');
const isLoad: Test = ({ kind }) => kind === 'load';
const isStore: Test = ({ kind }) => kind === 'store';
const isFence: Test = ({ kind }) => kind === 'fence';
const isAccess: Test = (node) => !isFence(node);

/** Returns the accesses in program order with a fence between them. */
function across({ po, pairs }: MachineGraph, fence: Test): Relation {
  const before = pairs(po, (from, to) => isAccess(from) && isFence(to) && fence(to));
  return before.then(pairs(po, (_, to) => isAccess(to)));
}

/**
 * Returns the accesses in program order with a fence between them that stands directly before an
 * access for which the condition holds.
 */
function beforeAccess({ po, pairs }: MachineGraph, follows: Test): Relation {
  const to = pairs(po, (from, to) => isAccess(from) && isAccess(to) && follows(to));
  return to.union(to.then(pairs(po, (_, behind) => isAccess(behind))));
}

/** Whether the order of each cell is kept: program order, reads-from, and the order of stores. */
function isCoherent({ poLoc, rf, co, fr }: MachineGraph): boolean {
  return poLoc.union(rf, co, fr).isAcyclic;
}

/**
 * x86-TSO: only a store may be executed after a later load, unless one of the two is locked, or an
 * `mfence` stands between them. A `seq_cst` store is an exchange, or followed by `mfence`.
 *
 * Source: [AMT14] Sect. 4.3, with the mapping of [BOS+11].
 */
const allowsTSO: Allows = (graph) => {
  const { po, rf, co, fr, pairs } = graph;
  const isLocked: Test = (node) => node.isRmw || (isStore(node) && isOfSC(node));
  const kept = pairs(po, (from, to) => {
    if (!isAccess(from) || !isAccess(to)) return false;
    return !(isStore(from) && isLoad(to)) || isLocked(from) || isLocked(to);
  });
  const order = kept.union(across(graph, isOfSC), external(graph, rf), co, fr);
  return isCoherent(graph) && order.isAcyclic;
};

/**
 * ARMv8: what is ordered within threads, and what other threads see, has no cycle (the model is
 * multi-copy atomic: all other threads see a store at once). Acquiring loads are `ldar` or `ldapr`,
 * releasing stores `stlr`, fences `dmb ish`, an acquire fence `dmb ishld`.
 *
 * Source: the model of herdtools7 (`aarch64.cat`).
 */
const allowsARM: Allows = (graph, kept) => {
  const { po, poLoc, rf, co, fr, rmw, mayDepend, pairs } = graph;
  const isAll = kept === 'all';
  // A `cas` that fails is compiled to a load that acquires if one of its orders does.
  const isAcquiring: Test = (node) => isLoad(node) && (acquires(node) || (isAll && node.isRmw));
  const isLdar: Test = isAll ? isAcquiring : (node) => isLoad(node) && isOfSC(node);
  const isReleasing: Test = (node) => isStore(node) && releases(node);
  const rfi = pairs(rf, (from, to) => from.thread === to.thread);
  const within = [
    pairs(poLoc, (_, to) => isStore(to)),
    rmw,
    pairs(rfi, (from, to) => from.isRmw && isAcquiring(to)),
    across(graph, hasOrder('release', 'acq_rel', 'seq_cst')),
    pairs(across(graph, hasOrder('acquire')), (from) => isLoad(from)),
    pairs(po, (from, to) => isAcquiring(from) && isAccess(to)),
    pairs(po, (from, to) => isAccess(from) && isReleasing(to)),
    pairs(po, (from, to) => isReleasing(from) && isLdar(to)),
  ];
  const may = [
    mayDepend,
    mayDepend.then(rfi),
    // An atomic instruction that acquires and releases is a barrier for what stands around it.
    pairs(po, (_, to) => to.isRmw && releases(to)).then(pairs(po, (from) => from.isRmw)),
  ];
  const others = [rf, co, fr].map((one) => external(graph, one));
  const order = within[0]!.union(...within.slice(1), ...(isAll ? may : []), ...others);
  return isCoherent(graph) && order.isAcyclic;
};

/**
 * POWER: not multi-copy atomic. Releasing accesses stand behind `lwsync`, `seq_cst` accesses behind
 * `sync`; acquiring loads are followed by a branch and `isync`; fences are `lwsync`, and `sync` if
 * `seq_cst`.
 *
 * Source: [AMT14] Sect. 6, with the mapping of [BOS+11].
 */
const allowsPower: Allows = (graph, kept) => {
  const { po, poLoc, rf, co, fr, rmw, mayDepend, mayAddress, pairs } = graph;
  const isAll = kept === 'all';
  const behindLoads = (isIt: Test): Relation =>
    pairs(po, (from, to) => isLoad(from) && isIt(from) && isAccess(to));
  const certain = behindLoads((node) => acquires(node) || (isAll && node.isRmw)).union(rmw);
  const rfi = pairs(rf, (from, to) => from.thread === to.thread);
  const possible = certain.union(mayDepend, poLoc, mayAddress.then(po), rfi).closure();
  const preserved = pairs(isAll ? possible : certain, (from, to) => isLoad(from) && isAccess(to));
  const isSync: Test = (node) => isOfSC(node) && (isLoad(node) || isStore(node));
  const isLwsync: Test = (node) => releases(node) && (isStore(node) || node.isRmw);
  const full = across(graph, isOfSC).union(beforeAccess(graph, isSync));
  const light = pairs(
    across(graph, () => true).union(beforeAccess(graph, isLwsync)),
    (from, to) => !(isStore(from) && isLoad(to)),
  );
  const fences = full.union(light);
  const rfe = external(graph, rf);
  const hb = preserved.union(fences, rfe);
  const hbs = hb.closure().optional();
  const base = fences.union(rfe.then(fences)).then(hbs);
  const com = rf.union(co, fr).closure().optional();
  const propagates = pairs(base, (from, to) => isStore(from) && isStore(to)).union(
    com.then(base.closure().optional()).then(full).then(hbs),
  );
  return (
    isCoherent(graph) &&
    hb.isAcyclic &&
    external(graph, fr).then(propagates).then(hbs).isIrreflexive &&
    co.union(propagates).isAcyclic
  );
};

const models: Readonly<Record<Machine, Allows>> = {
  x86: allowsTSO,
  ARMv8: allowsARM,
  POWER: allowsPower,
};

/**
 * Returns on which processors an execution can be seen, as compilers translate the accesses. The
 * graph has to hold all earlier events of the thread of each of its events.
 */
export function seenOn(
  program: Program,
  graph: ExecutionGraph,
  model: C11Model,
): readonly SeenOn[] {
  const nodes = machineGraph(program, graph, model);
  return machines.map((machine) => {
    const allows = models[machine];
    const answer = allows(nodes, 'all') ? 'yes' : allows(nodes, 'none') ? 'unknown' : 'no';
    return { machine, answer };
  });
}
