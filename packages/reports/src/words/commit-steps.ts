import type { Computation } from '@fencewright/model/trace/computation.js';
import type { CycleEdge } from '@fencewright/model/verdict/verdict.js';

/**
 * For each issue of a computation, by index, the index of the `store` that completes the issue;
 * absent if the store is still buffered at the end.
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
 * The steps that an edge orders. A store counts at its issue for `po`, else at its commit to memory
 * (unless read early).
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
