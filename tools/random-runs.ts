/**
 * Whether tests run at length (`npm run campaigns`), instead of as long as it takes to notice the
 * mutations (`tools/mutation-check.mjs`).
 */
export const isCampaign = process.env.FENCEWRIGHT_CAMPAIGN !== undefined;

/** A bound of a test: of `npm test`, and of a campaign. */
export function inCampaign(usual: number, long: number): number {
  return isCampaign ? long : usual;
}

/**
 * How many random cases a test makes: `usual` in `npm test`, `long` in a campaign; FENCEWRIGHT_RUNS
 * has the last word.
 */
export function randomRuns(usual: number, long: number): number {
  return Number(process.env.FENCEWRIGHT_RUNS ?? inCampaign(usual, long));
}

/** Returns the seed of random cases; FENCEWRIGHT_SEED takes precedence. */
export function randomSeed(usual: number): number {
  return Number(process.env.FENCEWRIGHT_SEED ?? usual);
}
