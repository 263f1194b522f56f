import type { CostChoice as KnownCosts } from '@fencewright/core';

/** A cost model as the user names it; plain data, so that a worker can be given it. */
export type CostChoice =
  | Exclude<KnownCosts, { readonly kind: 'text' }>
  /** The costs are in a file. */
  | { readonly kind: 'file'; readonly file: string };

export const defaultSeed = 1;
export const defaultRuns = 100;
