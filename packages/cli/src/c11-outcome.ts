import { c11Report, c11ToJson, quoteName, type ResultOf } from '@fencewright/core';
import { subjectOf } from './advice-in-words.js';
import { type ExitCode, exitCodes, worstOf } from './exit-codes.js';
import { diagnosticsOutput, type FileReport } from './file-report.js';
import type { ReadFile } from './finding.js';
import { terminalPalette } from './palette.js';
import type { RunSettings } from './run-settings.js';
import { version } from './version.js';
import { writeWhole } from './write-whole.js';

type C11Answer = ResultOf<'c11'>;

/** Returns the exit status of a check against C11: a data race counts as not robust. */
function exitCodeOf({ verdict, race }: C11Answer['result']): ExitCode {
  if (verdict.kind === 'not-robust' || typeof race === 'object') return exitCodes.notRobust;
  return verdict.kind === 'robust' ? exitCodes.robust : exitCodes.unknown;
}

/** Returns the report on the robustness of a file's program against C11; `page` takes a page. */
export async function c11FileReport(
  read: ReadFile,
  { about, result }: C11Answer,
  run: RunSettings,
  page?: string,
): Promise<FileReport> {
  const subject = subjectOf(read, about);
  const isPiped = page === '-';
  const palette = terminalPalette(isPiped ? run.colours.stderr : run.colours.stdout);
  const text = c11Report(subject, result, { palette });
  const report = {
    exitCode: exitCodeOf(result),
    stdout: text,
    stderr: diagnosticsOutput(subject, result.diagnostics, run),
    json: c11ToJson(read.file, about, result, read.diagnostics),
  };
  if (page === undefined) return report;
  const { c11Html } = await import('@fencewright/core/page');
  const { diagnostics } = read;
  const html = c11Html(subject, result, { diagnostics, version });
  if (isPiped) return { ...report, stdout: html, stderr: report.stderr + text };
  const failure = await writeWhole(page, html);
  if (failure === undefined)
    return { ...report, stdout: `${text}\nthe page is in ${quoteName(page)}\n` };
  const exitCode = worstOf([report.exitCode, exitCodes.usage]);
  return { ...report, exitCode, stderr: report.stderr + failure };
}
