// Output of verbs on programs of events, loaded on demand.
import type { ResultOf } from '@fencewright/core';
import {
  eventCheckReport,
  eventReachOutcome,
  eventReachReport,
  eventReachToJson,
} from '@fencewright/core/events';
import { eventVerdict } from '@fencewright/core/event-verdict';
import { findingsOfEventCheck } from './ci-events.js';
import { eventSubjectOf, reportOnEventCheck } from './event-outcome.js';
import { exitCodeOfReach } from './exit-codes.js';
import { diagnosticsOutput, type FileReport } from './file-report.js';
import type { ReadFile } from './finding.js';
import { terminalPalette } from './palette.js';
import { type PictureFiles, withPictures } from './pictures.js';
import type { RunSettings } from './run-settings.js';
import { version } from './version.js';

/**
 * Returns the report of `check` on a program of events; with `wantsReports`, also the findings for
 * continuous integration.
 */
export function eventCheckFileReport(
  read: ReadFile,
  { about, result }: ResultOf<'event-check'>,
  run: RunSettings,
  wantsReports: boolean,
): FileReport {
  const subject = eventSubjectOf(read, about);
  const shown = eventCheckReport(subject, result, terminalPalette(run.colours.stdout));
  const report = reportOnEventCheck(subject, result, run, shown);
  return wantsReports ? { ...report, ci: findingsOfEventCheck(subject, result) } : report;
}

/** Returns the report of `explain` on a program of events. */
export async function eventExplainFileReport(
  read: ReadFile,
  { about, result }: ResultOf<'event-check'>,
  run: RunSettings,
  { html, svg, dot }: PictureFiles,
): Promise<FileReport> {
  const subject = eventSubjectOf(read, about);
  const page = async (): Promise<string> => {
    const { eventExplainHtml } = await import('@fencewright/core/page');
    return eventExplainHtml(subject, result, { diagnostics: read.diagnostics, version });
  };
  const verdict = eventVerdict(result);
  const witness = verdict.kind === 'not-robust' ? verdict.witness : undefined;
  const lanes = async (): Promise<string | undefined> => {
    const { runToSvg } = await import('@fencewright/core/page');
    return witness && runToSvg(about, witness.run, witness.violation);
  };
  const graph = async (): Promise<string | undefined> => {
    const { callTreesToDot } = await import('@fencewright/core/page');
    return witness && callTreesToDot(about, witness.run);
  };
  const pictures = [
    { what: 'the page', file: html, draw: page },
    { what: 'the picture', file: svg, draw: lanes },
    { what: 'the call trees', file: dot, draw: graph },
  ];
  return withPictures(reportOnEventCheck(subject, result, run, ''), pictures, run, (palette) =>
    eventCheckReport(subject, result, palette),
  );
}

/** Returns the report of `reach` on a program of events. */
export async function eventReachFileReport(
  read: ReadFile,
  { about, result }: ResultOf<'event-reach'>,
  run: RunSettings,
  { html }: PictureFiles,
): Promise<FileReport> {
  const subject = eventSubjectOf(read, about);
  const { file, diagnostics } = read;
  const draw = async (): Promise<string> => {
    const { eventReachHtml } = await import('@fencewright/core/page');
    return eventReachHtml(subject, result, { diagnostics, version });
  };
  const pictures = [{ what: 'the page', file: html, draw }];
  const report = {
    exitCode: exitCodeOfReach[eventReachOutcome(result)],
    stdout: '',
    stderr: diagnosticsOutput(read, [], run),
    json: eventReachToJson(file, about, result, diagnostics),
  };
  return withPictures(report, pictures, run, (palette) =>
    eventReachReport(subject, result, palette),
  );
}
