import { isCampaign, isMutated } from './random-runs.js';

/**
 * Returns the cases of a test: in `npm test` without the cases that `isLeftOut` names, which take
 * long or resemble others. `index` is 0-based.
 */
export function usualCases<T>(
  cases: readonly T[],
  isLeftOut: (each: T, index: number) => boolean,
): readonly T[] {
  return isCampaign || isMutated ? cases : cases.filter((each, i) => !isLeftOut(each, i));
}
