import { quoteName } from '@fencewright/core';
import type { CiFindings } from '../ci-findings.js';
import { type ExitCode, exitCodes, worstOf } from '../exit-codes.js';
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
  wordsFor,
} from './batch-rows.js';
import { compared, type Comparison, exitCodeOf, type Expectations } from './expectations.js';

/** Where what came out is written; `-` is standard output. */
export interface Outputs {
  readonly jsonl?: string | undefined;
  readonly csv?: string | undefined;
  readonly sarif?: string | undefined;
  readonly junit?: string | undefined;
}

/** How a batch is finished. */
export interface Finish {
  readonly outputs: Outputs;
  readonly expectations?: Expectations;
  /** Name what is not as one wishes, and count the rest. */
  readonly quiet: boolean;
}

/** The outputs that would go to standard output. */
export function outputsToStdout(outputs: Outputs): readonly string[] {
  return Object.entries(outputs).flatMap(([name, file]) => (file === '-' ? [name] : []));
}

/** Writes a text where it belongs; gives the line that says what went wrong. */
async function put(file: string, text: string): Promise<string | undefined> {
  if (file !== '-') return writeWhole(file, text);
  process.stdout.write(text);
  return undefined;
}

/** The line about a file in the table; none where all is well and nobody wants to see it. */
function tableLine(
  { listed, result }: BatchRow,
  comparison: Comparison,
  expected: string | undefined,
): string {
  const { file, reason } = result.json;
  const counts = listed.copies ? ` ${copiesText(listed)}` : '';
  const why = reason === undefined ? '' : ` (${reason})`;
  const remark =
    comparison === 'other' || comparison === 'undecided' ? `  (${expected} is expected)` : '';
  return `${`${wordsFor(result)}${why}`.padEnd(20)} ${quoteName(file)}${counts}${remark}\n`;
}

/** What a job that was done more than once came to: a fault of ours, told with both results. */
function contradictionText({ listed: { key, file }, contradiction }: BatchRow): string {
  const [one, other] = contradiction ?? [];
  return (
    `fencewright: internal error on ${quoteName(file)}: two results of ${key}\n` +
    `  ${JSON.stringify(one)}\n  ${JSON.stringify(other)}\n`
  );
}

/** What expectations come to, in words. */
function comparisonLine(counts: ReadonlyMap<Comparison, number>): string {
  const of = (comparison: Comparison): number => counts.get(comparison) ?? 0;
  const parts = (['as expected', 'other', 'undecided', 'no expectation'] as const)
    .filter((comparison) => comparison === 'as expected' || of(comparison) > 0)
    .map(
      (comparison) =>
        `${of(comparison)} ${comparison.replace('no ', 'without ').replace('other', 'not as expected')}`,
    );
  return `${parts.join(', ')}\n`;
}

/** Prints what is known of the files of a batch and writes it where it was asked for. */
export async function finishBatch(source: RowSource, finish: Finish): Promise<ExitCode> {
  const { outputs, expectations, quiet } = finish;
  const text = outputsToStdout(outputs).length > 0 ? process.stderr : process.stdout;
  const tally = new Tally();
  const codes: ExitCode[] = [];
  const comparisons = new Map<Comparison, number>();
  const findings: CiFindings[] = [];
  const contradictions = new Map<string, string>();
  const lines: string[] = [];
  const table: string[] = [csvHead];
  for (const row of rowsOf(source)) {
    const { listed, result } = row;
    tally.add(result);
    const expected = expectations?.(listed.file);
    const comparison = compared(expected, result);
    comparisons.set(comparison, (comparisons.get(comparison) ?? 0) + 1);
    const code = expectations ? exitCodeOf(comparison, result) : result.exitCode;
    codes.push(code);
    if (!quiet || code !== exitCodes.robust) text.write(tableLine(row, comparison, expected));
    if (outputs.jsonl !== undefined) lines.push(jsonLine(row));
    if (outputs.csv !== undefined) table.push(csvLine(row));
    if (result.ci) findings.push(result.ci);
    if (row.contradiction) contradictions.set(listed.key, contradictionText(row));
  }
  text.write(`${tally.summary}\n`);
  if (expectations) text.write(comparisonLine(comparisons));
  const failed: (string | undefined)[] = [];
  if (outputs.jsonl !== undefined) failed.push(await put(outputs.jsonl, lines.join('')));
  if (outputs.csv !== undefined) failed.push(await put(outputs.csv, table.join('')));
  if (outputs.sarif !== undefined || outputs.junit !== undefined) {
    const { writeCiReports } = await import('../ci-reports.js');
    const { sarif, junit } = outputs;
    const written = await writeCiReports({ sarif, junit }, findings);
    process.stdout.write(written.stdout ?? '');
    failed.push(...(written.failed ?? []));
  }
  const failures = failed.filter((line) => line !== undefined);
  process.stderr.write([...contradictions.values(), ...failures].join(''));
  if (contradictions.size > 0) codes.push(exitCodes.internal);
  if (failures.length > 0) codes.push(exitCodes.usage);
  return worstOf(codes);
}
