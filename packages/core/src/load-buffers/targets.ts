import { at } from '../base/at.js';
import type { CellDirectory } from '../automata/cell-directory.js';
import { evaluateExpression } from '../program/evaluate.js';
import { hasPart } from '../program/expression.js';
import type { ThreadId } from '../program/ids.js';
import type { Program, Property, StateLeaf } from '../program/program.js';
import { compileProgram, leavingTransitions } from '../semantics/thread-code.js';
import { any, nobody, type Minor } from './minor.js';
import type { ThreadGraphs } from './thread-graph.js';

/** More targets than this are not asked about. */
const maxTargets = 20_000;

/** What a question needs to be asked. */
export interface TargetContext {
  readonly program: Program;
  readonly graphs: ThreadGraphs;
  readonly cells: CellDirectory;
}

function hasLocks({ graphs }: TargetContext): boolean {
  return graphs.threads.some(({ states }) => states.some(({ holdsLock }) => holdsLock));
}

/** The nodes of a thread that can be reached in its graph. */
function nodesOf({ graphs }: TargetContext, thread: ThreadId): readonly number[] {
  const { initial, edges } = at(graphs.threads, thread);
  return [...new Set([initial, ...edges.map(({ to }) => to)])];
}

function unknown({ graphs }: TargetContext): Minor {
  return {
    nodes: graphs.threads.map(() => any),
    memory: graphs.values.map(() => any),
    words: graphs.threads.map(() => []),
    lock: nobody,
    isFrozen: false,
  };
}

/** The minor with each thread, or nobody, as the holder of the bus lock, as nodes allow. */
function withLocks(context: TargetContext, minor: Minor): readonly Minor[] {
  const { threads } = context.graphs;
  const holders = minor.nodes.flatMap((node, t) =>
    node !== any && at(at(threads, t).states, node).holdsLock ? [t] : [],
  );
  if (holders.length > 1) return [];
  if (holders.length === 1) return [{ ...minor, lock: at(holders, 0) }];
  const unknown = minor.nodes.flatMap((node, t) => (node === any ? [t] : []));
  return [minor, ...unknown.map((t) => ({ ...minor, lock: t }))];
}

/**
 * Where threads are, in configurations that matter whatever is still in a store buffer: without
 * bus locks they are those with empty buffers as well, since they can be drained.
 */
function whilePending(context: TargetContext, minor: Minor, seesMemory: boolean): readonly Minor[] {
  if (!seesMemory && !hasLocks(context)) return [minor];
  return withLocks(context, { ...minor, isFrozen: true });
}

/** Those in which an assertion is about to fail. */
export function failingAssertion(
  context: TargetContext,
  thread: ThreadId,
  transition: number,
): readonly Minor[] {
  const { program, graphs } = context;
  const code = compileProgram(program);
  const { states } = at(graphs.threads, thread);
  return nodesOf(context, thread).flatMap((node) => {
    const { location, registers } = at(states, node);
    const leaving = leavingTransitions(code, thread, location);
    const fails = leaving.some(({ id, value }) => id === transition && value(registers, 0) === 0);
    if (!fails) return [];
    const whole = unknown(context);
    return whilePending(context, { ...whole, nodes: whole.nodes.with(thread, node) }, false);
  });
}

/** What one thread, or one cell, may be like as far as a condition can tell: members of each. */
interface Aspect {
  readonly kind: 'thread' | 'cell';
  readonly index: number;
  readonly members: readonly (readonly number[])[];
}

function leavesOf({ condition }: Property): readonly StateLeaf[] {
  const leaves: StateLeaf[] = [];
  hasPart<StateLeaf>(condition, (part) => {
    if (part.kind === 'memory' || 'thread' in part) leaves.push(part);
    return false;
  });
  return leaves;
}

/**
 * The configurations that a property is about: that violate a `never` or a `finally`, or that an
 * `exists` asks for. `undefined` where it asks for something else, or they are too many.
 */
export function targetsOf(context: TargetContext, property: Property): readonly Minor[] | undefined {
  const { program, graphs, cells } = context;
  const { kind, condition } = property;
  const leaves = leavesOf(property);
  if (kind === 'stuck' || leaves.some((leaf) => leaf.kind === 'drained')) return undefined;
  const isFinal = kind !== 'never';
  const code = compileProgram(program);
  const isEnd = (thread: ThreadId, location: number): boolean =>
    leavingTransitions(code, thread, location).length === 0;
  const valueIn = (leaf: StateLeaf, thread: ThreadId, node: number): number => {
    const { location, registers } = at(at(graphs.threads, thread).states, node);
    if (leaf.kind === 'at') return leaf.location === location ? 1 : 0;
    if (leaf.kind === 'ended') return isEnd(thread, location) ? 1 : 0;
    return leaf.kind === 'register' ? at(registers, leaf.register) : 0;
  };
  const aspects: Aspect[] = [];
  for (const thread of program.threads.keys()) {
    const own = leaves.filter((leaf) => 'thread' in leaf && leaf.thread === thread);
    if (own.length === 0 && !isFinal) continue;
    const views = new Map<string, number[]>();
    for (const node of nodesOf(context, thread)) {
      const { location } = at(at(graphs.threads, thread).states, node);
      if (isFinal && !isEnd(thread, location)) continue;
      const view = own.map((leaf) => valueIn(leaf, thread, node)).join();
      const members = views.get(view);
      if (members) members.push(node);
      else views.set(view, [node]);
    }
    aspects.push({ kind: 'thread', index: thread, members: [...views.values()] });
  }
  const addresses = new Set(leaves.flatMap((leaf) => (leaf.kind === 'memory' ? [leaf.address] : [])));
  const known = new Map<number, number>();
  for (const address of addresses) {
    const cell = cells.cell(address);
    known.set(address, cell);
    const count = graphs.values[cell] ?? 1;
    // A cell that nobody accesses keeps its value.
    if (cell < graphs.values.length)
      aspects.push({
        kind: 'cell',
        index: cell,
        members: Array.from({ length: count }, (_, id) => [id]),
      });
  }
  let chosen: (readonly (readonly number[])[])[] = [[]];
  for (const { members } of aspects) {
    chosen = chosen.flatMap((some) => members.map((own) => [...some, own]));
    if (chosen.length > maxTargets) return undefined;
  }
  const targets: Minor[] = [];
  for (const choice of chosen) {
    const nodeOf = new Map<number, number>();
    const valueOf = new Map<number, number>();
    aspects.forEach(({ kind: what, index }, i) => {
      (what === 'thread' ? nodeOf : valueOf).set(index, choice[i]![0]!);
    });
    const holds = evaluateExpression(condition, (leaf: StateLeaf) => {
      if (leaf.kind === 'memory') {
        const cell = known.get(leaf.address)!;
        return cells.value(cell, valueOf.get(cell) ?? 0);
      }
      return valueIn(leaf, leaf.thread, nodeOf.get(leaf.thread)!);
    });
    if ((holds !== 0) === (kind === 'finally')) continue;
    let minors: Minor[] = [unknown(context)];
    aspects.forEach(({ kind: what, index }, i) => {
      minors = minors.flatMap((minor) =>
        choice[i]!.map((one) =>
          what === 'thread'
            ? { ...minor, nodes: minor.nodes.with(index, one) }
            : { ...minor, memory: minor.memory.with(index, one) },
        ),
      );
    });
    if (targets.length + minors.length > maxTargets) return undefined;
    for (const minor of minors)
      targets.push(
        ...(isFinal
          ? withLocks(context, minor)
          : whilePending(context, minor, addresses.size > 0)),
      );
  }
  return targets;
}
