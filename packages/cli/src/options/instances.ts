import { InvalidArgumentError } from 'commander';
import type { CopyNumbers } from '../run-settings.js';

/** The maximum number of instances in one run; a larger number is taken for a typing error. */
const mostInstances = 1_000;

/**
 * A range of numbers of copies of a thread, or of instances of an event: `t=1..4`, `t=3`, and `t=*`
 * for any.
 */
export interface CopyRange {
  readonly thread: string;
  readonly low: number;
  readonly high: number;
  readonly isAny?: true;
}

/** Returns the number of instances that the ranges allow. */
function countOf(ranges: readonly CopyRange[]): number {
  return ranges.reduce((product, { low, high }) => product * (high - low + 1), 1);
}

/**
 * Parses the argument of `--copies` or `--threads`, which may contain commas. The options may be
 * repeated.
 */
export function copyRanges(
  text: string,
  before: readonly CopyRange[] | undefined,
): readonly CopyRange[] {
  const ranges = text.split(',').map((part): CopyRange => {
    const [, any] = /^\s*([^=\s]+)\s*=\s*\*\s*$/.exec(part) ?? [];
    if (any !== undefined) return { thread: any, low: 0, high: 0, isAny: true };
    const match = /^\s*([^=\s]+)\s*=\s*(\d+)(?:\.\.(\d+))?\s*$/.exec(part);
    const [, thread = '', low = '', high = low] = match ?? [];
    if (!match || Number(low) > Number(high) || Number(high) > 64)
      throw new InvalidArgumentError('write name=3, name=1..4 or name=*, with numbers up to 64.');
    return { thread, low: Number(low), high: Number(high) };
  });
  const all = [...(before ?? []), ...ranges];
  if (countOf(all) > mostInstances)
    throw new InvalidArgumentError(`these are more than ${mostInstances} instances.`);
  return all;
}

/** Returns the threads that have any number of copies by the options. */
export function unboundedThreads(ranges: readonly CopyRange[]): readonly string[] {
  return ranges.flatMap(({ thread, isAny }) => (isAny ? [thread] : []));
}

/**
 * Returns all instances that the ranges allow; the number of the last thread changes fastest.
 * Returns `undefined` without ranges.
 */
export function instancesOf(ranges: readonly CopyRange[]): readonly CopyNumbers[] | undefined {
  const counted = ranges.filter(({ isAny }) => !isAny);
  if (counted.length === 0) return undefined;
  let instances: CopyNumbers[] = [{}];
  for (const { thread, low, high } of counted) {
    const counts = Array.from({ length: high - low + 1 }, (_, i) => low + i);
    instances = instances.flatMap((rest) => counts.map((count) => ({ ...rest, [thread]: count })));
  }
  return instances;
}
