import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Postponed, PostponedEvent, PostponedState, Way } from './postponed-state.js';
import type { ThreadSymmetry } from './symmetry.js';

/**
 * Returns a function that gives a rank to each thread, by which threads with equal code are sorted.
 * The rank encodes the facts about the thread in `postponed`, which the words of the state do not
 * contain.
 */
function rankIn(postponed: Postponed | undefined): (thread: ThreadId) => number {
  return (thread) =>
    (postponed?.thread === thread ? 2 : 0) + (postponed?.threads.has(thread) ? 1 : 0);
}

/**
 * Returns the postponed load for a state in which threads with equal code have been sorted: each
 * thread is renamed as the sorting has moved it.
 */
function movedTo(
  symmetry: ThreadSymmetry,
  { thread, step, threads, mustStore, ...others }: Postponed,
  moved: readonly ThreadId[],
): Postponed {
  const own = moved.indexOf(thread);
  return {
    ...others,
    thread: own,
    step: symmetry.stepOf(step, thread, own),
    threads: new Set([...threads].map((one) => moved.indexOf(one))),
    ...(mustStore && {
      mustStore: { ...mustStore, step: symmetry.stepOf(mustStore.step, thread, own) },
    }),
  };
}

/**
 * Returns the representative of all states that differ from the given state by exchanges of threads
 * with equal code; the words of the given state are sorted in place.
 */
export function withSortedThreads(symmetry: ThreadSymmetry, state: PostponedState): PostponedState {
  const { monitored, postponed, way } = state;
  const moved = symmetry.sort(monitored, rankIn(postponed));
  if (!moved) return state;
  return {
    ...state,
    way: { before: way, moved },
    ...(postponed && { postponed: movedTo(symmetry, postponed, moved) }),
  };
}

/**
 * Returns the events of a linked list, first event first, as steps of the threads of one execution.
 * The list has the threads of sorted states, so the function also returns, for each thread of the
 * last state, the thread of the execution that it represents.
 */
export function runOf(
  symmetry: ThreadSymmetry,
  way: Way,
  threads: number,
): {
  readonly run: readonly (PostponedEvent | 'postponed')[];
  readonly standing: readonly ThreadId[];
} {
  const links: Way[] = [];
  for (let one: Way | undefined = way; one; one = one.before) links.push(one);
  let standing: readonly ThreadId[] = Array.from({ length: threads }, (_, thread) => thread);
  const run: (PostponedEvent | 'postponed')[] = [];
  for (const { event, moved } of links.reverse()) {
    if (event) run.push(event === 'postponed' ? event : symmetry.renamed(event, standing));
    if (moved) standing = moved.map((thread) => at(standing, thread));
  }
  return { run, standing };
}
