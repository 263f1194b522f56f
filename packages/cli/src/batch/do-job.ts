import type { GeneratorName } from '@fencewright/core/testing';
import { worstOf } from '../exit-codes.js';
import { withKnown } from '../known-answer.js';
import { limitsOf } from '../options/common.js';
import { workOnThread } from '../run-in-workers.js';
import type { Hooks } from '../run-settings.js';
import type { WorkThread } from '../work-thread.js';
import type { JobAnswer, ProgramJob } from './answer-job.js';
import type { JobSettings } from './job-messages.js';
import { type BatchResult, isForWant, wordFor } from './job-result.js';
import type { JobOrder, RandomOrder, TextOrder } from './plan-job.js';

/**
 * The number of milliseconds in which a cancelled search can end by itself before its thread is
 * ended.
 */
const graceAfterCancel = 500;

/** A thread that does jobs, with the settings of the batch. */
interface Doing {
  readonly thread: WorkThread;
  readonly settings: JobSettings;
  readonly hooks: Required<Hooks>;
}

/**
 * Does a job about one program on a thread, which also makes the report: a result is much smaller
 * than the answer with the program. The report is made here if the thread was ended.
 */
async function askAbout(
  { thread, settings, hooks: { signal, onProgress } }: Doing,
  order: Omit<TextOrder, 'key'>,
): Promise<BatchResult> {
  const { file } = order;
  const job: ProgramJob = { ...order, settings };
  const { finding, known } = await workOnThread<JobAnswer>(
    thread,
    'runJob',
    { file, job, begun: Date.now() },
    limitsOf(settings.values as Parameters<typeof limitsOf>[0]),
    { signal, onProgress: (_, said) => onProgress(said), graceAfterCancel },
  );
  if (finding.kind === 'reported') return finding.result;
  const { requestOf, resultOf } = await import('./answer-job.js');
  const { question } = await requestOf(job);
  return resultOf(job, await withKnown(finding, known, question));
}

/**
 * Does a job about random programs. The result has the worst outcome of a program, and groups the
 * seeds of the programs by outcome.
 */
async function askAboutRandom(
  doing: Doing,
  { file, random: { generator, first, count } }: RandomOrder,
): Promise<BatchResult> {
  const { programOfSeed } = await import('@fencewright/core/testing');
  const { printNative } = await import('@fencewright/core/native');
  const seeds: Record<string, number[]> = {};
  const results: BatchResult[] = [];
  let states = 0;
  let milliseconds = 0;
  for (let seed = first; seed < first + count && !doing.hooks.signal.aborted; seed++) {
    const text = printNative(programOfSeed(generator as GeneratorName, seed));
    const result = await askAbout(doing, {
      file: `${generator}-${seed}.fw`,
      format: 'native',
      given: { kind: 'text', text },
    });
    (seeds[wordFor(result)] ??= []).push(seed);
    states += result.json.stats?.states ?? 0;
    milliseconds += result.json.stats?.milliseconds ?? 0;
    results.push(result);
  }
  const exitCode = worstOf(results.map((result) => result.exitCode));
  const worst = results.find((result) => result.exitCode === exitCode);
  const wanting = results.find(isForWant);
  const { reason } = (wanting ?? worst)?.json ?? {};
  const json = {
    file,
    ...(worst && { verdict: wordFor(worst) }),
    ...(reason !== undefined && { reason }),
    seeds,
    stats: { states, milliseconds },
  };
  return { exitCode, json };
}

/** Does a job on a thread; returns the verb's output for the file with `--json`. */
export function doJob(doing: Doing, order: JobOrder): Promise<BatchResult> {
  return 'random' in order ? askAboutRandom(doing, order) : askAbout(doing, order);
}
