import path from 'node:path';
import {
  Budget,
  type Diagnostic,
  diagnosticsText,
  diagnosticToJson,
  type JsonCoverResult,
  type Limits,
  unreadableFile,
} from '@fencewright/core';
import {
  type CoverAnswer,
  type CoverEngine,
  coverCertificateToJson,
  coverReport,
  decideCover,
  type Net,
  type NetResult,
  netToJson,
  readMist,
  readTts,
  runToJson,
  sealNetCertificate,
  type TtsQuestion,
} from '@fencewright/core/cover';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { type NetFormat, netFormatOf } from '../formats.js';
import { watchInterrupts } from '../interrupt.js';
import { terminalPalette } from '../palette.js';
import { ProgressLine } from '../progress.js';
import { readSource } from '../read-source.js';
import { version } from '../version.js';
import { writeWhole } from '../write-whole.js';

export interface CoverSettings {
  readonly from?: NetFormat;
  readonly question: TtsQuestion;
  readonly engine: CoverEngine;
  readonly certificate?: string;
  readonly json: boolean;
  readonly limits: Limits;
  readonly colours: { readonly stdout: boolean; readonly stderr: boolean };
}

const exitCodeOf: Readonly<Record<CoverAnswer['verdict']['kind'], ExitCode>> = {
  'not-coverable': exitCodes.robust,
  coverable: exitCodes.notRobust,
  unknown: exitCodes.unknown,
};

/** A net, or what is wrong with its file. */
export type LoadedNet = NetResult & { readonly source?: string };

/** What BFC's users keep beside a system: the target, in a file that ends in .prop. */
async function propertyBeside(file: string): Promise<string | undefined> {
  const beside = await readSource(`${file.slice(0, -path.extname(file).length)}.prop`);
  return beside.kind === 'text' ? beside.text.trim() : undefined;
}

/** Reads a net. */
export async function loadNet(
  file: string,
  from: NetFormat | undefined,
  question: TtsQuestion,
): Promise<LoadedNet> {
  const format = from ?? netFormatOf(file);
  if (!format) {
    const hint = 'give --from mist|tts, or end the name in .spec or .tts';
    return { diagnostics: [unreadableFile('the name does not tell the format', hint)] };
  }
  const source = await readSource(file);
  if (source.kind === 'failure') return { diagnostics: [source.diagnostic] };
  const { text } = source;
  if (format === 'mist') return { ...readMist(text), source: text };
  const isAsked = question.target !== undefined || /^#\s*target\s/m.test(text) || file === '-';
  const target = isAsked ? undefined : await propertyBeside(file);
  return {
    ...readTts(text, { ...question, ...(target !== undefined && { target }) }),
    source: text,
  };
}

function resultOf(
  file: string,
  net: Net,
  answer: CoverAnswer,
  milliseconds: number,
): JsonCoverResult {
  const { verdict, engine, states } = answer;
  return {
    file,
    verdict: verdict.kind,
    ...(verdict.kind === 'unknown' && { reason: verdict.reason }),
    statistics: {
      places: net.places.length,
      controls: net.controls.length,
      rules: net.rules.length,
      engine,
      ...states,
      milliseconds,
    },
    ...(verdict.kind === 'coverable' && verdict.run && { run: runToJson(net, verdict.run) }),
    ...(verdict.kind === 'not-coverable' && {
      certificate: coverCertificateToJson(net, verdict.certificate),
    }),
    diagnostics: [],
  };
}

function print(result: JsonCoverResult): void {
  const document = { tool: 'fencewright', version, command: 'cover', results: [result] };
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

function refuse(
  file: string,
  source: string | undefined,
  diagnostics: readonly Diagnostic[],
  { json, colours }: CoverSettings,
): ExitCode {
  if (json) print({ file, verdict: 'error', diagnostics: diagnostics.map(diagnosticToJson) });
  else
    process.stderr.write(
      diagnosticsText(file, source, diagnostics, terminalPalette(colours.stderr)),
    );
  return exitCodes.input;
}

/** Runs the searches under the user's eyes. */
async function search(file: string, net: Net, { engine, limits }: CoverSettings) {
  const progress = new ProgressLine(process.stderr);
  const interrupts = watchInterrupts(() => progress.clear());
  const budget = new Budget({
    ...limits,
    signal: interrupts.signal,
    onProgress: (state) => progress.show(file, state),
  });
  try {
    const answer = await decideCover(net, budget, engine);
    return { answer, milliseconds: budget.milliseconds };
  } finally {
    progress.clear();
    interrupts.release();
  }
}

/** `cover`: whether a net can cover a target. */
export async function coverFile(file: string, settings: CoverSettings): Promise<ExitCode> {
  const { net, source, diagnostics } = await loadNet(file, settings.from, settings.question);
  if (!net) return refuse(file, source, diagnostics, settings);
  const { answer, milliseconds } = await search(file, net, settings);
  const { verdict } = answer;
  if (settings.json) print(resultOf(file, net, answer, milliseconds));
  else {
    const palette = terminalPalette(settings.colours.stdout);
    const paints = {
      coverable: palette.bad,
      'not-coverable': palette.good,
      unknown: palette.doubtful,
    };
    process.stdout.write(
      coverReport(palette.strong(file), net, answer, milliseconds, (text, kind) =>
        paints[kind](text),
      ),
    );
  }
  if (settings.certificate === undefined || verdict.kind !== 'not-coverable')
    return exitCodeOf[verdict.kind];
  const { kind, elements, weights } = coverCertificateToJson(net, verdict.certificate);
  const proof = { kind, elements, ...(weights && { weights }) };
  const sealed = await sealNetCertificate('cover', netToJson(net), { proof });
  const text = `${JSON.stringify(sealed, null, 1)}\n`;
  const failure = await writeWhole(settings.certificate, text);
  if (failure === undefined) return exitCodeOf[verdict.kind];
  process.stderr.write(`fencewright: ${settings.certificate} cannot be written: ${failure}\n`);
  return exitCodes.usage;
}
