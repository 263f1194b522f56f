import type { ResultOf } from '@fencewright/core';
import { c11Report, c11ToJson } from '@fencewright/core/c11';
import { subjectOf } from './advice-in-words.js';
import { type ExitCode, exitCodes, worstOf } from './exit-codes.js';
import { diagnosticsOutput, type FileReport } from './file-report.js';
import type { ReadFile } from './finding.js';
import type { CValues } from './repeated-arguments.js';
import { withPictures } from './pictures.js';
import type { FailOn } from './options/fail-on.js';
import type { RunSettings } from './run-settings.js';
import { version } from './version.js';

type C11Answer = ResultOf<'c11'>;

interface C11Values extends CValues {
  /** The name of the file to which the page in HTML is written. */
  readonly html?: string | undefined;
  readonly failOn?: readonly FailOn[] | undefined;
}

/**
 * Returns the exit status of a check against C11: a data race and a use of freed memory count as
 * not robust.
 */
function exitCodeOfVerdict({ verdict, race, freedUse }: C11Answer['result']): ExitCode {
  if (verdict.kind === 'not-robust' || typeof race === 'object' || freedUse)
    return exitCodes.notRobust;
  return verdict.kind === 'robust' ? exitCodes.robust : exitCodes.unknown;
}

/** Returns the exit status for assertions and properties that fail. */
function exitCodeOfClaims({ about, result }: C11Answer): ExitCode {
  const { claims = [] } = result;
  if (result.assertions === 'fail' || claims.some(({ answer }) => answer === 'fails'))
    return exitCodes.notRobust;
  const known = claims.filter(({ answer }) => answer === 'holds');
  const isOpen = result.assertions === 'unknown' || known.length < about.properties.length;
  return isOpen ? exitCodes.unknown : exitCodes.robust;
}

function exitCodeOf(answer: C11Answer, failOn: readonly FailOn[] = []): ExitCode {
  const { race } = answer.result;
  const codes = [exitCodeOfVerdict(answer.result)];
  if (failOn.includes('violated')) codes.push(exitCodeOfClaims(answer));
  if (failOn.includes('races') && race === 'not-looked-for') codes.push(exitCodes.unknown);
  return worstOf(codes);
}

/** Returns the report on the robustness of a file's program against C11. */
export async function c11FileReport(
  read: ReadFile,
  answer: C11Answer,
  run: RunSettings,
  values: C11Values = {},
): Promise<FileReport> {
  const { about, result } = answer;
  const { html: page, failOn } = values;
  const subject = subjectOf(read, about, values);
  const report = {
    exitCode: exitCodeOf(answer, failOn),
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
