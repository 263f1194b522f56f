import {
  fenceReport,
  fenceToJson,
  type FenceVerdict,
  quoteName,
  reasonInWords,
  type ResultOf,
} from '@fencewright/core';
import { type ExitCode, exitCodes, worstOf } from '../exit-codes.js';
import { fenceFindings } from '../fence-findings.js';
import { diagnosticsFor, type FileReport } from '../file-report.js';
import type { ReadFile } from '../finding.js';
import { terminalPalette } from '../palette.js';
import { editRefusalInWords } from '../refusal-in-words.js';
import type { FenceSettings, Settings } from '../settings.js';
import { type ReadText, writeWhole } from '../write-whole.js';

const exitCodeOf: Readonly<Record<FenceVerdict['kind'], ExitCode>> = {
  found: exitCodes.robust,
  impossible: exitCodes.notRobust,
  'property-fails': exitCodes.notRobust,
  unknown: exitCodes.unknown,
  error: exitCodes.input,
};

/** Writes what was asked for; gives the lines that say so, and those that say what failed. */
async function writeFiles(
  { fences, certificate: made }: ResultOf<'fence'>,
  { output, certificate }: Partial<FenceSettings>,
  read: ReadText,
  mark: string,
): Promise<{ readonly done: string[]; readonly failed: string[] }> {
  const files: [what: string, file: string, text: string | undefined][] = [];
  if (output !== undefined && output !== '-') {
    const text = fences.text === undefined ? undefined : mark + fences.text;
    files.push(['the program', output, text]);
  }
  if (certificate !== undefined) {
    const text = made && `${JSON.stringify(made, null, 1)}\n`;
    files.push(['the certificate', certificate, text]);
  }
  const done: string[] = [];
  const failed: string[] = [];
  for (const [what, file, text] of files) {
    if (text === undefined) continue;
    const failure = await writeWhole(file, text, read);
    if (failure === undefined) done.push(`${what} is in ${quoteName(file)}`);
    else failed.push(failure);
  }
  return { done, failed };
}

/** Why there is no certificate, if one was asked for and there is an answer. */
function missingCertificate(
  { fences, certificate, uncertified }: ResultOf<'fence'>,
  file: string | undefined,
): string[] {
  if (file === undefined || fences.result.verdict.kind !== 'found' || certificate) return [];
  const reason = uncertified ? reasonInWords[uncertified] : 'there is none for this';
  return [`fencewright: ${quoteName(file)} is not written: no proof was found, ${reason}\n`];
}

/** `fence`: a cheapest fence set, in the program's own text. */
export async function printFence(
  given: ReadFile,
  answer: ResultOf<'fence'>,
  settings: Settings,
): Promise<FileReport> {
  const asked: Partial<FenceSettings> = settings.fence ?? {};
  const { about: program, fences } = answer;
  const { verdict, diagnostics } = fences.result;
  const refusals = fences.refusal ? editRefusalInWords(fences.refusal) : [];
  const { file, source, byteOrderMark: mark = '' } = given;
  const read = { file, text: mark + source };
  const { done, failed } = await writeFiles(answer, asked, read, mark);
  const missing = missingCertificate(answer, asked.certificate);
  const codes = [
    exitCodeOf[verdict.kind],
    ...(refusals.length > 0 ? [exitCodes.input] : []),
    ...(failed.length > 0 ? [exitCodes.usage] : []),
    ...(missing.length > 0 ? [exitCodes.unknown] : []),
  ];
  const isPiped = asked.output === '-';
  const palette = terminalPalette(isPiped ? settings.colours.stderr : settings.colours.stdout);
  const notes = done.length > 0 ? `\n${done.join('\n')}\n` : '';
  const findings = fenceFindings(given, fences);
  const text = fenceReport({ ...given, program }, findings, palette) + notes;
  const errors =
    diagnosticsFor(given, [...diagnostics, ...refusals], settings) +
    [...failed, ...missing].join('');
  return {
    exitCode: worstOf(codes),
    stdout: isPiped ? (fences.text === undefined ? '' : mark + fences.text) : text,
    stderr: isPiped ? errors + text : errors,
    json: fenceToJson(file, program, findings, [...given.diagnostics, ...refusals]),
  };
}
