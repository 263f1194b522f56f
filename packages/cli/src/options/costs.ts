import type { CostChoice } from '@fencewright/core';
import { defaults } from '@fencewright/core/words';
import { parsedOr, text, type ValuesOf } from './declare.js';
import { wholeFrom } from './values.js';

/** Declares the options that choose a cost model. */
export const costOptions = (help: string) => ({
  cost: text('--cost <size|profile|FILE>', help),
  seed: parsedOr(
    '--seed <n>',
    'for --cost profile: which random runs',
    wholeFrom(0),
    defaults.profile.seed,
  ),
  runs: parsedOr(
    '--runs <n>',
    'for --cost profile: how many random runs',
    wholeFrom(1),
    defaults.profile.runs,
  ),
});

/** The values of `--cost` that name no file. */
export const costsWithoutFile: readonly unknown[] = [undefined, 'size', 'profile'];

/**
 * Returns the cost model that the options choose, or the file with the costs; empty if the options
 * choose none.
 */
export function costsOf({ cost, seed, runs }: ValuesOf<ReturnType<typeof costOptions>>): {
  readonly costs?: CostChoice;
  readonly costsFile?: string;
} {
  if (cost === undefined) return {};
  if (cost === 'size') return { costs: { kind: 'size' } };
  return cost === 'profile' ? { costs: { kind: 'profile', seed, runs } } : { costsFile: cost };
}
