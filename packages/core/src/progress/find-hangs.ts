import type { ThreadId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import type { PackedExploration } from '../exploration/packed-exploration.js';
import type { Hang, WaitingThread } from '../verdict/hang.js';
import { confirmHang } from './confirm-hang.js';
import type { AtRest } from './states-at-rest.js';

/** The threads that SC lets wait for ever, each as in the first such state. */
export function lostUnderSc(rests: readonly AtRest[]): readonly WaitingThread[] {
  const found = new Map<ThreadId, WaitingThread>();
  for (const { isSequential, lost } of rests)
    if (isSequential)
      for (const one of lost) if (!found.has(one.thread)) found.set(one.thread, one);
  return [...found.values()].sort((a, b) => a.thread - b.thread);
}

/**
 * Who waits for ever under TSO and not under SC, in as few states as show it. First, threads that
 * SC always lets get on; then, threads that wait together, or at places, as they never do under SC.
 */
export function findHangs(
  program: Program,
  exploration: PackedExploration,
  rests: readonly AtRest[],
): readonly Hang[] {
  const underSc = new Set(lostUnderSc(rests).map(({ thread }) => thread));
  const isNew = ({ thread }: WaitingThread): boolean => !underSc.has(thread);
  const toHang = ({ state: number, lost }: AtRest, threads: readonly ThreadId[]): Hang => {
    const { computation, state } = exploration.runTo(number);
    confirmHang(program, state, lost);
    return { threads, waiting: lost, state, computation };
  };
  const hangs: Hang[] = [];
  const told = new Set<ThreadId>();
  for (const rest of rests) {
    const threads = rest.lost.filter(isNew).map(({ thread }) => thread);
    if (threads.every((thread) => told.has(thread))) continue;
    for (const thread of threads) told.add(thread);
    hangs.push(toHang(rest, threads));
  }
  if (hangs.length > 0) return hangs;
  const other = rests.find((rest) => isOfTsoAlone(rest, rests));
  return other ? [toHang(other, [])] : [];
}

/** Whether threads wait as they do in no state at rest of SC, whatever others do there. */
function isOfTsoAlone(rest: AtRest, rests: readonly AtRest[]): boolean {
  const keys = waitingKeys(rest);
  if (rest.isSequential || keys.length === 0) return false;
  return !rests.some((other) => {
    if (!other.isSequential) return false;
    const known = new Set(waitingKeys(other));
    return keys.every((key) => known.has(key));
  });
}

/** Who waits, and where; a thread that goes round by itself does so wherever it is. */
function waitingKeys({ ways }: AtRest): readonly string[] {
  return ways.flatMap(({ thread, kind, places }) => {
    if (kind === 'endless') return [];
    return [`${thread} ${kind === 'busy' ? kind : places.join()}`];
  });
}
