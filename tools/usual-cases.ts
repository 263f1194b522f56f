import { isCampaign, isMutated } from './random-runs.js';

/** Returns the cases of a test: in `npm test` without those that take long. */
export function usualCases<T>(cases: readonly T[], takesLong: (each: T) => boolean): readonly T[] {
  return isCampaign || isMutated ? cases : cases.filter((each) => !takesLong(each));
}
