import type { Budget } from '../base/budget.js';

/**
 * Thrown when a limit is reached during a long computation; caught by the caller that has the
 * budget.
 */
export class LimitReached extends Error {}

/**
 * Reports work, in units of about one comparison of two small markings; may throw `LimitReached`.
 */
export type Spend = (work: number) => void;

/**
 * The number of units of work between two checks of the limits; this work takes some milliseconds.
 */
const workBetweenLooks = 50_000;

/** The number of units of work in petri nets that take about as long as storing a state. */
const workPerState = 20;

/**
 * Returns a function to which work is reported; it checks from time to time whether a limit of the
 * budget is reached, and then throws `LimitReached`. `bytes` returns the memory used.
 */
export function watchLimits(budget: Budget, bytes: () => number): Spend {
  let left = workBetweenLooks;
  return (work) => {
    left -= work;
    if (left > 0) return;
    left = workBetweenLooks;
    budget.spend(workBetweenLooks / workPerState);
    if (budget.spentBy(bytes())) throw new LimitReached();
  };
}

/** Ignores reported work; for computations known to be short. */
export const unwatched: Spend = () => undefined;

/** The number of bytes of a text that are read in the time of a unit of work. */
const bytesPerWork = 20;

/**
 * Returns a function to be called with the number of bytes read of a large input; it throws
 * `LimitReached` when the budget is spent.
 */
export function watchReading(budget: Budget): (bytes: number) => void {
  let bytes = 0;
  const spend = watchLimits(budget, () => bytes);
  return (more) => {
    bytes += more;
    spend(more / bytesPerWork);
  };
}
