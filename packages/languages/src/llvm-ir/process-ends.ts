import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { ProcessEnd } from '@fencewright/model/program/program.js';
import type { Edge, Step, StepGraph } from './step.js';
import type { ThreadCells, WrittenEnds } from './write-thread.js';

/** The threads of a program, as they were lowered and as they are written. */
interface Threads {
  /** `main` too, where it is none of the program. */
  readonly lowered: readonly { readonly id: number; readonly graph: StepGraph }[];
  /** In the order of the program. */
  readonly ids: readonly number[];
  readonly written: readonly WrittenEnds[];
  /** What there is to wait for threads with. */
  readonly cells: ReadonlyMap<number, ThreadCells>;
}

/**
 * How the process ends: `main` returns, or a thread ends it by a call. Where `main` is no thread of
 * the program, and behind the last that it does there, it has still to join threads.
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

/** The threads that are joined on ways to an edge, by no step of the program. */
function lateJoins(
  edges: readonly Edge[],
  { from: end }: Edge,
  ids: readonly number[],
  cells: Threads['cells'],
): ProcessEnd['awaits'] {
  const before = new Set([end]);
  // Additions during the iteration are visited too.
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
