import {
  type Certificate,
  countOf,
  type Diagnostic,
  diagnosticsText,
  type HappensBefore,
  type Limits,
  onlyProofs,
  openParts,
  underNotion,
  unreadableFile,
  verifyAllInstances,
  verifyFenceCertificate,
} from '@fencewright/core';
import { choiceNamed, type CostChoice, costName } from '../cost-choice.js';
import { costModelOf } from '../cost-model.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { type InputFormat, netFormatOf } from '../formats.js';
import { loadProgram } from '../load-program.js';
import { terminalPalette } from '../palette.js';
import { readSource } from '../read-source.js';
import { textEditorOf } from '../text-editor.js';

export interface VerifySettings {
  readonly from?: InputFormat;
  /** Absent: those that the certificate names. */
  readonly costs?: CostChoice;
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

function costModelIn(value: unknown): string {
  const name = typeof value === 'object' && value !== null && 'costModel' in value;
  return name && typeof value.costModel === 'string' ? value.costModel : '';
}

function notionIn(value: unknown): HappensBefore {
  const isByValues =
    typeof value === 'object' &&
    value !== null &&
    'happensBefore' in value &&
    value.happensBefore === 'value';
  return isByValues ? 'value' : 'standard';
}

/** The costs to verify with, or why they cannot be had. */
function chooseCosts(named: string, given: CostChoice | undefined): CostChoice | string {
  if (given) return given;
  const choice = choiceNamed(named);
  if (choice) return choice;
  // What is no certificate at all is not refused for its costs: its form is what is wrong with it.
  return named === 'file'
    ? 'the costs of this certificate come from a file: give it with --cost FILE'
    : { kind: 'size' };
}

/** Whether the user set a limit that only searches keep to. */
function isLimited({ limits: { timeout, maxStates } }: VerifySettings): boolean {
  return timeout !== undefined || maxStates !== undefined;
}

function refuseLimits(what: string): ExitCode {
  const text = `a certificate about ${what} is checked step by step, without a search: leave out --timeout and --max-states`;
  process.stderr.write(`fencewright: ${text}\n`);
  return exitCodes.usage;
}

/** `verify-certificate`: everything that is wrong with a certificate for a program. */
export async function verifyCertificateFile(
  certificateFile: string,
  programFile: string,
  settings: VerifySettings,
): Promise<ExitCode> {
  const palette = terminalPalette(settings.colours.stdout);
  const complain = (
    file: string,
    source: string | undefined,
    diagnostics: readonly Diagnostic[],
  ): ExitCode => {
    const text = diagnosticsText(
      file,
      source,
      diagnostics,
      terminalPalette(settings.colours.stderr),
    );
    process.stderr.write(text);
    return exitCodes.input;
  };
  const read = await readCertificate(certificateFile);
  if (read.kind === 'failure') return complain(certificateFile, undefined, [read.diagnostic]);
  if (netFormatOf(programFile) !== undefined) {
    const { loadNet } = await import('./cover.js');
    const { net, source: text, diagnostics } = await loadNet(programFile, undefined, {});
    if (!net) return complain(programFile, text, diagnostics);
    if (isLimited(settings)) return refuseLimits('a net');
    const { verifyCoverCertificate } = await import('@fencewright/core/cover');
    const flaws = verifyCoverCertificate(net, read.value);
    const proves = 'no target can be covered';
    process.stdout.write(outcomeText(certificateFile, programFile, flaws, proves, palette));
    return flaws.length === 0 ? exitCodes.robust : exitCodes.notRobust;
  }
  const loaded = await loadProgram(programFile, settings.from);
  const { program, parameterized, source = '', format = 'native' } = loaded;
  if (parameterized) {
    if (isLimited(settings)) return refuseLimits('any number of threads');
    const flaws = await verifyAllInstances(read.value, parameterized);
    const under = underNotion(notionIn(read.value));
    const proves = `it is robust${under}, whatever the number of threads`;
    process.stdout.write(outcomeText(certificateFile, programFile, flaws, proves, palette));
    return flaws.length === 0 ? exitCodes.robust : exitCodes.notRobust;
  }
  if (!program) {
    const refusals = loaded.open
      ? [onlyProofs("'verify-certificate'", openParts(loaded.open))]
      : loaded.diagnostics;
    return complain(programFile, loaded.source, refusals);
  }
  const named = costModelIn(read.value);
  const choice = chooseCosts(named, settings.costs);
  if (typeof choice === 'string') {
    process.stderr.write(`fencewright: ${choice}\n`);
    return exitCodes.usage;
  }
  const costs = await costModelOf(choice, program);
  if (costs.kind === 'failure') return complain(costs.file, costs.source, costs.diagnostics);
  const editor = await textEditorOf(format, source, program);
  const given = costName(choice);
  const isOther = named !== '' && named !== given;
  const findings = [
    ...(isOther ? [`the certificate is about costs by ${named}, not by ${given}`] : []),
    ...(await verifyFenceCertificate(read.value, program, {
      costs: costs.costs,
      canFence: (thread, location) => editor.placesOf(thread, location).length > 0,
      limits: settings.limits,
    })),
  ];
  process.stdout.write(verdictText(certificateFile, programFile, read.value, findings, palette));
  return findings.length === 0 ? exitCodes.robust : exitCodes.notRobust;
}

function verdictText(
  certificateFile: string,
  programFile: string,
  value: unknown,
  findings: readonly string[],
  palette: ReturnType<typeof terminalPalette>,
): string {
  if (findings.length > 0) return outcomeText(certificateFile, programFile, findings, '', palette);
  // Without findings it has the form of a certificate.
  const { chosen, cost, clauses, costModel, happensBefore } = value as Certificate;
  const proves =
    `robust${underNotion(happensBefore)} with ${countOf(chosen.length, 'repair')} of cost ${cost} by ${costModel}, ` +
    `and no cheaper set meets its ${countOf(clauses.length, 'clause')}`;
  return outcomeText(certificateFile, programFile, findings, proves, palette);
}

/** `proves` says what follows where nothing is wrong. */
function outcomeText(
  certificateFile: string,
  programFile: string,
  findings: readonly string[],
  proves: string,
  palette: ReturnType<typeof terminalPalette>,
): string {
  const title = palette.strong(certificateFile);
  if (findings.length === 0)
    return `${title} ${palette.good('holds')} for ${programFile}: ${proves}\n`;
  const lines = findings.map((finding, i) => `  ${i + 1}. ${finding}`);
  return `${title} ${palette.bad('does not hold')} for ${programFile}\n${lines.join('\n')}\n`;
}
