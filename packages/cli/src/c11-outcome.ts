import { c11Report, c11ToJson, type ResultOf } from '@fencewright/core';
import { subjectOf } from './advice-in-words.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { diagnosticsOutput, type FileReport } from './file-report.js';
import type { ReadFile } from './finding.js';
import { withPictures } from './pictures.js';
import type { RunSettings } from './run-settings.js';
import { version } from './version.js';

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
  const report = {
    exitCode: exitCodeOf(result),
    stdout: '',
    stderr: diagnosticsOutput(subject, result.diagnostics, run),
    json: c11ToJson(read.file, about, result, read.diagnostics),
  };
  const draw = async (): Promise<string> => {
    const { c11Html } = await import('@fencewright/core/page');
    return c11Html(subject, result, { diagnostics: read.diagnostics, version });
  };
  return withPictures(report, [{ what: 'the page', file: page, draw }], run, (palette) =>
    c11Report(subject, result, { palette }),
  );
}
