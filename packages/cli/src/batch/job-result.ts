import { isSameResult, type JobJson, type JobResult } from '@fencewright/core';
import type { CiFindings } from '../ci-findings.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';

/** The result of a job, as stored by batches. */
export interface BatchResult extends JobResult {
  readonly exitCode: ExitCode;
  /** The findings about the file for reports to continuous integration, if requested. */
  readonly ci?: CiFindings;
}

/** Returns the word that a summary uses for the outcome of a job. */
export function wordFor({ exitCode, json }: Pick<JobResult, 'exitCode' | 'json'>): string {
  if (json.reason === 'crashed') return 'crashed';
  if (exitCode === exitCodes.internal) return 'internal error';
  return json.outcome ?? json.verdict ?? 'unknown';
}

/** The reasons for `unknown` that are the same in every run. */
const lasting: readonly unknown[] = ['states', 'unsupported'];
/**
 * The reasons for a missing part of an answer that another run, with more time or memory, may find.
 */
const passing: readonly unknown[] = ['time', 'memory', 'cancelled'];

/**
 * Whether a result, or a part of it, is `unknown` for lack of time or memory, or because it was
 * cancelled, so that another run may find out more.
 */
export function isForWant({ exitCode, json }: JobResult): boolean {
  const { reason, cutShort, races, answer } = json;
  const reasonOf = (part: unknown): unknown =>
    (part as { readonly reason?: unknown } | undefined)?.reason;
  if ([cutShort, reasonOf(races), reasonOf(answer)].some((why) => passing.includes(why)))
    return true;
  return (exitCode === exitCodes.unknown || reason !== undefined) && !lasting.includes(reason);
}

/** Whether the result is the same in every run, and may be cached. */
export function isFinalResult(result: JobResult): boolean {
  const isOurFault = result.exitCode === exitCodes.internal || result.json.cause === 'tool';
  return !isOurFault && !isForWant(result);
}

/** Returns two contradicting results of a job; `undefined` if all results agree. */
export function contradictionIn(
  results: readonly BatchResult[],
): readonly [BatchResult, BatchResult] | undefined {
  const [first, ...others] = results.filter(isFinalResult);
  const other = others.find((one) => !isSameResult(first!, one));
  return first && other && [first, other];
}

/**
 * Returns the result of a job without an answer: its processes died, or a worker sent no valid
 * result.
 */
export function crashedResult(file: string, detail: string): BatchResult {
  const json: JobJson = { file, verdict: 'unknown', reason: 'crashed', detail, diagnostics: [] };
  return { exitCode: exitCodes.unknown, json };
}

/** The names of a file that occur in results: in reports, and as the name of the program. */
export interface FileName {
  readonly file: string;
  /** The URI by which SARIF reports refer to the file. */
  readonly uri: string;
  /** The program's name from the file, for a program without a name of its own. */
  readonly program: string;
}

/** Applies `change` to all texts in plain data; parts without a changed text are not copied. */
export function mapTexts<T>(data: T, change: (text: string) => string): T {
  const mapped = (one: unknown): unknown => {
    if (typeof one === 'string') return change(one);
    if (typeof one !== 'object' || one === null) return one;
    const old: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
    const members = old.map(mapped);
    if (members.every((member, i) => member === old[i])) return one;
    // A member may be named `__proto__`.
    return Array.isArray(one)
      ? members
      : Object.fromEntries(Object.keys(one).map((name, i) => [name, members[i]]));
  };
  return mapped(data) as T;
}

/**
 * Returns a result with the name of the file `from` replaced by the name `to`: the placeholder by
 * the real name, or the real name by the placeholder.
 */
export function forFile(result: BatchResult, from: FileName, to: FileName): BatchResult {
  if (from.file === to.file) return result;
  const renamed = (text: string, name: keyof FileName): string =>
    text.replaceAll(from[name], () => to[name]);
  const { json, ci } = result;
  return {
    ...result,
    json: mapTexts(json, (text) => (text === from.program ? to.program : renamed(text, 'file'))),
    ...(ci && {
      ci: {
        sarif: mapTexts(ci.sarif, (text) => renamed(renamed(text, 'uri'), 'program')),
        junit: mapTexts(ci.junit, (text) => renamed(renamed(text, 'file'), 'program')),
      },
    }),
  };
}
