import type { JobJson, Progress } from '@fencewright/core';
import type { GeneratorName } from '@fencewright/core/testing';
import { worstOf } from '../exit-codes.js';
import { reportOn } from '../report-on.js';
import { findOnThread } from '../run-in-workers.js';
import type { Hooks, Request } from '../run-settings.js';
import { settingsOf } from '../settings.js';
import type { FileVerb } from '../verb.js';
import type { WorkThread } from '../work-thread.js';
import type { JobSettings } from './job-messages.js';
import { type BatchResult, isForWant, wordFor } from './job-result.js';
import type { JobOrder, RandomOrder, TextOrder } from './plan-job.js';

/**
 * The number of milliseconds in which a cancelled search can end by itself before its thread is
 * ended.
 */
const graceAfterCancel = 500;

/** A thread that does jobs, with the verb and the settings. */
interface Doing {
  readonly thread: WorkThread;
  readonly verb: FileVerb;
  readonly settings: JobSettings;
  readonly hooks: Required<Hooks>;
}

/** Removes the computation of a witness from a result, as it is long; attack and cycle stay. */
function withoutComputation(json: JobJson): JobJson {
  const { witness } = json;
  if (typeof witness !== 'object' || witness === null) return json;
  const { computation: _, ...rest } = witness as Readonly<Record<string, unknown>>;
  return { ...json, witness: rest };
}

async function askAbout(
  { thread, verb, settings: { values, ci, witnesses }, hooks }: Doing,
  { file, format, given, copies }: Omit<TextOrder, 'key'>,
): Promise<BatchResult> {
  const own = values as Parameters<FileVerb['request']>[0];
  const settings = settingsOf(own, false);
  const request: Request = {
    ...settings.given,
    // Two names, so that the verb acts as for one file of several.
    ...verb.request(own, [file, file]),
    ...(format && { from: format }),
    ...(copies && { copies }),
  };
  const { signal, onProgress } = hooks;
  const task = { request, signal, onProgress: (_: string, said: Progress) => onProgress(said) };
  const finding = await findOnThread(thread, file, task, { given, graceAfterCancel });
  const run = { ...settings.run, ...(copies && { copies }) };
  const report = await reportOn({ verb, values: own, run }, file, finding);
  const json = (report.json ?? { file }) as JobJson;
  return {
    exitCode: report.exitCode,
    json: witnesses ? json : withoutComputation(json),
    ...(ci && report.ci && { ci: report.ci }),
  };
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
