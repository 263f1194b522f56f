import { trfReport, type TrfResult, trfToJson } from '@fencewright/core';
import { subjectOf } from '../advice-in-words.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { whyNoProof, withCertificate, withoutCertificate } from '../certificate-report.js';
import { diagnosticsOutput, type FileReport } from '../file-report.js';
import { jobs, searchOptions, watch } from '../options/common.js';
import { flag, text } from '../options/declare.js';
import { terminalPalette } from '../palette.js';
import { fileVerb } from '../file-verb.js';

const options = {
  ...searchOptions,
  jobs,
  fence: flag('--fence', 'find the cheapest fences that leave no triangular race'),
  certificate: text(
    '--certificate <file>',
    'with --fence: file for the proof, for verify-certificate',
  ),
  watch,
};

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

/**
 * The verb `trf`: finds a triangular race, or shows the absence of triangular races; with
 * `--fence`, finds fences that remove all races.
 */
export const trfVerb = fileVerb<typeof options, 'trf'>({
  name: 'trf',
  options,
  examples: [
    ['fencewright trf lock.fw', 'looks for triangular races'],
    ['fencewright trf --fence lock.fw', 'finds the cheapest fences that leave none'],
  ],
  complaint: ({ certificate, fence }, files) => {
    if (certificate === undefined) return undefined;
    if (files.length > 1) return '--certificate is for one file';
    return fence ? undefined : '--certificate needs --fence';
  },
  request: ({ fence: repair = false }) => ({ question: { kind: 'trf', repair } }),
  print: (read, { about: program, result, certificate, uncertified }, run, values) => {
    const { file, diagnostics } = read;
    const subject = subjectOf(read, program, values);
    const { fence: wantsRepair = false, certificate: output } = values;
    const palette = terminalPalette(run.colours.stdout);
    const report: FileReport = {
      exitCode: exitCodeOf(result, wantsRepair),
      stdout: trfReport(subject, result, { palette, wantsRepair }),
      stderr: diagnosticsOutput(subject, result.diagnostics, run),
      json: trfToJson(file, program, result, diagnostics),
    };
    if (output === undefined) return report;
    if (certificate) return withCertificate(report, output, certificate);
    return result.repair
      ? withoutCertificate(report, output, whyNoProof(uncertified), exitCodes.unknown)
      : withoutCertificate(report, output, 'only cheapest fences have a proof');
  },
});
