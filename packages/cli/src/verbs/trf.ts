import { trf, trfReport, type TrfResult, trfToJson } from '@fencewright/core';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { diagnosticsFor, type FileReport } from '../file-report.js';
import type { CheckableFile } from '../load-program.js';
import { terminalPalette } from '../palette.js';
import type { Hooks, Settings } from '../settings.js';

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
export async function trfFile(
  subject: CheckableFile,
  settings: Settings,
  hooks: Hooks,
): Promise<FileReport> {
  const { file, program, diagnostics } = subject;
  const wantsRepair = settings.trfFences ?? false;
  const result = await trf(program, {
    limits: { ...settings.limits, ...hooks },
    repair: wantsRepair,
  });
  const palette = terminalPalette(settings.colours.stdout);
  return {
    exitCode: exitCodeOf(result, wantsRepair),
    stdout: trfReport(subject, result, { palette, wantsRepair }),
    stderr: diagnosticsFor(subject, result.diagnostics, settings),
    json: trfToJson(file, program, result, diagnostics),
  };
}
