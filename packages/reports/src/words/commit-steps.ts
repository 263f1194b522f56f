import type { Computation } from '@fencewright/model/trace/computation.js';
import type { CycleEdge } from '@fencewright/model/verdict/verdict.js';

/**
 * Returns, for each issue of a computation, the index of the commit (the action `store`) that
 * completes it, by the index of the issue; absent if the store is still buffered at the end.
 */
export function commitSteps(computation: Computation): ReadonlyMap<number, number> {
  const buffers = new Map<number, number[]>();
  const commits = new Map<number, number>();
  computation.forEach((action, i) => {
    const buffer = buffers.get(action.thread) ?? [];
    buffers.set(action.thread, buffer);
    if (action.kind === 'issue') buffer.push(i);
    if (action.kind === 'store') {
      const issue = buffer.shift();
      if (issue !== undefined) commits.set(issue, i);
    }
  });
  return commits;
}

/**
 * Returns the two steps ordered by an edge. A store counts at its issue for `po` and for early
 * reads, otherwise at its commit to memory.
 */
export function stepsOfEdge(
  commits: ReadonlyMap<number, number>,
  computation: Computation,
  { from, to, relation }: CycleEdge,
): readonly [from: number, to: number] {
  if (relation === 'po') return [from, to];
  const reader = computation[to];
  if (relation === 'src' && reader?.kind === 'load' && reader.early) return [from, to];
  return [commits.get(from) ?? from, commits.get(to) ?? to];
}
