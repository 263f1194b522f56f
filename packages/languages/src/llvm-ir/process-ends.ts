import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { ProcessEnd } from '@fencewright/model/program/program.js';
import { outgoing } from './graph-passes.js';
import type { Node, Step, StepGraph } from './step.js';
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
    const ends = graph.edges.filter(({ step }) => step.kind === 'end' && step.isLast !== undefined);
    if (ends.length === 0) return [];
    const joins = lateJoins(graph, ids, cells);
    return ends.flatMap(({ from, step }): readonly ProcessEnd[] => {
      const location = written[thread]?.ends.get(step);
      if (thread >= 0 && location === undefined) return [];
      const isExit = step.kind === 'end' && step.isLast === 'exit';
      const awaits = isExit ? [] : [...joins[from]!.values()];
      awaits.sort((a, b) => a.thread - b.thread);
      return [{ ...(location !== undefined && { at: { thread, location } }), awaits }];
    });
  });
}

type Await = ProcessEnd['awaits'][number];

/**
 * The threads that are joined on a way to a node by no step of the program, each with the place of
 * one such join; indexed by node.
 */
function lateJoins(
  graph: StepGraph,
  ids: readonly number[],
  cells: Threads['cells'],
): readonly ReadonlyMap<ThreadId, Await>[] {
  const joins = Array.from({ length: graph.nodes }, () => new Map<ThreadId, Await>());
  const pending: Node[] = [];
  const add = (node: Node, joined: Await): void => {
    if (joins[node]!.has(joined.thread)) return;
    joins[node]!.set(joined.thread, joined);
    pending.push(node);
  };
  for (const { to, step, origin } of graph.edges) {
    const thread = isLate(step, cells) ? ids.indexOf(step.thread) : -1;
    if (thread >= 0) add(to, { thread, ...(origin.span && { span: origin.span }) });
  }
  const table = outgoing(graph);
  for (let at = pending.pop(); at !== undefined; at = pending.pop())
    for (const { to } of table[at]!) for (const joined of joins[at]!.values()) add(to, joined);
  return joins;
}

function isLate(step: Step, cells: Threads['cells']): step is Extract<Step, { kind: 'join' }> {
  return step.kind === 'join' && cells.get(step.thread)?.done === undefined;
}
