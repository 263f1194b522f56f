import { once } from 'node:events';
import { countOf, printableLine, quoteName } from '@fencewright/core';
import type { CiFindings } from '../ci-findings.js';
import { countAgainst, isAboutFindings } from '../baseline.js';
import { type ExitCode, exitCodes, worstOf } from '../exit-codes.js';
import { askedReports, type CiFiles } from '../options/ci-formats.js';
import { writeWhole } from '../write-whole.js';
import {
  type BatchRow,
  copiesText,
  csvHead,
  csvLine,
  jsonLine,
  type RowSource,
  rowsOf,
  Tally,
  remarksOn,
  wordsFor,
} from './batch-rows.js';
import type { BatchResult } from './job-result.js';
import { compared, type ExpectationOutcome, exitCodeOf } from './expectations.js';
import type { Expectations } from './expected.js';

/** The files to which results are written; `-` is standard output. */
export interface Outputs {
  readonly jsonl?: string | undefined;
  readonly csv?: string | undefined;
  readonly reports?: CiFiles;
}

/** Returns the outputs that the values of options name. */
export function outputsOf({ jsonl, csv, ...files }: Omit<Outputs, 'reports'> & CiFiles): Outputs {
  return { jsonl, csv, reports: Object.fromEntries(askedReports(files)) };
}

/** The options for the output at the end of a batch. */
interface Finish {
  readonly outputs: Outputs;
  readonly expectations?: Expectations;
  /** The SARIF log of an earlier run, whose findings are no failures. */
  readonly baseline?: string;
  /**
   * Whether a file whose result has the exit status of success is only counted, and not printed.
   */
  readonly quiet: boolean;
}

/** Returns the kinds of output that go to standard output. */
export function outputsToStdout({ reports = {}, ...tables }: Outputs): readonly string[] {
  return Object.entries({ ...tables, ...reports }).flatMap(([name, file]) =>
    file === '-' ? [name] : [],
  );
}

/**
 * Writes lines to a file or to standard output, one by one, as together they may be longer than a
 * string can be. Returns an error message on failure.
 */
async function put(file: string, lines: Iterable<string>): Promise<string | undefined> {
  if (file !== '-') return writeWhole(file, lines);
  for (const line of lines) if (!process.stdout.write(line)) await once(process.stdout, 'drain');
  return undefined;
}

function* jsonLines(source: RowSource): Generator<string> {
  for (const row of rowsOf(source)) yield jsonLine(row);
}

function* csvLines(source: RowSource): Generator<string> {
  yield csvHead;
  for (const row of rowsOf(source)) yield csvLine(row);
}

