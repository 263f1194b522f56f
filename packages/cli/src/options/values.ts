import { InvalidArgumentError } from 'commander';

/** The number of bytes in a mebibyte. */
export const mebibyte = 1024 * 1024;

/** The default memory limit of a run, in MiB. */
export const defaultMegabytes = 2048;

/** Returns a parser of whole numbers that are at least `least`. */
export function wholeFrom(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isSafeInteger(value) && value >= least) return value;
    throw new InvalidArgumentError(`It has to be a whole number from ${least} on.`);
  };
}

/** Parses a positive number. */
export function positive(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It has to be a positive number.');
}
