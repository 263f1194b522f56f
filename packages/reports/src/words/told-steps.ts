import { at } from '@fencewright/ground/base/at.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import type { Program } from '@fencewright/model/program/program.js';
import { threadCells, type ThreadCell } from '@fencewright/model/program/thread-cells.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import { stepSentence, threadName } from './action-words.js';
import { instructionTexts, saysNothing } from './instruction-texts.js';
import { passesCheck } from './passed-check.js';

/** A step of an execution, as reports tell it to users. */
export interface ToldStep {
  /** The index of the step's last action. */
  readonly index: number;
  /** The step as a sentence: `t1 issues x = 1`. */
  readonly sentence: string;
  /** The start, end or join of a thread that the step is; absent for other steps. */
  readonly threadStep?: ThreadStep;
}

/** A step that starts, ends or joins a thread, which front ends compile to accesses. */
export interface ThreadStep {
  readonly what: 'start' | 'end' | 'join';
  readonly thread: string;
}

/** Whether every store of a computation reaches memory at once, as under SC. */
export function isWithoutBuffers(computation: Computation): boolean {
  return computation.every((action, i) => {
    const next = computation[i + 1];
    return action.kind !== 'issue' || (next?.kind === 'store' && next.thread === action.thread);
  });
}

/** Whether an action executes a mark: an instruction that only marks a position of the C text. */
function isMark({ threads }: Program, { thread, transition }: Action): boolean {
  return threads[thread]?.transitions[transition]?.origin.mark !== undefined;
}

/**
 * Returns the start or end of a thread that the access to a thread's cell is; `undefined` if none.
 */
function threadStepOf({ kind }: Action, { use, thread }: ThreadCell): ThreadStep | undefined {
  if (kind !== 'rmw' && kind !== 'store') return undefined;
  if (use === 'start') return { what: 'start', thread };
  return use === 'done' ? { what: 'end', thread } : undefined;
}

/** The actions of a block of a thread, from `lock` to `unlock`. */
type Block = readonly (readonly [index: number, action: Action])[];

/** Returns the blocks of a computation, each of one thread. */
function blocksOf(computation: Computation): readonly Block[] {
  const open = new Map<number, (readonly [number, Action])[]>();
  const blocks: Block[] = [];
  computation.forEach((action, i) => {
    if (action.kind === 'lock') open.set(action.thread, []);
    const block = open.get(action.thread);
    block?.push([i, action]);
    if (action.kind !== 'unlock' || !block) return;
    blocks.push(block);
    open.delete(action.thread);
  });
  return blocks;
}

/**
 * Returns the blocks that only wait for cells of a front end's own, by the indices of their
 * actions: the last action joins the thread, and the others say nothing.
 */
function waits(
  computation: Computation,
  cells: ReadonlyMap<number, ThreadCell>,
): ReadonlyMap<number, ThreadStep | undefined> {
  const told = new Map<number, ThreadStep | undefined>();
  for (const block of blocksOf(computation)) {
    const accessed = block.flatMap(([, action]) =>
      'address' in action ? [cells.get(action.address)] : [],
    );
    const [first] = accessed;
    if (!first || accessed.includes(undefined)) continue;
    for (const [i] of block) told.set(i, undefined);
    const [last] = at(block, block.length - 1);
    if (first.use === 'done') told.set(last, { what: 'join', thread: first.thread });
  }
  return told;
}

/**
 * Returns the steps of a computation in words, without those that say nothing to users: steps of C
 * within a thread, checks that a front end added and that hold, accesses to the cells by which
 * threads are started and joined, and the begin and end of library functions of C that run as one
 * step. Without store buffers, a store is one step.
 */
export function toldSteps(program: Program, computation: Computation): readonly ToldStep[] {
  const texts = instructionTexts(program, computation);
  const cells = threadCells(program);
  const waiting = waits(computation, cells);
  const areAtOnce = isWithoutBuffers(computation);
  const isC = isOfC(program);
  const inWords = (action: Action, { what, thread }: ThreadStep): string => {
    const by = threadName(program, action.thread);
    return what === 'end' ? `${by} ends` : `${by} ${what}s ${thread}`;
  };
  return computation.flatMap((action, index): ToldStep[] => {
    const own = 'address' in action ? cells.get(action.address) : undefined;
    if (waiting.has(index) || own) {
      const threadStep = own ? threadStepOf(action, own) : waiting.get(index);
      return threadStep ? [{ index, sentence: inWords(action, threadStep), threadStep }] : [];
    }
    const text = at(texts, index);
    if (isMark(program, action) || saysNothing(program, action, text)) return [];
    if (passesCheck(program, action)) return [];
    if (areAtOnce && action.kind === 'issue') return [];
    if (isC && (action.kind === 'lock' || action.kind === 'unlock')) return [];
    return [{ index, sentence: stepSentence(program, action, text) }];
  });
}
