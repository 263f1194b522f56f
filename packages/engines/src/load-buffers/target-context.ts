import { at } from '@fencewright/ground/base/at.js';
import type { CellDirectory } from '../automata/cell-directory.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { any, noHolder, type Minor } from './minor.js';
import type { ThreadGraphs } from './thread-graph.js';

/** The maximum number of minors (descriptions of target configurations) for one question. */
export const maxTargets = 20_000;

/** The program, the graphs of the threads and the cells, as context for target configurations. */
export interface TargetContext {
  readonly program: Program;
  readonly graphs: ThreadGraphs;
  readonly cells: CellDirectory;
}

function hasLocks({ graphs }: TargetContext): boolean {
  return graphs.threads.some(({ states }) => states.some(({ holdsLock }) => holdsLock));
}

/** Returns the reachable nodes of a thread's graph. */
export function nodesOf({ graphs }: TargetContext, thread: ThreadId): readonly number[] {
  const { initial, edges } = at(graphs.threads, thread);
  return [...new Set([initial, ...edges.map(({ to }) => to)])];
}

export function unknown({ graphs }: TargetContext): Minor {
  return {
    nodes: graphs.threads.map(() => any),
    memory: graphs.values.map(() => any),
    words: graphs.threads.map(() => []),
    lock: noHolder,
    isFrozen: false,
  };
}

/**
 * Returns one copy of the minor for each holder of the bus lock, a thread or nobody, that the nodes
 * of the threads allow.
 */
export function withLocks(context: TargetContext, minor: Minor): readonly Minor[] {
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
 * Returns the configurations with threads at given nodes, whatever their store buffers hold.
 * Without bus locks, such configurations with empty buffers are enough, since buffers can be
 * drained. `seesMemory`: whether the target depends on memory.
 */
export function whilePending(
  context: TargetContext,
  minor: Minor,
  seesMemory: boolean,
): readonly Minor[] {
  if (!seesMemory && !minor.pending && !hasLocks(context)) return [minor];
  return withLocks(context, { ...minor, isFrozen: true });
}