/** The parts of a diagnostic that the table of results shows. */
interface ShownDiagnostic {
  readonly severity: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/**
 * The minimum number of characters of an error message to print, however narrow the terminal is.
 */
const leastShown = 20;

/**
 * Returns the first error in a file's result, cut so that it fits into a line of the terminal of
 * which `taken` characters are already used.
 */
function complaintText({ json }: BatchResult, taken: number, width: number | undefined): string {
  if (json.verdict !== 'error' || !Array.isArray(json.diagnostics)) return '';
  const all = json.diagnostics as readonly Partial<ShownDiagnostic>[];
  const first = all.find(({ severity }) => severity === 'error') ?? all[0];
  const { line, column, message } = first ?? {};
  if (typeof message !== 'string') return '';
  const at = line === undefined ? '' : `${line}:${column}: `;
  const text = printableLine(at + message);
  const room = Math.max(leastShown, (width ?? Infinity) - taken - '  ()'.length);
  return `  (${text.length > room ? `${text.slice(0, room - 1)}…` : text})`;
}

/** Returns the line about a file in the table of results. */
function tableLine(
  { listed, result }: BatchRow,
  comparison: ExpectationOutcome,
  expected: string | undefined,
  width: number | undefined,
): string {
  const { file, reason, detail } = result.json;
  const counts = listed.copies ? ` ${copiesText(listed)}` : '';
  const isCrashed = reason === 'crashed';
  const why = reason === undefined || isCrashed ? '' : ` (${reason})`;
  const isWrong = comparison === 'other' || comparison === 'undecided';
  const surprise =
    (isCrashed ? `  (${printableLine(detail ?? '')})` : '') +
    (isWrong ? `  (${expected} is expected)` : '');
  const beside = remarksOn(result).join(', ');
  const remark = surprise || (beside && `  (${beside})`);
  const head = `${`${wordsFor(result)}${why}`.padEnd(20)} ${quoteName(file)}${counts}${remark}`;
  return `${head}${complaintText(result, head.length, width)}\n`;
}

/**
 * Returns the message for a job with contradicting results: an internal error, reported with both
 * results.
 */
function contradictionText({ listed: { key, file }, contradiction }: BatchRow): string {
  const [one, other] = contradiction ?? [];
  return (
    `fencewright: internal error on ${quoteName(file)}: two results of ${key}\n` +
    `  ${printableLine(JSON.stringify(one))}\n  ${printableLine(JSON.stringify(other))}\n`
  );
}

/** The words in the table of results for the sources of results that this run did not find. */
const originWords: Readonly<Record<string, string>> = {
  journal: 'earlier runs, by the journal; --fresh begins anew',
  cache: 'earlier runs, by the cache',
  worker: 'workers, without a seal: anyone who can write to the queue could have sent them',
  unsealed:
    'parts, without a seal that can be checked here: anyone who can write there could have forged them',
};

function originLine([from, count]: readonly [string, number]): string {
  return `${countOf(count, 'result')} of ${originWords[from] ?? from}\n`;
}

/**
 * Returns in words how many results are as expected, not as expected, undecided, or without an
 * expectation.
 */
function comparisonLine(counts: ReadonlyMap<ExpectationOutcome, number>): string {
  const of = (comparison: ExpectationOutcome): number => counts.get(comparison) ?? 0;
  const parts = (['as expected', 'other', 'undecided', 'no expectation'] as const)
    .filter((comparison) => comparison === 'as expected' || of(comparison) > 0)
    .map(
      (comparison) =>
        `${of(comparison)} ${comparison.replace('no ', 'without ').replace('other', 'not as expected')}`,
    );
  return `${parts.join(', ')}\n`;
}

/**
 * Returns in words how many findings are not in the log of an earlier run. `isPartial`: the log has
 * some findings of a file and lacks others, as a log of one attack a file does.
 */
function baselineLine(unknown: number, baseline: string, isPartial: boolean): string {
  const where = quoteName(baseline);
  if (unknown === 0) return `all findings are known: they are in ${where}\n`;
  const way = isPartial ? '; a log of all attacks comes from --all-attacks' : '';
  return `${countOf(unknown, 'new finding')}: not in ${where}${way}\n`;
}

/** Prints the results of a batch, writes the requested files, and returns the exit status. */
export async function finishBatch(source: RowSource, finish: Finish): Promise<ExitCode> {
  const { outputs, expectations, baseline, quiet } = finish;
  const countNew = baseline === undefined ? undefined : countAgainst(baseline);
  let unknown = 0;
  let isPartial = false;
  const text = outputsToStdout(outputs).length > 0 ? process.stderr : process.stdout;
  const width = text.isTTY ? text.columns : undefined;
  const tally = new Tally();
  const codes: ExitCode[] = [];
  const comparisons = new Map<ExpectationOutcome, number>();
  const findings: CiFindings[] = [];
  const contradictions = new Map<string, string>();
  const origins = new Map<string, number>();
  let isGivenUp = false;
  for (const row of rowsOf(source)) {
    const { listed, result } = row;
    tally.add(result);
    const expectation = expectations?.(listed.file, result);
    const comparison = compared(expectation);
    comparisons.set(comparison, (comparisons.get(comparison) ?? 0) + 1);
    const found = expectations ? exitCodeOf(comparison, result) : result.exitCode;
    const counted = result.ci && isAboutFindings(found) ? countNew?.(result.ci) : undefined;
    unknown += counted?.unknown ?? 0;
    isPartial ||= counted !== undefined && counted.unknown > 0 && counted.unknown < counted.all;
    const code = counted?.unknown === 0 ? exitCodes.robust : found;
    codes.push(code);
    if (!quiet || code !== exitCodes.robust)
      text.write(tableLine(row, comparison, expectation?.expected, width));
    isGivenUp ||= result.json.reason === 'crashed';
    if (result.ci) findings.push(result.ci);
    if (row.from !== undefined) origins.set(row.from, (origins.get(row.from) ?? 0) + 1);
    if (row.contradiction) contradictions.set(listed.key, contradictionText(row));
  }
  text.write(`${tally.summary}\n`);
  process.stderr.write([...origins].map(originLine).join(''));
  if (isGivenUp) text.write('--retry quarantined tries the abandoned jobs once more\n');
  if (expectations) text.write(comparisonLine(comparisons));
  if (baseline !== undefined) text.write(baselineLine(unknown, baseline, isPartial));
  const failed: (string | undefined)[] = [];
  if (outputs.jsonl !== undefined) failed.push(await put(outputs.jsonl, jsonLines(source)));
  if (outputs.csv !== undefined) failed.push(await put(outputs.csv, csvLines(source)));
  const { reports = {} } = outputs;
  if (askedReports(reports).length > 0) {
    const { writeCiReports } = await import('../ci-reports.js');
    const written = await writeCiReports(reports, findings);
    process.stdout.write(written.stdout ?? '');
    failed.push(...(written.failed ?? []));
  }
  const failures = failed.filter((line) => line !== undefined);
  process.stderr.write([...contradictions.values(), ...failures].join(''));
  if (contradictions.size > 0) codes.push(exitCodes.internal);
  if (failures.length > 0) codes.push(exitCodes.usage);
  return worstOf(codes);
}
