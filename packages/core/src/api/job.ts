import { canonicalJson } from '@fencewright/ground/base/canonical-json.js';
import { sha256 } from '@fencewright/ground/base/digest.js';
import type { InputFormat } from '@fencewright/languages/read/front-ends.js';

/** Who answers, and what is asked. */
interface JobHead {
  /** The version of what does it. */
  readonly tool: string;
  readonly verb: string;
  /** What options say, limits included; not how many searches run or how results are shown. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A question about a text, and all that can change the answer. */
export interface TextJob extends JobHead {
  readonly format: InputFormat;
  readonly text: string;
  /** Numbers of copies of threads to look at, instead of those of the text. */
  readonly copies?: Readonly<Record<string, number>>;
  /** What the text takes from elsewhere, by name: headers, costs. */
  readonly beside?: Readonly<Record<string, string>>;
}

/** Random programs: those of the seeds `first`, ..., `first + count - 1`. */
export interface RandomPrograms {
  /** The name of what makes them. */
  readonly generator: string;
  readonly first: number;
  readonly count: number;
}

/** A question about each of some random programs, whose texts whoever does it makes. */
export interface RandomJob extends JobHead {
  readonly random: RandomPrograms;
}

/**
 * One piece of work of a batch. Plain data that names no file, so that the same work is the same
 * wherever it is done.
 */
export type Job = TextJob | RandomJob;

/** The result of a job, plain data. Its file has a name that stands for all that it may have. */
export interface JobResult {
  /** As the verb has it for one file. */
  readonly exitCode: number;
  /** What the verb says with `json`. */
  readonly json: JobJson;
}

/** What is said of a file, as far as it is looked at where jobs are handled. */
export interface JobJson {
  readonly file: string;
  readonly program?: string;
  readonly verdict?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly cause?: string;
  readonly detail?: string;
  readonly stats?: { readonly states?: number; readonly milliseconds?: number };
  /** Of random programs: their seeds by what came out. */
  readonly seeds?: Readonly<Record<string, readonly number[]>>;
  readonly [member: string]: unknown;
}

/**
 * What a job is known by: SHA-256 of the canonical JSON of all of it, in hexadecimal digits. Jobs
 * with the same key have the same result, but for times.
 */
export function jobKey(job: Job): Promise<string> {
  return sha256(canonicalJson({ job: 1, ...job }));
}

/** What differs from run to run: times, and memory as tables happened to grow. */
const incidental = new Set(['milliseconds', 'bytes']);

/** Whether two results of a job are the same, but for times. */
export function isSameResult(one: JobResult, other: JobResult): boolean {
  const textOf = ({ exitCode, json }: JobResult): string =>
    canonicalJson(
      JSON.parse(JSON.stringify({ exitCode, json }), (name, value: unknown) =>
        incidental.has(name) ? undefined : value,
      ),
    );
  return textOf(one) === textOf(other);
}
