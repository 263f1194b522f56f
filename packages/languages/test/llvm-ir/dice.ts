import { SeededRandom } from '@fencewright/ground/base/random.js';

/** Returns random choices for generators; equal seeds give equal choices. */
export function diceOf(seed: number) {
  const random = new SeededRandom(seed);
  const below = (n: number): number => random.below(n);
  return {
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)]!,
    /** Returns true with this probability. */
    chance: (percent: number): boolean => below(100) < percent,
  };
}
