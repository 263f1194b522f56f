import { type ResultOf, trfReport, type TrfResult, trfToJson } from '@fencewright/core';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { diagnosticsFor, type FileReport, withCertificate } from '../file-report.js';
import type { ReadFile } from '../finding.js';
import { terminalPalette } from '../palette.js';
import type { Settings } from '../settings.js';

function exitCodeOf({ verdict, repair, repairUnknown }: TrfResult, wantsRepair: boolean): ExitCode {
  switch (verdict.kind) {
    case 'free':
      return exitCodes.robust;
    case 'race':
      if (repairUnknown) return exitCodes.unknown;
      return wantsRepair && repair ? exitCodes.robust : exitCodes.notRobust;
    case 'unknown':
      return exitCodes.unknown;
    case 'error':
      return exitCodes.input;
  }
}

/** `trf`: a triangular race, or that there is none; with `--fence` the fences that leave none. */
export async function printTrf(
  read: ReadFile,
  { about: program, result, certificate }: ResultOf<'trf'>,
  settings: Settings,
): Promise<FileReport> {
  const { file, diagnostics } = read;
  const subject = { ...read, program };
  const wantsRepair = settings.trfFences ?? false;
  const palette = terminalPalette(settings.colours.stdout);
  const report: FileReport = {
    exitCode: exitCodeOf(result, wantsRepair),
    stdout: trfReport(subject, result, { palette, wantsRepair }),
    stderr: diagnosticsFor(subject, result.diagnostics, settings),
    json: trfToJson(file, program, result, diagnostics),
  };
  const { certificate: output } = settings;
  return output !== undefined && certificate
    ? withCertificate(report, output, certificate)
    : report;
}
