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

/** Asks, each time that some work was done, whether a limit is reached. */
export function watchLimits(isReached: () => boolean): Spend {
  let left = workBetweenLooks;
  return (work) => {
    left -= work;
    if (left > 0) return;
    left = workBetweenLooks;
    if (isReached()) throw new LimitReached();
  };
}

/** For computations that are known to be short. */
export const unwatched: Spend = () => undefined;

/** Bytes read that take as long as a comparison. */
const bytesPerWork = 20;

/**
 * For the reading of a large input: to be told of the bytes that were taken; throws `LimitReached`
 * where the budget has no more.
 */
export function watchReading(budget: Budget): (bytes: number) => void {
  let bytes = 0;
  const spend = watchLimits(() => budget.isSpent(bytes));
  return (more) => {
    bytes += more;
    spend(more / bytesPerWork);
  };
}
