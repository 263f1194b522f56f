import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { ProcessEnd } from '@fencewright/model/program/program.js';
import { outgoing } from './graph-passes.js';
import type { StepNode, LoweredStep, StepGraph } from './step.js';
import type { ThreadCells, WrittenEnds } from './write-thread.js';

/** The threads of a program, as graphs and as written automata. */
interface Threads {
  /**
   * The lowered threads with their numbers, with `main` even if the program has no thread for
   * `main`.
   */
  readonly lowered: readonly { readonly id: number; readonly graph: StepGraph }[];
  /** The numbers of the threads, indexed by thread of the program. */
  readonly ids: readonly number[];
  readonly written: readonly WrittenEnds[];
  /** By number of a thread, the cells through which other threads wait for the thread's end. */
  readonly cells: ReadonlyMap<number, ThreadCells>;
}

/**
 * The ends of the process: returns from `main`, and calls of `exit`. `awaits` lists the threads
 * that `main` has to join before its end without a step of the program.
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
 * By node of the graph, the threads joined on paths to the node without a step of the program, each
 * with the place of one join.
 */
function lateJoins(
  graph: StepGraph,
  ids: readonly number[],
  cells: Threads['cells'],
): readonly ReadonlyMap<ThreadId, Await>[] {
  const joins = Array.from({ length: graph.nodes }, () => new Map<ThreadId, Await>());
  const pending: StepNode[] = [];
  const add = (node: StepNode, joined: Await): void => {
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

function isLate(
  step: LoweredStep,
  cells: Threads['cells'],
): step is Extract<LoweredStep, { kind: 'join' }> {
  return step.kind === 'join' && cells.get(step.thread)?.done === undefined;
}
