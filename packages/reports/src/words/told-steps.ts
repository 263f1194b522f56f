import { at } from '@fencewright/ground/base/at.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  addedCells,
  threadCells,
  type ThreadCell,
} from '@fencewright/model/program/thread-cells.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import { callsInWords, stepSentence, threadName } from './action-words.js';
import { blockSteps } from './block-steps.js';
import { testsOwnSwap } from './found-condition.js';
import { instructionTexts, saysNothing } from './instruction-texts.js';
import { conditionCells, libraryStep } from './library-steps.js';
import { accessedValue } from './pointer-values.js';
import { passesCheck } from './passed-check.js';

/** A step of an execution, as reports tell it to users. */
export interface ToldStep {
  /** The index of the step's last action. */
  readonly index: number;
  /** The step as a sentence: `t1 issues x = 1`. */
  readonly sentence: string;
  /** The start, end or join of a thread by the step; absent for other steps. */
  readonly threadStep?: ThreadStep;
  /**
   * A step on a block of allocated memory, a lock or a condition variable, with a verb of its own;
   * absent for other steps.
   */
  readonly named?: NamedStep;
}

/** A step with a verb of its own: `frees` a block, `locks` a mutex. */
interface NamedStep {
  readonly verb: string;
  /** The name of the block or cell. */
  readonly target: string;
}

/**
 * A step that starts, ends, joins or wakes a thread, or lets a thread sleep; front ends compile
 * such steps to accesses.
 */
export interface ThreadStep {
  readonly what: 'start' | 'end' | 'join' | 'sleep' | 'wake';
  readonly thread: string;
  /** The variable on which the thread sleeps; absent for other steps. */
  readonly on?: string;
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
 * Returns the start, end, sleep or waking of a thread that the access to a thread's cell is;
 * `undefined` if none.
 */
function threadStepOf(
  program: Program,
  action: Action,
  { use, thread }: ThreadCell,
): ThreadStep | undefined {
  if (action.kind !== 'rmw' && action.kind !== 'store') return undefined;
  if (use === 'start') return { what: 'start', thread };
  if (use === 'sleep' && action.kind === 'store') {
    if (action.value === 0) return { what: 'wake', thread };
    return { what: 'sleep', thread, on: accessedValue(program, action).replace(/^&/, '') };
  }
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
 * Returns, for each action of blocks that wait only for cells added by a front end, its step by the
 * index of the action. The last action of such a block is the join of a thread. All other actions
 * have `undefined`: reports leave them out.
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
    if (!first || first.use === 'sleep' || accessed.includes(undefined)) continue;
    for (const [i] of block) told.set(i, undefined);
    const [last] = at(block, block.length - 1);
    if (first.use === 'done') told.set(last, { what: 'join', thread: first.thread });
  }
  return told;
}

/**
 * Returns the steps of a computation in words, without steps meaningless to users: steps of C
 * within a thread, passed checks added by a front end, accesses to the cells for starting and
 * joining threads, and the begin and end of library functions of C executed as one step. Without
 * store buffers, a store is one step.
 */
export function toldSteps(program: Program, computation: Computation): readonly ToldStep[] {
  const texts = instructionTexts(program, computation);
  const cells = threadCells(program);
  const waiting = waits(computation, cells);
  const areAtOnce = isWithoutBuffers(computation);
  const isC = isOfC(program);
  const ofBlocks = isC ? blockSteps(program, computation) : new Map<number, NamedStep>();
  const conditions = isC ? conditionCells(program, computation) : new Set<number>();
  const added = addedCells(program);
  const ownNames = isC ? [...added].map((address) => formatAddress(program, address)) : [];
  const told = computation.flatMap((action, index): ToldStep[] => {
    const own = 'address' in action ? cells.get(action.address) : undefined;
    if (waiting.has(index) || own) {
      const threadStep = own ? threadStepOf(program, action, own) : waiting.get(index);
      if (!threadStep) return [];
      const by = threadName(program, action.thread);
      return [{ index, sentence: `${by} ${threadStepInWords(threadStep, by)}`, threadStep }];
    }
    if (areAtOnce && action.kind === 'issue') return [];
    const ofLibrary = isC ? libraryStep(program, action, conditions) : undefined;
    const named =
      ofBlocks.get(index) ??
      (typeof ofLibrary === 'object'
        ? { verb: ofLibrary.verb, target: formatAddress(program, ofLibrary.address) }
        : undefined);
    if (named) {
      const { verb, target } = named;
      const calls = callsInWords(program, action);
      const by = threadName(program, action.thread);
      return [{ index, sentence: `${by} ${verb} ${target}${calls}`, named }];
    }
    if (ofLibrary === 'untold') return [];
    if ('address' in action && added.has(action.address)) return [];
    const text = at(texts, index);
    if (action.kind === 'local' && ownNames.some((name) => text.includes(name))) return [];
    if (isMark(program, action) || saysNothing(program, action, text)) return [];
    if (passesCheck(program, action)) return [];
    if (isC && action.kind === 'local' && text.startsWith('assume(') && testsOwnSwap(text))
      return [];
    if (isC && (action.kind === 'lock' || action.kind === 'unlock')) return [];
    return [{ index, sentence: stepSentence(program, action, text) }];
  });
  return isC ? withoutRepetitions(computation, told) : told;
}

/** Returns the action of a thread, to be read after the thread's name: `joins t1`, `ends`. */
export function threadStepInWords({ what, thread, on = '' }: ThreadStep, by: string): string {
  switch (what) {
    case 'end':
      return 'ends';
    case 'sleep':
      return `sleeps in futex wait on ${on}`;
    case 'wake':
      return thread === by ? 'wakes up' : `wakes ${thread}`;
    default:
      return `${what}s ${thread}`;
  }
}

/**
 * Returns the steps without repeated conditions: a step is left out if the last local step of its
 * thread found the same condition, and the thread has not accessed memory since. Compilers produce
 * such steps when they test the result of a test.
 */
function withoutRepetitions(
  computation: Computation,
  told: readonly ToldStep[],
): readonly ToldStep[] {
  const last = new Map<number, string>();
  return told.filter(({ index, sentence, threadStep }) => {
    const { kind, thread } = at(computation, index);
    const isRepeated = kind === 'local' && last.get(thread) === sentence;
    if (kind === 'local') last.set(thread, sentence);
    else if (!threadStep) last.delete(thread);
    return !isRepeated;
  });
}
