import {
  automataToJson,
  type Diagnostic,
  diagnosticsText,
  type Limits,
  unreadableFile,
} from '@fencewright/core';
import { exitCodeOf, type Report, reportText, verifyCertificate } from '@fencewright/verifier';
import type { CostChoice } from '../cost-choice.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { type InputFormat, netFormatOf } from '../formats.js';
import { loadProgram, type LoadedFile } from '../load-program.js';
import { terminalPalette } from '../palette.js';
import { readSource } from '../read-source.js';
import { repairsInText } from './repairs-in-text.js';

export interface VerifySettings {
  readonly from?: InputFormat;
  /** Absent: those that the certificate names. */
  readonly costs?: CostChoice;
  /** Commands of the solvers that proofs are put to. */
  readonly solvers?: readonly string[];
  readonly limits: Limits;
  readonly colours: { readonly stdout: boolean; readonly stderr: boolean };
}

type CertificateRead =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly diagnostic: Diagnostic };

async function readCertificate(file: string): Promise<CertificateRead> {
  const source = await readSource(file);
  if (source.kind === 'failure') return source;
  try {
    return { kind: 'value', value: JSON.parse(source.text) as unknown };
  } catch (error) {
    const message = `this is not JSON: ${(error as Error).message}`;
    const hint = 'the certificate comes first, then the program';
    return { kind: 'failure', diagnostic: unreadableFile(message, hint) };
  }
}

/** What a program or a net is, as the verifier takes it; or what is wrong with its file. */
type Given =
  | { readonly kind: 'model'; readonly model: unknown; readonly loaded?: LoadedFile }
  | {
      readonly kind: 'failure';
      readonly source?: string;
      readonly diagnostics: readonly Diagnostic[];
    };

async function readGiven(file: string, from: InputFormat | undefined): Promise<Given> {
  if (netFormatOf(file) !== undefined) {
    const { loadNet } = await import('./cover.js');
    const { net, ...failure } = await loadNet(file, undefined, {});
    if (!net) return { kind: 'failure', ...failure };
    const { netToJson } = await import('@fencewright/core/cover');
    return { kind: 'model', model: netToJson(net) };
  }
  const loaded = await loadProgram(file, from);
  if (loaded.model) return { kind: 'model', model: automataToJson(loaded.model), loaded };
  const { source, diagnostics } = loaded;
  return { kind: 'failure', ...(source !== undefined && { source }), diagnostics };
}

/** `verify-certificate`: what the verifier says of a certificate, and of the program if one is given. */
export async function verifyCertificateFile(
  certificateFile: string,
  programFile: string | undefined,
  settings: VerifySettings,
): Promise<ExitCode> {
  const { from, limits, solvers, colours } = settings;
  const complain = (
    file: string,
    source: string | undefined,
    diagnostics: readonly Diagnostic[],
  ): ExitCode => {
    const palette = terminalPalette(colours.stderr);
    process.stderr.write(diagnosticsText(file, source, diagnostics, palette));
    return exitCodes.input;
  };
  const read = await readCertificate(certificateFile);
  if (read.kind === 'failure') return complain(certificateFile, undefined, [read.diagnostic]);
  const given = programFile === undefined ? undefined : await readGiven(programFile, from);
  if (given?.kind === 'failure')
    return complain(programFile ?? '', given.source, given.diagnostics);
  const text =
    given?.loaded && (await repairsInText(read.value, given.loaded, settings.costs, limits));
  if (text?.kind === 'failure') return complain(text.file, text.source, text.diagnostics);
  if (text?.kind === 'usage') {
    process.stderr.write(`fencewright: ${text.message}\n`);
    return exitCodes.usage;
  }
  if (text?.kind === 'unknown') return tell(certificateFile, programFile, text, colours.stdout);
  const report = await verifyCertificate(read.value, given?.model, {
    ...limits,
    ...(solvers && { solvers }),
    ...(text?.kind === 'repairs' && { repairs: text.repairs }),
  });
  return tell(certificateFile, programFile, report, colours.stdout);
}

function tell(
  certificateFile: string,
  programFile: string | undefined,
  report: Report,
  isColoured: boolean,
): ExitCode {
  const palette = terminalPalette(isColoured);
  const paint = { 0: palette.good, 5: palette.doubtful, 10: palette.bad, 65: palette.bad };
  const code = exitCodeOf(report);
  const text = reportText(certificateFile, report, {
    ...(programFile !== undefined && { program: programFile }),
    strong: palette.strong,
    verdict: paint[code],
  });
  if (code === exitCodes.input) process.stderr.write(`fencewright: ${text}`);
  else process.stdout.write(text);
  return code;
}
