import type { Budget } from '../base/budget.js';

/** Thrown when a limit is reached during a long computation; caught by the owner of the budget. */
export class LimitReached extends Error {}

/** Reports work done, in comparisons of small markings or the like; may throw `LimitReached`. */
export type Spend = (work: number) => void;

/** The work between two checks of the limits, some milliseconds' worth. */
const workBetweenLooks = 50_000;

/** Checks from time to time, as work is done, whether a limit is reached. */
export function watchLimits(isReached: () => boolean): Spend {
  let left = workBetweenLooks;
  return (work) => {
    left -= work;
    if (left > 0) return;
    left = workBetweenLooks;
    if (isReached()) throw new LimitReached();
  };
}

/** For computations known to be short. */
export const unwatched: Spend = () => undefined;

/** The number of bytes read in the time of a comparison. */
const bytesPerWork = 20;

/**
 * A callback for reading a large input, to be called with the number of bytes read; throws
 * `LimitReached` when the budget is spent.
 */
export function watchReading(budget: Budget): (bytes: number) => void {
  let bytes = 0;
  const spend = watchLimits(() => budget.isSpent(bytes));
  return (more) => {
    bytes += more;
    spend(more / bytesPerWork);
  };
}
