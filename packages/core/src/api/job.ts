import { canonicalJson } from '@fencewright/ground/base/canonical-json.js';
import { sha256 } from '@fencewright/ground/base/digest.js';
import type { InputFormat } from '@fencewright/languages/read/front-ends.js';

/** The tool that answers, and the question. */
interface JobHead {
  /** The version of the tool. */
  readonly tool: string;
  readonly verb: string;
  /**
   * The options, limits included, but without the number of parallel searches and the display of
   * results.
   */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A question about a text, with everything that can change the answer. */
export interface TextJob extends JobHead {
  readonly format: InputFormat;
  readonly text: string;
  /** Numbers of copies of threads, instead of the numbers in the text. */
  readonly copies?: Readonly<Record<string, number>>;
  /** External parts of the text, by name: headers, costs. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** Random programs, with the seeds `first`, ..., `first + count - 1`. */
export interface RandomPrograms {
  /** The name of the generator. */
  readonly generator: string;
  readonly first: number;
  readonly count: number;
}

/** A question about each of some random programs; the worker generates the texts. */
export interface RandomJob extends JobHead {
  readonly random: RandomPrograms;
}

/**
 * One piece of work of a batch. Plain data without file names, so that equal work has equal data on
 * every machine.
 */
export type Job = TextJob | RandomJob;

/**
 * The result of a job, plain data. The file has a placeholder name, valid for all names that the
 * file may have.
 */
export interface JobResult {
  /** The exit status of the verb for a single file. */
  readonly exitCode: number;
  /** The verb's output with `json`. */
  readonly json: JobJson;
}

/** The part of a file's result used in job handling. */
export interface JobJson {
  readonly file: string;
  readonly program?: string;
  readonly verdict?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly cause?: string;
  readonly detail?: string;
  readonly stats?: { readonly states?: number; readonly milliseconds?: number };
  /** For random programs: the seeds, by outcome. */
  readonly seeds?: Readonly<Record<string, readonly number[]>>;
  readonly [member: string]: unknown;
}

/**
 * Returns the key of a job: SHA-256 of the canonical JSON of the whole job, in hexadecimal digits.
 * Jobs with equal keys have equal results, except for times.
 */
export function jobKey(job: Job): Promise<string> {
  return sha256(canonicalJson({ job: 1, ...job }));
}

/**
 * Members that differ from run to run: times, and memory, which depends on the growth of tables.
 */
const incidental = new Set(['milliseconds', 'bytes']);

/** Whether two results of a job are equal, except for times and memory. */
export function isSameResult(one: JobResult, other: JobResult): boolean {
  const textOf = ({ exitCode, json }: JobResult): string =>
    canonicalJson(
      JSON.parse(JSON.stringify({ exitCode, json }), (name, value: unknown) =>
        incidental.has(name) ? undefined : value,
      ),
    );
  return textOf(one) === textOf(other);
}
