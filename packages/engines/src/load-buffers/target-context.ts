import { at } from '@fencewright/ground/base/at.js';
import type { CellDirectory } from '../automata/cell-directory.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { any, nobody, type Minor } from './minor.js';
import type { ThreadGraphs } from './thread-graph.js';

/** The largest number of targets of a question. */
export const maxTargets = 20_000;

/** The context of a question. */
export interface TargetContext {
  readonly program: Program;
  readonly graphs: ThreadGraphs;
  readonly cells: CellDirectory;
}

function hasLocks({ graphs }: TargetContext): boolean {
  return graphs.threads.some(({ states }) => states.some(({ holdsLock }) => holdsLock));
}

/** The reachable nodes of a thread's graph. */
export function nodesOf({ graphs }: TargetContext, thread: ThreadId): readonly number[] {
  const { initial, edges } = at(graphs.threads, thread);
  return [...new Set([initial, ...edges.map(({ to }) => to)])];
}

export function unknown({ graphs }: TargetContext): Minor {
  return {
    nodes: graphs.threads.map(() => any),
    memory: graphs.values.map(() => any),
    words: graphs.threads.map(() => []),
    lock: nobody,
    isFrozen: false,
  };
}

/** The minor with each thread, or nobody, as the holder of the bus lock, as nodes allow. */
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
 * The configurations with threads at given nodes, whatever the store buffers still hold. Without
 * bus locks, such configurations with empty buffers suffice, since buffers can be drained.
 */
export function whilePending(
  context: TargetContext,
  minor: Minor,
  seesMemory: boolean,
): readonly Minor[] {
  if (!seesMemory && !minor.pending && !hasLocks(context)) return [minor];
  return withLocks(context, { ...minor, isFrozen: true });
}
