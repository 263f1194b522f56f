/** A limit is reached in the middle of a long computation; caught by whoever has the budget. */
export class LimitReached extends Error {}

/** Tells how much work was done, in comparisons of small markings or the like; throws `LimitReached` now and then. */
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
