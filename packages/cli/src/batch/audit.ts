import { InvalidArgumentError } from 'commander';

/** Reads the argument of `--audit`: `1%`. Returns the part, from 0 to 1. */
export function auditFrom(text: string): number {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(text.trim()) ?? [];
  if (percent === undefined || Number(percent) > 100)
    throw new InvalidArgumentError('write 1% or 0.5%, at most 100%.');
  return Number(percent) / 100;
}

/**
 * Whether a job is to be done twice, to compare the results; `part` of all jobs are. The digits of
 * the key that decide are not used to split a batch.
 */
export function isAudited(key: string, part: number): boolean {
  return Number.parseInt(key.slice(12, 20), 16) < part * 2 ** 32;
}
