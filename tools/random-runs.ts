/** Whether tests run at length: `npm run campaigns`. */
export const isCampaign = process.env.FENCEWRIGHT_CAMPAIGN !== undefined;

/** Whether tests have to notice a mutation: `tools/mutation-check.mjs`. */
export const isMutated = process.env.FENCEWRIGHT_MUTATED !== undefined;

/** Returns the bound of a test: `usual` in `npm test`, `long` in a campaign. */
export function inCampaign<T = number>(usual: T, long: T): T {
  return isCampaign ? long : usual;
}

/**
 * Returns the number of random cases of a test: `usual`, with which it notices the mutations;
 * `long` in a campaign; `short` in `npm test`, where the usual ones take long. FENCEWRIGHT_RUNS
 * takes precedence.
 */
export function randomRuns(usual: number, long: number, short = usual): number {
  return Number(process.env.FENCEWRIGHT_RUNS ?? inCampaign(isMutated ? usual : short, long));
}

/** Returns the seed of random cases; FENCEWRIGHT_SEED takes precedence. */
export function randomSeed(usual: number): number {
  return Number(process.env.FENCEWRIGHT_SEED ?? usual);
}
