import { at } from '@fencewright/ground/base/at.js';
import { computeControlFlow } from '@fencewright/model/analysis/control-flow.js';
import { computeLoopDepths } from '@fencewright/model/analysis/loop-depths.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import { type FencePart, singleRepairs, type Repair } from '@fencewright/model/program/repair.js';
import { textThread, threadsOfText } from './text-thread.js';

/**
 * The maximum value of each criterion of a rank. Larger values are reduced to the maximum, so that
 * weights stay small enough to be exact.
 */
const most = { runs: 31, depth: 3, calls: 7, kind: 7 } as const;

/**
 * Returns the part of a rank for the result `near` of `callNearness`: smaller for more calls,
 * largest for -1.
 */
function levelOfNearness(near: number): number {
  return near < 0 ? most.calls : Math.max(0, most.calls - 1 - near);
}

/** The facts about a thread's locations; indexed by `LocationId`. */
interface ThreadPlaces {
  readonly depths: readonly number[];
  /**
   * For each location of the thread, the number of inlined calls that contain it; indexed by
   * `LocationId`.
   */
  readonly calls: readonly number[];
}

function placesIn(thread: Thread): ThreadPlaces {
  const calls = thread.locations.map(() => 0);
  for (const { from, origin } of thread.transitions)
    calls[from] = Math.max(at(calls, from), origin.calls?.length ?? 0);
  return { depths: computeLoopDepths(thread), calls };
}

/**
 * Returns the location of a repair: for an instruction that the repair changes or keeps, the
 * location that the instruction leaves.
 */
function locationOf({ threads }: Program, part: Repair): FencePart {
  if (part.kind === 'fence') return part;
  const { thread, transition } = part;
  return { thread, location: at(at(threads, thread).transitions, transition).from };
}

/**
 * Returns, by thread and location, the smallest rank of the repairs at the location; threads and
 * locations without repairs are absent.
 */
function bestRanks(
  program: Program,
  items: readonly Repair[],
  ranks: readonly number[],
): ReadonlyMap<ThreadId, ReadonlyMap<LocationId, number>> {
  const found = new Map<ThreadId, Map<LocationId, number>>();
  items.forEach((item, index) => {
    for (const part of singleRepairs(item)) {
      const { thread, location } = locationOf(program, part);
      const known = found.get(thread) ?? new Map<LocationId, number>();
      const rank = at(ranks, index);
      known.set(location, Math.min(rank, known.get(location) ?? rank));
      found.set(thread, known);
    }
  });
  return found;
}

/**
 * Whether some path from `start` leads to a load, without a store and without a place for a repair
 * of rank `rank` or smaller in between. `ranks` has the smallest rank of the repairs at each
 * location.
 */
function isBeforeLoad(
  thread: Thread,
  ranks: ReadonlyMap<LocationId, number>,
  start: LocationId,
  rank: number,
): boolean {
  const { outgoing } = computeControlFlow(thread);
  const seen = new Set([start]);
  // Additions during the iteration are visited too.
  for (const location of seen)
    for (const id of at(outgoing, location)) {
      const { to, instruction } = at(thread.transitions, id);
      if (instruction.kind === 'load') return true;
      const isAsGood = (ranks.get(to) ?? Number.POSITIVE_INFINITY) <= rank;
      if (instruction.kind !== 'store' && !isAsGood) seen.add(to);
    }
  return false;
}

/**
 * Returns the rank of each repair, by index: among sets of equal cost, the set with the smallest
 * sum of ranks is chosen. The criteria, most important first:
 *
 * - fewer threads and calls execute the repair, in fewer nested loops;
 * - fewer calls surround it: a function that contains both accesses is better than a function that
 *   it calls. Where the attacks are known (`nearness`, of `callNearness`), more calls, all around
 *   one of the two accesses, are better: the function with the access keeps its order for all
 *   callers;
 * - a smaller `kinds`, the number that says how easily the repair is read at its place in the text;
 *   0 if absent;
 * - a fence is placed before a load, rather than after a store.
 */
export function placeRanks(
  program: Program,
  items: readonly Repair[],
  kinds?: readonly number[],
  nearness?: ReadonlyMap<number, number>,
): readonly number[] {
  const known = new Map<ThreadId, ThreadPlaces>();
  const placesOf = (thread: ThreadId): ThreadPlaces => {
    const found = known.get(thread) ?? placesIn(at(program.threads, thread));
    known.set(thread, found);
    return found;
  };
  const callLevel = (
    index: number,
    largest: (of: (places: ThreadPlaces) => readonly number[]) => number,
  ): number => {
    const near = nearness?.get(index);
    return near === undefined ? largest(({ calls }) => calls) : levelOfNearness(near);
  };
  const ranks = items.map((item, index) => {
    const parts = singleRepairs(item).map((part) => locationOf(program, part));
    const largest = (of: (places: ThreadPlaces) => readonly number[]): number =>
      Math.max(...parts.map(({ thread, location }) => at(of(placesOf(thread)), location)));
    const runs = parts.reduce((sum, { thread }) => {
      return sum + threadsOfText(program, textThread(program, thread)).length;
    }, 0);
    const levels = [
      [runs - 1, most.runs],
      [largest(({ depths }) => depths), most.depth],
      [callLevel(index, largest), most.calls],
      [kinds?.[index] ?? 0, most.kind],
    ] as const;
    return levels.reduce((rank, [level, limit]) => {
      return rank * (limit + 1) + Math.min(level, limit);
    }, 0);
  });
  const best = bestRanks(program, items, ranks);
  return items.map((item, index) => {
    const rank = at(ranks, index);
    const isLate = singleRepairs(item).every((part) => {
      const { thread, location } = locationOf(program, part);
      return isBeforeLoad(at(program.threads, thread), best.get(thread)!, location, rank);
    });
    return 2 * rank + (isLate ? 0 : 1);
  });
}
