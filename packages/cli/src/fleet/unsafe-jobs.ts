import type { QueuedJob } from '@fencewright/fleet';
import { inputFormats } from '../formats.js';
import { cOptions } from '../options/c-files.js';
import { batched } from '../verbs/batch.js';

/** Programs that a worker may be allowed to run for jobs. */
export const allowable = ['spin', 'z3'] as const;
export type Allowed = (typeof allowable)[number];

/** Costs that are no file. */
const plainCosts: readonly unknown[] = [undefined, 'size', 'profile'];

/**
 * Why a worker does not do a job: what it does not know, what names files of its machine, what
 * would run other programs that it has not been allowed. Nothing where it does it.
 */
export function unsafe(
  { settings: { verb, values }, order }: QueuedJob,
  allowed: readonly Allowed[],
): string | undefined {
  if (!batched.some((name) => name === verb)) return `there is no job '${verb}'`;
  if ('format' in order && !inputFormats.some((name) => name === order.format))
    return `there is no format '${order.format}'`;
  if ('format' in order && order.format === 'c') return 'C is compiled where its files are';
  const named = Object.keys(cOptions).find((name) => name !== 'pool' && values[name] !== undefined);
  if (named !== undefined) return `'${named}' names files or programs of the machine`;
  if (!plainCosts.includes(values.cost)) return "'cost' names a file of the machine";
  if (values.engine === 'spin' && !allowed.includes('spin'))
    return 'it runs SPIN, for which this worker has no --allow';
  if (values.solver === 'native' && !allowed.includes('z3'))
    return 'it runs Z3, for which this worker has no --allow';
  return undefined;
}
