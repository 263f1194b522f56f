import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { compileC11 } from './c11-steps.js';
import { computeFutures, type Future } from './futures.js';
import { searchMonitor } from './monitor-search.js';
import { limitOf } from './limit-of.js';
import { MonitoredProgram } from './monitor-steps.js';
import { unsupportedIn } from './unsupported.js';

/** Returns whether a thread executes the access or fence at a location only while it runs alone. */
type IsAlone = (thread: ThreadId, location: LocationId) => boolean;

/** Whether, in a state, each thread but the given one has ended or waits for ever. */
function areOthersOver(program: MonitoredProgram, state: Int32Array, thread: ThreadId): boolean {
  const { threads } = program.code.code;
  return threads.every((leaving, other) => {
    const place = other === thread ? undefined : program.placeOf(state, other);
    return !place || at(leaving, place.location).length === 0;
  });
}

/**
 * Whether a thread's knowledge excludes old stores of all cells that the thread may still access.
 */
function knowsAll(
  { layout }: MonitoredProgram,
  state: Int32Array,
  thread: ThreadId,
  { cells }: Future,
): boolean {
  const view = layout.current[thread]![0]!;
  for (let cell = 0; cell < layout.cells; cell++)
    if ((cells >> cell) & 1 && state[view + cell] !== 0) return false;
  return true;
}

/**
 * Returns a predicate on threads and locations: whether the thread executes the access or fence at
 * the location only when all other threads have ended and all their steps happen before it. If so,
 * the memory order at the location makes no difference. Returns `undefined` if the search has no
 * answer: the check does not support the program, the program may load old stores, or a limit ends
 * the search.
 */
export async function findAloneSteps(
  program: Program,
  model: C11Model,
  budget: Budget,
): Promise<IsAlone | undefined> {
  if (unsupportedIn(program)) return undefined;
  try {
    return await searchAlone(program, model, budget);
  } catch (error) {
    limitOf(error);
    return undefined;
  }
}

/**
 * Computes the result of `findAloneSteps` by visiting all states. Throws the exceptions of steps.
 */
async function searchAlone(
  program: Program,
  model: C11Model,
  budget: Budget,
): Promise<IsAlone | undefined> {
  const code = compileC11(program);
  const monitored = new MonitoredProgram(code, model);
  const futures = computeFutures(code, monitored.cells);
  const { table, stale, incomplete } = await searchMonitor(monitored, budget, { isWhole: true });
  if (stale || incomplete) return undefined;
  const [alone, others] = [0, 1].map(() => program.threads.map(() => new Set<LocationId>()));
  for (let index = 0; index < table.size; index++) {
    const state = table.get(index);
    for (const thread of program.threads.keys()) {
      const location = monitored.placeOf(state, thread)?.location;
      if (location === undefined) continue;
      const isAlone =
        areOthersOver(monitored, state, thread) &&
        knowsAll(monitored, state, thread, at(at(futures, thread), location));
      (isAlone ? alone! : others!)[thread]!.add(location);
    }
  }
  return (thread, location) =>
    at(alone!, thread).has(location) && !at(others!, thread).has(location);
}
