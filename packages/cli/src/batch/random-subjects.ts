import type { RandomPrograms } from '@fencewright/core';
import type { GeneratorName } from '@fencewright/core/testing';
import { InvalidArgumentError } from 'commander';

/** The names of the generators of random programs; reading the list loads no generator. */
export const generatorNames = [
  'threads',
  'few-values',
  'loops',
  'endless',
  'lock-blocks',
  'rmws',
] as const satisfies readonly GeneratorName[];

/** The number of random programs in one job. */
const chunk = 100;
/** The exclusive upper bound of seeds. */
const seedLimit = 2 ** 31;

/** The seeds from `first` to `last`. */
interface SeedRange {
  readonly first: number;
  readonly last: number;
}

/** Reads the argument of `--random`: `1..1000`. */
export function seedsFrom(text: string): SeedRange {
  const [, low, high] = /^(\d+)\.\.(\d+)$/.exec(text.trim()) ?? [];
  const [first, last] = [Number(low), Number(high)];
  if (high === undefined || first < 1 || first > last || last >= seedLimit)
    throw new InvalidArgumentError('write 1..1000, with seeds from 1 below 2147483648.');
  return { first, last };
}

/**
 * Yields random programs for seeds, in groups of a hundred: 1 to 100, 101 to 200, and so on, so
 * that overlapping ranges have common jobs.
 */
export function* randomSubjects(
  generator: GeneratorName,
  { first, last }: SeedRange,
): Generator<RandomPrograms> {
  for (let from = first; from <= last;) {
    const to = Math.min(last, Math.ceil(from / chunk) * chunk);
    yield { generator, first: from, count: to - from + 1 };
    from = to + 1;
  }
}
