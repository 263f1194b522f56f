import { InvalidArgumentError } from 'commander';
import type { Copies } from '../run-settings.js';

/** The maximal number of instances; a larger number counts as a typing error. */
const mostInstances = 1_000;

/** Numbers of copies of a thread, or instances of an event: `t=1..4`, `t=3`, and `t=*` for any. */
export interface CopyRange {
  readonly thread: string;
  readonly low: number;
  readonly high: number;
  readonly isAny?: true;
}

/** Returns the number of instances with numbers in the ranges. */
function countOf(ranges: readonly CopyRange[]): number {
  return ranges.reduce((product, { low, high }) => product * (high - low + 1), 1);
}

/** Reads the argument of `--copies` or `--threads`, which may be repeated or contain commas. */
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

/** Returns the threads with any number of copies. */
export function anyNumberOf(ranges: readonly CopyRange[]): readonly string[] {
  return ranges.flatMap(({ thread, isAny }) => (isAny ? [thread] : []));
}

/**
 * Returns all instances with numbers in the ranges, the last thread's numbers running fastest;
 * `undefined` if no numbers are given.
 */
export function instancesOf(ranges: readonly CopyRange[]): readonly Copies[] | undefined {
  const counted = ranges.filter(({ isAny }) => !isAny);
  if (counted.length === 0) return undefined;
  let instances: Copies[] = [{}];
  for (const { thread, low, high } of counted) {
    const counts = Array.from({ length: high - low + 1 }, (_, i) => low + i);
    instances = instances.flatMap((rest) => counts.map((count) => ({ ...rest, [thread]: count })));
  }
  return instances;
}
