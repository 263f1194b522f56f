import { type HappensBefore, type Settlement, templatesOf, threadModel } from '@fencewright/core';
import { proveReport } from '@fencewright/core/prove';
import { exitCodes } from './exit-codes.js';
import type { FileReport } from './file-report.js';
import type { ReadFile } from './finding.js';
import { terminalPalette } from './palette.js';
import type { RunSettings } from './run-settings.js';

/**
 * Returns the report of `check --prove`: the search without an answer, and the proof that answered
 * the question.
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
  const { result, isRobust } = settlement;
  const text = proveReport({ file, program: templatesOf(threads) }, result, palette);
  const heading = isRobust
    ? `${palette.good('A proof')} decides the question:`
    : 'A proof does not decide the question:';
  const stdout = `${report.stdout}${report.stdout === '' ? '' : '\n'}${heading}\n${text}`;
  if (!isRobust) return { ...report, exitCode: exitCodes.unknown, stdout };
  return {
    ...robust,
    stdout,
    json: { ...answered(report), happensBefore, settledBy: 'proof' },
  };
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
