import type { QueuedJob } from '@fencewright/fleet';
import { needsCompiler, inputFormats } from '../formats.js';
import { generatorNames } from '../batch/random-subjects.js';
import { batched } from '../verbs/batch.js';
import { loadBatch } from '../verbs/load-batch.js';
import { costsWithoutFile } from '../options/costs.js';
import { strangeValue } from './job-values.js';

/** The names of the programs that the user may allow a worker to run for jobs. */
export const allowable = ['spin', 'z3'] as const;
export type Allowed = (typeof allowable)[number];

/**
 * Returns the reason why a worker refuses a job: unknown values, names of files on the worker's
 * machine, or programs that the worker may not run; `undefined` if the worker accepts the job.
 */
export async function unsafe(
  { settings: { verb, values }, order }: QueuedJob,
  allowed: readonly Allowed[],
): Promise<string | undefined> {
  if (!batched.some((name) => name === verb)) return `there is no job '${verb}'`;
  if ('random' in order && !generatorNames.some((name) => name === order.random.generator))
    return `there is no generator '${order.random.generator}'`;
  if ('format' in order) {
    const format = inputFormats.find((name) => name === order.format);
    if (!format) return `there is no format '${order.format}'`;
    if (needsCompiler(format)) return 'C programs are compiled on the machine that has their files';
  }
  const { options } = await loadBatch(['batch', verb]);
  const strange = strangeValue(values, options);
  if (strange !== undefined) return `'${strange}' has a value that a job of '${verb}' cannot have`;
  if (!costsWithoutFile.includes(values.cost)) return "'cost' names a file of the machine";
  if (values.engine === 'spin' && !allowed.includes('spin'))
    return 'the job runs SPIN, and this worker was started without --allow spin';
  if (values.solver === 'native' && !allowed.includes('z3'))
    return 'the job runs Z3, and this worker was started without --allow z3';
  return undefined;
}
