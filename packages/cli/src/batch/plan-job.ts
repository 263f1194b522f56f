import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  frontEndOf,
  type InputFormat,
  jobKey,
  type RandomPrograms,
  type TextJob,
} from '@fencewright/core';
import { uriOf } from '../ci-findings.js';
import { needsCompiler, formatOf, type FormatsByExtension } from '../formats.js';
import { readSource, type SourceText } from '../read-source.js';
import { type CopyNumbers, type CWishes, wishesFor } from '../run-settings.js';
import { buildName } from '../build-name.js';
import { cInputs } from './c-inputs.js';
import type { FileName } from './job-result.js';
import type { ListedFile } from './journal-lines.js';

/** The settings that all jobs of a batch share. */
export interface Common {
  readonly verb: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly from?: InputFormat;
  /** The formats of files by extension, from a configuration. */
  readonly formats?: FormatsByExtension;
  readonly c?: CWishes;
  /** The name of a file with costs, whose text becomes part of every job. */
  readonly costsFile?: string;
  readonly instances?: readonly CopyNumbers[];
}

/** The options that determine the format of a file. */
export type Naming = Pick<Common, 'from' | 'formats'>;

function formatIn(file: string, { from, formats }: Naming): InputFormat | undefined {
  return from ?? formatOf(file, formats);
}

/** A subject of a batch: a file, by name, or random programs. */
export type JobSubject = string | RandomPrograms;

/** A file's text for a process to work on. */
export interface TextOrder {
  readonly key: string;
  /** The name of the file in the job, a placeholder (`nameInJob`). */
  readonly file: string;
  /** The format of the file's text; absent if the file name determines none. */
  readonly format?: InputFormat;
  readonly given: SourceText;
  readonly copies?: CopyNumbers;
}

/** Random programs for a process to generate and work on. */
export interface RandomOrder {
  readonly key: string;
  readonly file: string;
  readonly random: RandomPrograms;
}

/** The work that a process of a batch receives: a text, or random programs. */
export type JobOrder = TextOrder | RandomOrder;

/**
 * The earlier results that a job may reuse: those of any run; only those of earlier runs of this
 * batch, if a program of this machine (a compiler or SPIN) influences the result; or none, if some
 * inputs of the job are unknown.
 */
type Reuse = 'any run' | 'this batch' | 'none';

/** A job of a batch, with the data needed to do the job. */
export interface PlannedJob {
  readonly listed: ListedFile;
  readonly order: JobOrder;
  readonly reuse: Reuse;
}

/** Returns the names of a file in reports and for its program. */
export function namesOfFile(file: string): FileName {
  return { file, uri: uriOf(file), program: path.basename(file, path.extname(file)) };
}

/**
 * Returns the placeholder name of a file in a job, which is equal for all files with equal text. A
 * file in C keeps its name, as C is compiled in place, and messages name several files.
 */
export function nameInJob(key: string, file: string, naming: Naming = {}): FileName {
  const format = formatIn(file, naming);
  if (format === undefined || needsCompiler(format)) return namesOfFile(file);
  return namesOfFile(`job-${key}${frontEndOf(format).extensions[0]!}`);
}

function costsIn(file: string): string {
  try {
    return `text ${readFileSync(file, 'utf8')}`;
  } catch {
    // The verb reports the file that cannot be read.
    return 'unreadable';
  }
}

/**
 * Returns the texts that belong to a file (headers, costs), and which earlier results may be used.
 */
function besideOf(
  file: string,
  text: string,
  format: InputFormat,
  { settings, costsFile, c }: Common,
): { readonly beside: NonNullable<TextJob['beside']>; readonly reuse: Reuse } {
  const costs = costsFile === undefined ? {} : { costs: costsIn(costsFile) };
  if (!needsCompiler(format))
    return { beside: costs, reuse: settings.engine === 'spin' ? 'this batch' : 'any run' };
  const inputs = cInputs(file, text, wishesFor(file, c).wishes);
  return { beside: { ...costs, file, ...inputs }, reuse: inputs ? 'this batch' : 'none' };
}

/** Returns a name for random programs that can be a file name: `threads:1..100`. */
function nameOfRandom({ generator, first, count }: RandomPrograms): string {
  return `${generator}:${first}..${first + count - 1}`;
}

async function planRandom(random: RandomPrograms, common: Common): Promise<PlannedJob> {
  const { verb, settings } = common;
  const key = await jobKey({ tool: buildName(), verb, settings, random });
  const listed = { key, file: nameOfRandom(random), random };
  return { listed, order: listed, reuse: settings.engine === 'spin' ? 'this batch' : 'any run' };
}

/**
 * Returns the jobs about a file or about random programs; for a file, one job for each requested
 * instance.
 */
export async function planJobs(
  subject: JobSubject,
  common: Common,
): Promise<readonly PlannedJob[]> {
  return typeof subject === 'string'
    ? planFile(subject, common)
    : [await planRandom(subject, common)];
}

async function planFile(file: string, common: Common): Promise<readonly PlannedJob[]> {
  const { verb, settings, instances } = common;
  const given = await readSource(file);
  const format = formatIn(file, common);
  const head = { tool: buildName(), verb, settings };
  if (given.kind === 'failure' || format === undefined) {
    const why = given.kind === 'failure' ? given.diagnostic.message : 'no format';
    const key = await jobKey({ ...head, format: 'native', text: '', beside: { file, why } });
    return [{ listed: { key, file }, order: { key, file, given }, reuse: 'this batch' }];
  }
  const { text } = given;
  const { beside, reuse } = besideOf(file, text, format, common);
  const planned = (instances ?? [undefined]).map(async (copies): Promise<PlannedJob> => {
    const key = await jobKey({ ...head, format, text, ...(copies && { copies }), beside });
    const name = nameInJob(key, file, common).file;
    const counted = copies && { copies };
    const order = { key, file: name, format, given, ...counted };
    return { listed: { key, file, ...counted }, order, reuse };
  });
  return Promise.all(planned);
}
