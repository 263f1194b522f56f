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
import type { Copies, CWishes } from '../run-settings.js';
import { buildName } from '../build-name.js';
import { cInputs } from './c-inputs.js';
import type { FileName } from './job-result.js';
import type { ListedFile } from './journal-lines.js';

/** What the jobs of a batch have in common. */
export interface Common {
  readonly verb: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly from?: InputFormat;
  /** What file names say besides what everybody knows. */
  readonly formats?: FormatsByExtension;
  readonly c?: CWishes;
  /** A file with costs, which are a part of every job. */
  readonly costsFile?: string;
  readonly instances?: readonly Copies[];
}

/** What tells the format of a file. */
export type Naming = Pick<Common, 'from' | 'formats'>;

function formatIn(file: string, { from, formats }: Naming): InputFormat | undefined {
  return from ?? formatOf(file, formats);
}

/** What a batch looks at: a file, by its name, or random programs. */
export type Subject = string | RandomPrograms;

/** A text that a process is given to look at. */
export interface TextOrder {
  readonly key: string;
  /** What the file is called there. */
  readonly file: string;
  /** Absent where the name tells none. */
  readonly format?: InputFormat;
  readonly given: SourceText;
  readonly copies?: Copies;
}

/** Random programs that a process is to make and look at. */
export interface RandomOrder {
  readonly key: string;
  readonly file: string;
  readonly random: RandomPrograms;
}

/** What a process is given to do. */
export type JobOrder = TextOrder | RandomOrder;

/**
 * Where the result of a job can be taken from instead of doing it: from any run; from earlier runs
 * of the batch, since a program of this machine, a compiler or SPIN, has its say; from none, since
 * not all that it depends on is known.
 */
export type Reuse = 'any run' | 'this batch' | 'none';

/** A job of the batch. */
export interface PlannedJob {
  readonly listed: ListedFile;
  readonly order: JobOrder;
  readonly reuse: Reuse;
}

/** What a file is called, as a report on it would have it. */
export function nameOf(file: string): FileName {
  return { file, uri: uriOf(file), program: path.basename(file, path.extname(file)) };
}

/**
 * What a job calls its file: a name that occurs nowhere else and stands for all files with the same
 * text. C is compiled where it lies, and its messages name more files than one.
 */
export function nameInJob(key: string, file: string, naming: Naming = {}): FileName {
  const format = formatIn(file, naming);
  if (format === undefined || needsCompiler(format)) return nameOf(file);
  return nameOf(`job-${key}${frontEndOf(format).extensions[0]!}`);
}

function costsIn(file: string): string {
  try {
    return `text ${readFileSync(file, 'utf8')}`;
  } catch {
    // The verb will say so.
    return 'unreadable';
  }
}

/** What a text takes from elsewhere, and where its result may be taken from. */
function besideOf(
  file: string,
  text: string,
  format: InputFormat,
  { settings, costsFile, c = {} }: Common,
): { readonly beside: NonNullable<TextJob['beside']>; readonly reuse: Reuse } {
  const costs = costsFile === undefined ? {} : { costs: costsIn(costsFile) };
  if (!needsCompiler(format))
    return { beside: costs, reuse: settings.engine === 'spin' ? 'this batch' : 'any run' };
  const inputs = cInputs(file, text, c);
  return { beside: { ...costs, file, ...inputs }, reuse: inputs ? 'this batch' : 'none' };
}

/** What random programs are called where files have names: `threads:1..100`. */
function nameOfRandom({ generator, first, count }: RandomPrograms): string {
  return `${generator}:${first}..${first + count - 1}`;
}

async function planRandom(random: RandomPrograms, common: Common): Promise<PlannedJob> {
  const { verb, settings } = common;
  const key = await jobKey({ tool: buildName(), verb, settings, random });
  const listed = { key, file: nameOfRandom(random), random };
  return { listed, order: listed, reuse: settings.engine === 'spin' ? 'this batch' : 'any run' };
}

/** The jobs about a subject: of a file, one for each of the instances that are asked for. */
export async function planJobs(subject: Subject, common: Common): Promise<readonly PlannedJob[]> {
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
