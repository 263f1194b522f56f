import type { JobJson } from '@fencewright/core';
import type { FileFinding } from '../finding.js';
import { type EarlyEnd, isEarlyEnd, type FileHooks } from '../known-answer.js';
import { reportOn } from '../report-on.js';
import { runOnFile } from '../run-on-file.js';
import type { Request } from '../run-settings.js';
import { settingsOf } from '../settings.js';
import type { FileVerb } from '../verb.js';
import { verbs } from '../verbs.js';
import type { JobSettings } from './job-messages.js';
import type { BatchResult } from './job-result.js';
import type { TextOrder } from './plan-job.js';

/** The program of a job, and the settings of the batch. */
export interface ProgramJob extends Omit<TextOrder, 'key'> {
  readonly settings: JobSettings;
}

/** The result of a job; or a finding to which the main thread may add what is known. */
export type JobAnswer = { readonly kind: 'reported'; readonly result: BatchResult } | EarlyEnd;

/** Removes the computation of a witness from a result, as it is long; attack and cycle stay. */
function withoutComputation(json: JobJson): JobJson {
  const { witness } = json;
  if (typeof witness !== 'object' || witness === null) return json;
  const { computation: _, ...rest } = witness as Readonly<Record<string, unknown>>;
  return { ...json, witness: rest };
}

async function fileVerb({ verb }: JobSettings): Promise<FileVerb> {
  return (await verbs[verb]!.load([])).ofFiles!;
}

/** Returns the question of a job. */
export async function requestOf({ file, format, copies, settings }: ProgramJob): Promise<Request> {
  const values = settings.values as Parameters<FileVerb['request']>[0];
  return {
    ...settingsOf(values, false).given,
    // Two names, so that the verb acts as for one file of several.
    ...(await fileVerb(settings)).request(values, [file, file]),
    ...(format && { from: format }),
    ...(copies && { copies }),
  };
}

/** Returns the result of a job: the verb's output for the file with `--json`. */
export async function resultOf(
  { file, copies, settings }: ProgramJob,
  finding: FileFinding,
): Promise<BatchResult> {
  const values = settings.values as Parameters<FileVerb['request']>[0];
  const run = { ...settingsOf(values, false).run, ...(copies && { copies }) };
  const report = await reportOn({ verb: await fileVerb(settings), values, run }, file, finding);
  const json = (report.json ?? { file }) as JobJson;
  return {
    exitCode: report.exitCode,
    json: settings.witnesses ? json : withoutComputation(json),
    ...(settings.ci && report.ci && { ci: report.ci }),
  };
}

/**
 * Does a job about one program; `begun` is the time at which work began, in milliseconds since
 * 1970.
 */
export async function answerJob(
  job: ProgramJob,
  begun: number,
  hooks: FileHooks,
): Promise<JobAnswer> {
  const { file, given } = job;
  const finding = await runOnFile(file, await requestOf(job), hooks, { begun, given });
  if (isEarlyEnd(finding)) return finding;
  return { kind: 'reported', result: await resultOf(job, finding) };
}
