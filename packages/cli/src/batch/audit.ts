import { InvalidArgumentError } from 'commander';

/** Reads the argument of `--audit`: `1%`. Returns the part, from 0 to 1. */
export function auditFrom(text: string): number {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(text.trim()) ?? [];
  if (percent === undefined || Number(percent) > 100)
    throw new InvalidArgumentError('write 1% or 0.5%, at most 100%.');
  return Number(percent) / 100;
}

/**
 * Whether a job of a batch is done twice, to compare the results; the fraction `part` of all jobs
 * is. The choice uses digits of the key that do not decide to which part of a divided batch the job
 * belongs.
 */
export function isAudited(key: string, part: number): boolean {
  return Number.parseInt(key.slice(12, 20), 16) < part * 2 ** 32;
}
