import {
  type Computation,
  quoteName,
  type ReachResult,
  type Replay,
  replay,
  type ReachOutcome,
  reachOutcome,
  reachReport,
  reachToJson,
  type ResultOf,
  type Subject,
} from '@fencewright/core';
import { type ExitCode, exitCodes, worstOf } from '../exit-codes.js';
import { diagnosticsFor, type FileReport } from '../file-report.js';
import { terminalPalette } from '../palette.js';
import type { Settings } from '../settings.js';
import type { ReadFile } from '../finding.js';
import { version } from '../version.js';
import { writeWhole } from '../write-whole.js';

const exitCodeOf: Readonly<Record<ReachOutcome, ExitCode>> = {
  same: exitCodes.robust,
  different: exitCodes.notRobust,
  unknown: exitCodes.unknown,
  error: exitCodes.input,
};

/** Writes the page that was asked for, if any. */
async function drawPage(
  subject: Subject & ReadFile,
  result: ReachResult,
  file: string | undefined,
): Promise<{ readonly piped?: string; readonly note: string; readonly failure?: string }> {
  if (file === undefined) return { note: '' };
  const { program, diagnostics } = subject;
  const { reachHtml } = await import('@fencewright/core/page');
  const replayed = (computation: Computation): Replay => replay(program, computation);
  const page = reachHtml(subject, result, { replay: replayed, diagnostics, version });
  if (file === '-') return { piped: page, note: '' };
  const failure = await writeWhole(file, page);
  return failure === undefined
    ? { note: `\nthe page is in ${quoteName(file)}\n` }
    : { note: '', failure };
}

/** `reach`: final states and properties under SC and under TSO, with executions. */
export async function printReach(
  read: ReadFile,
  { about: program, result }: ResultOf<'reach'>,
  settings: Settings,
): Promise<FileReport> {
  const { file, diagnostics } = read;
  const subject = { ...read, program };
  const { piped, note, failure } = await drawPage(subject, result, settings.pictures?.html);
  const { stdout, stderr } = settings.colours;
  const palette = terminalPalette(piped === undefined ? stdout : stderr);
  const text = reachReport(subject, result, palette) + note;
  return {
    exitCode: worstOf([
      exitCodeOf[reachOutcome(result)],
      ...(failure === undefined ? [] : [exitCodes.usage]),
    ]),
    stdout: piped ?? text,
    stderr:
      diagnosticsFor(subject, result.diagnostics, settings) +
      (failure ?? '') +
      (piped === undefined ? '' : text),
    json: reachToJson(file, program, result, diagnostics),
  };
}
