import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { ProcessEnd } from '@fencewright/model/program/program.js';
import type { Edge, Step, StepGraph } from './step.js';
import type { ThreadCells, WrittenEnds } from './write-thread.js';

/** The threads of a program, before and after writing. */
interface Threads {
  /** The lowered threads, with `main` even if the program has no thread for `main`. */
  readonly lowered: readonly { readonly id: number; readonly graph: StepGraph }[];
  /** The numbers of the threads, in the order of the program. */
  readonly ids: readonly number[];
  readonly written: readonly WrittenEnds[];
  /** The cells through which threads are awaited. */
  readonly cells: ReadonlyMap<number, ThreadCells>;
}

/**
 * The ends of the process: returns from `main`, and calls of `exit`. `awaits` lists the threads
 * that `main` has to join before its end without a step of the program.
 */
export function processEnds({ lowered, ids, written, cells }: Threads): readonly ProcessEnd[] {
  return lowered.flatMap(({ id, graph }): readonly ProcessEnd[] => {
    const thread = ids.indexOf(id);
    return graph.edges.flatMap((edge): readonly ProcessEnd[] => {
      const { step } = edge;
      if (step.kind !== 'end' || step.isLast === undefined) return [];
      const location = written[thread]?.ends.get(step);
      if (thread >= 0 && location === undefined) return [];
      const awaits = step.isLast === 'exit' ? [] : lateJoins(graph.edges, edge, ids, cells);
      return [{ ...(location !== undefined && { at: { thread, location } }), awaits }];
    });
  });
}

/** The threads joined on paths to an edge without a step of the program. */
function lateJoins(
  edges: readonly Edge[],
  { from: end }: Edge,
  ids: readonly number[],
  cells: Threads['cells'],
): ProcessEnd['awaits'] {
  const before = new Set([end]);
  // The iteration also visits nodes that are added meanwhile.
  for (const node of before) for (const { from, to } of edges) if (to === node) before.add(from);
  const joins = new Map<ThreadId, ProcessEnd['awaits'][number]>();
  for (const { to, step, origin } of edges) {
    if (!before.has(to) || !isLate(step, cells)) continue;
    const thread = ids.indexOf(step.thread);
    if (thread >= 0) joins.set(thread, { thread, ...(origin.span && { span: origin.span }) });
  }
  return [...joins.values()].sort((a, b) => a.thread - b.thread);
}

function isLate(step: Step, cells: Threads['cells']): step is Extract<Step, { kind: 'join' }> {
  return step.kind === 'join' && cells.get(step.thread)?.done === undefined;
}
