import type { Budget } from '../base/budget.js';

/** A limit is reached in the middle of a long computation; caught by whoever has the budget. */
export class LimitReached extends Error {}

/**
 * Tells how much work was done, in comparisons of small markings or the like; throws `LimitReached`
 * now and then.
 */
export type Spend = (work: number) => void;

/** Work between two looks at the limits, some milliseconds' worth. */
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
