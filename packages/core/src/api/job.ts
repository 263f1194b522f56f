import { canonicalJson } from '@fencewright/ground/base/canonical-json.js';
import { sha256 } from '@fencewright/ground/base/digest.js';
import type { InputFormat } from '@fencewright/languages/read/front-ends.js';

/** The common part of all jobs: the question, and the tool that answers. */
interface JobHead {
  /** The version of the tool that answers the question. */
  readonly tool: string;
  readonly verb: string;
  /**
   * The options of the question, limits included, but without the number of parallel searches and
   * without options about display.
   */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A question about a text, with everything that can change the answer. */
export interface TextJob extends JobHead {
  readonly format: InputFormat;
  readonly text: string;
  /**
   * Numbers of copies by thread, which replace the numbers in the text; those in the text if
   * absent.
   */
  readonly copies?: Readonly<Record<string, number>>;
  /** Further files that the program needs, by name: headers, costs. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** Random programs, with the seeds `first`, ..., `first + count - 1`. */
export interface RandomPrograms {
  /** The name of the generator that makes the random programs from seeds. */
  readonly generator: string;
  readonly first: number;
  readonly count: number;
}

/** A question about each of several random programs, which the worker generates. */
export interface RandomJob extends JobHead {
  readonly random: RandomPrograms;
}

/**
 * One piece of work of a batch. Plain data without file names, so that equal work gives equal data
 * on every machine.
 */
export type Job = TextJob | RandomJob;

/**
 * The result of a job, as plain data. A placeholder name stands for the file, so that the result
 * holds for every file with the same text.
 */
export interface JobResult {
  /** The exit status of the command line's verb if run on this file alone. */
  readonly exitCode: number;
  /** The JSON document that the verb prints for the file. */
  readonly json: JobJson;
}

/** The members of a result's JSON document that batches use. */
export interface JobJson {
  readonly file: string;
  readonly program?: string;
  readonly verdict?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly cause?: string;
  readonly detail?: string;
  readonly stats?: { readonly states?: number; readonly milliseconds?: number };
  /** For random programs: the seeds of the programs, by outcome. */
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
 * Members of a result that differ between runs: times, and memory, which depends on the moments at
 * which tables grow.
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
