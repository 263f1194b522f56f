import { type HappensBefore, type Settlement, templatesOf, threadModel } from '@fencewright/core';
import { answerToJson, claimsLine, proveReport, withoutOverflow } from '@fencewright/core/prove';
import { exitCodes } from './exit-codes.js';
import type { FileReport } from './file-report.js';
import type { ReadFile } from './finding.js';
import { terminalPalette } from './palette.js';
import type { RunSettings } from './run-settings.js';

/**
 * Returns the report of `check --prove` if the search found no answer and a proof answered the
 * question.
 */
export function settledReport(
  { file, model }: ReadFile,
  report: FileReport,
  settlement: Settlement,
  happensBefore: HappensBefore,
  { colours }: RunSettings,
): FileReport {
  const threads = threadModel(model);
  if (!threads) return report;
  const palette = terminalPalette(colours.stdout);
  const robust = { ...report, exitCode: exitCodes.robust };
  if (settlement.by === 'horn-clauses')
    return {
      ...robust,
      stdout: `${report.stdout}\n${palette.good('Horn clauses')} decide the question: robust (standard happens-before)\n`,
      json: { ...answered(report), happensBefore: 'standard', settledBy: 'horn-clauses' },
    };
  const program = templatesOf(threads);
  const text = proveReport({ file, program }, settlement.result, palette);
  if (settlement.by === 'proof-of-claims') {
    const stdout = `${report.stdout}\n${palette.good('A proof')} decides the claims:\n${text}`;
    return { ...report, stdout, json: { ...report.json, ...assumptionsOf(report) } };
  }
  const { isRobust, claims = {} } = settlement;
  const heading = isRobust
    ? `${palette.good('A proof')} decides the question:`
    : 'A proof does not decide the question:';
  const about = { file, program: program.templates };
  const opening = claims.answer
    ? `${claimsLine(about, claims.answer, claims.answered, palette)}\n`
    : '';
  const before = report.stdout + opening;
  const stdout = `${before}${before === '' ? '' : '\n'}${heading}\n${text}`;
  if (!isRobust) return { ...report, exitCode: exitCodes.unknown, stdout };
  const answer = claims.answer && answerToJson(program.templates, claims.answer, claims.answered);
  return {
    ...robust,
    stdout,
    json: {
      ...{ ...answered(report), ...assumptionsOf(report), happensBefore, settledBy: 'proof' },
      ...(answer && { answer }),
    },
  };
}

/** Returns the assumptions of a report, with the assumption of every proof. */
function assumptionsOf({ json }: FileReport): Pick<FileReport['json'], 'assumptions'> {
  const { assumptions = [] } = json;
  return { assumptions: [...assumptions, withoutOverflow] };
}

function answered({ json }: FileReport): FileReport['json'] {
  const { file, program, assumptions, diagnostics } = json;
  return {
    file,
    ...(program !== undefined && { program }),
    ...(assumptions && { assumptions }),
    verdict: 'robust',
    diagnostics,
  };
}
