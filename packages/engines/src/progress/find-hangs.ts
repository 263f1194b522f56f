import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { PackedExploration } from '../exploration/packed-exploration.js';
import { type Hang, withoutJoiners, type WaitingThread } from '@fencewright/model/verdict/hang.js';
import { confirmHang } from './confirm-hang.js';
import { type AtRest, serves } from './states-at-rest.js';

/** Returns the threads that may wait for ever under SC, each with the first state of waiting. */
export function lostUnderSc(rests: readonly AtRest[]): readonly WaitingThread[] {
  const found = new Map<ThreadId, WaitingThread>();
  for (const { isSequential, lost } of rests)
    if (isSequential)
      for (const one of lost) if (!found.has(one.thread)) found.set(one.thread, one);
  return [...found.values()].sort((a, b) => a.thread - b.thread);
}

/**
 * Whether the thread waits at an `assume` about registers. The registers cannot change while the
 * thread waits, so the `assume` excludes the execution.
 */
function isExcluded({ threads }: Program, { thread, kind, places, reads }: WaitingThread): boolean {
  const next = threads[thread]?.transitions.filter(({ from }) => places.includes(from)) ?? [];
  const isAtAssume = next.every(({ instruction }) => instruction.kind === 'assume');
  return kind === 'waits' && reads.length === 0 && isAtAssume;
}

/**
 * Returns the serving threads, and the threads that wait only for the ends of serving threads. By
 * the program's design, no thread in the result ends.
 */
function endlessByDesign(
  { threads }: Program,
  waiting: readonly WaitingThread[],
): ReadonlySet<ThreadId> {
  const found = new Set<ThreadId>();
  const ends = new Set<number | undefined>();
  const add = (thread: ThreadId): void => {
    found.add(thread);
    ends.add(threads[thread]?.done);
  };
  for (const [thread, one] of threads.entries()) if (serves(one)) add(thread);
  for (let size = -1; size < found.size;) {
    ({ size } = found);
    for (const { thread, reads } of waiting)
      if (reads.length > 0 && reads.every((address) => ends.has(address))) add(thread);
  }
  return found;
}

/**
 * Returns the threads that are deadlocked under SC, each with the first state in which it waits:
 * they wait for ever, although the program means them to end. Serving threads may wait when there
 * is no more work, and so may threads that wait for the ends of serving threads. So both count only
 * in a state in which all threads of the program wait, and no thread goes on to work on private
 * memory. An execution in which a thread waits at an `assume` about registers alone does not count:
 * the `assume` excludes the execution. A thread that joins another waiting thread is left out,
 * unless all waiting threads are such joiners.
 */
export function deadlockedUnderSc(
  program: Program,
  rests: readonly AtRest[],
): readonly WaitingThread[] {
  const found = new Map<ThreadId, WaitingThread>();
  for (const { isSequential, ways, working } of rests) {
    if (!isSequential || ways.some((one) => isExcluded(program, one))) continue;
    const waiting = ways.filter(
      ({ kind, thread }) => kind === 'waits' && !working.includes(thread),
    );
    const isAll = waiting.length === program.threads.length;
    const endless = endlessByDesign(program, waiting);
    const counted = waiting.filter(({ thread }) => isAll || !endless.has(thread));
    for (const one of withoutJoiners(program, counted))
      if (!found.has(one.thread)) found.set(one.thread, one);
  }
  return [...found.values()].sort((a, b) => a.thread - b.thread);
}

/**
 * A state at rest reached only under TSO: some threads wait for ever, in a combination not reached
 * under SC.
 */
interface RestOfTsoAlone {
  readonly rest: AtRest;
  /**
   * The threads that wait for ever in this state at rest, and in no state at rest under SC. Empty
   * if only the combination of waiting threads, or of their locations, never occurs under SC.
   */
  readonly threads: readonly ThreadId[];
}

/**
 * Selects states at rest that show how TSO differs from SC. Each selected state shows a further
 * thread that waits for ever under TSO and never under SC. If there is no such thread, selects one
 * state with a combination of waiting threads, or of their locations, that never occurs under SC.
 */
export function restsOfTsoAlone(rests: readonly AtRest[]): readonly RestOfTsoAlone[] {
  const underSc = new Set(lostUnderSc(rests).map(({ thread }) => thread));
  const found: RestOfTsoAlone[] = [];
  const told = new Set<ThreadId>();
  for (const rest of rests) {
    const threads = rest.lost.map(({ thread }) => thread).filter((one) => !underSc.has(one));
    if (threads.every((thread) => told.has(thread))) continue;
    for (const thread of threads) told.add(thread);
    found.push({ rest, threads });
  }
  if (found.length > 0) return found;
  const other = rests.find((rest) => isOfTsoAlone(rest, rests));
  return other ? [{ rest: other, threads: [] }] : [];
}

/**
 * Returns the threads that wait for ever under TSO and never, or never alike, under SC, each with a
 * run to a state of waiting.
 */
export function findHangs(
  program: Program,
  exploration: PackedExploration,
  rests: readonly AtRest[],
): readonly Hang[] {
  return restsOfTsoAlone(rests).map(({ rest: { state: number, lost }, threads }) => {
    const { computation, state } = exploration.runTo(number);
    confirmHang(program, state, lost);
    return { threads, waiting: lost, state, computation };
  });
}

/**
 * Whether no state at rest under SC has all these threads waiting as they do here (see
 * `waitingKeys`), whatever the remaining threads do.
 */
function isOfTsoAlone(rest: AtRest, rests: readonly AtRest[]): boolean {
  const keys = waitingKeys(rest);
  if (rest.isSequential || keys.length === 0) return false;
  return !rests.some((other) => {
    if (!other.isSequential) return false;
    const known = new Set(waitingKeys(other));
    return keys.every((key) => known.has(key));
  });
}

/**
 * Returns a key for each waiting thread and its locations; the key of a busy thread has no
 * locations.
 */
function waitingKeys({ ways }: AtRest): readonly string[] {
  return ways.flatMap(({ thread, kind, places }) => {
    if (kind === 'endless') return [];
    return [`${thread} ${kind === 'busy' ? kind : places.join()}`];
  });
}
