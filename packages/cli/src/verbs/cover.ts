import path from 'node:path';
import {
  Budget,
  type Diagnostic,
  diagnosticsText,
  diagnosticToJson,
  extensionsInWords,
  type JsonCoverResult,
  jsonFormatVersion,
  type Limits,
  quoteName,
  unreadableFile,
} from '@fencewright/core';
import {
  type CoverAnswer,
  type CoverEngine,
  coverCertificateToJson,
  coverReport,
  decideCover,
  LimitReached,
  type Net,
  netFormats,
  type NetResult,
  netToJson,
  type NoteBytes,
  runToJson,
  sealNetCertificate,
  type TtsQuestion,
  watchReading,
} from '@fencewright/core/cover';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import { type NetInputFormat, netFormatOf, netInputFormats } from '../formats.js';
import { watchInterrupts } from '../interrupt.js';
import { terminalPalette } from '../palette.js';
import { ProgressLine } from '../progress.js';
import { readSource } from '../read-source.js';
import { version } from '../version.js';
import { writeWhole } from '../write-whole.js';

export interface CoverSettings {
  readonly from?: NetInputFormat;
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
  from: NetInputFormat | undefined,
  question: TtsQuestion,
  note?: NoteBytes,
): Promise<LoadedNet> {
  const named = from ?? netFormatOf(file);
  const format = netFormats.find(({ id }) => id === named);
  if (!format) {
    const hint = `give --from ${netInputFormats.join('|')}, or end the name in ${extensionsInWords(netFormats)}`;
    return { diagnostics: [unreadableFile('the name does not tell the format', hint)] };
  }
  const source = await readSource(file);
  if (source.kind === 'failure') return { diagnostics: [source.diagnostic] };
  const { text } = source;
  const isAsked =
    !format.takesQuestion ||
    question.target !== undefined ||
    /^#\s*target\s/m.test(text) ||
    file === '-';
  const target = isAsked ? undefined : await propertyBeside(file);
  const asked = { ...question, ...(target !== undefined && { target }) };
  return { ...(await format.read(text, asked, note)), source: text };
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
  const formatVersion = jsonFormatVersion;
  const document = {
    tool: 'fencewright',
    version,
    formatVersion,
    command: 'cover',
    results: [result],
  };
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}

function refuse(
  file: string,
  source: string | undefined,
  diagnostics: readonly Diagnostic[],
  { json, colours }: CoverSettings,
): ExitCode {
  if (json)
    print({
      file,
      verdict: 'error',
      cause: 'program',
      diagnostics: diagnostics.map(diagnosticToJson),
    });
  else
    process.stderr.write(
      diagnosticsText(file, source, diagnostics, terminalPalette(colours.stderr)),
    );
  return exitCodes.input;
}

/** The net of a file, or the limit that was reached while it was read. */
async function loadWithin(
  file: string,
  { from, question }: CoverSettings,
  budget: Budget,
): Promise<LoadedNet | 'memory' | 'time'> {
  try {
    return await loadNet(file, from, question, watchReading(budget));
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return budget.isSpent(0) ? 'time' : 'memory';
  }
}

/** Reads the net and runs the searches under the user's eyes, within one budget. */
async function loadAndSearch(file: string, settings: CoverSettings) {
  const progress = new ProgressLine(process.stderr);
  const interrupts = watchInterrupts(() => progress.clear());
  const budget = new Budget({
    ...settings.limits,
    signal: interrupts.signal,
    onProgress: (state) => progress.show(file, state),
  });
  try {
    const loaded = await loadWithin(file, settings, budget);
    if (typeof loaded === 'string' || !loaded.net) return { loaded };
    const { net } = loaded;
    const answer = await decideCover(net, budget, settings.engine);
    return { loaded, found: { net, answer, milliseconds: budget.milliseconds } };
  } finally {
    progress.clear();
    interrupts.release();
  }
}

/** What is said where a limit ended the reading of the file. */
function unread(file: string, reason: 'memory' | 'time', { json }: CoverSettings): ExitCode {
  if (json) print({ file, verdict: 'unknown', reason, diagnostics: [] });
  else
    process.stdout.write(`${file}: unknown\nthe limit on ${reason} was reached while reading it\n`);
  return exitCodes.unknown;
}

/** `cover`: whether a net can cover a target. */
export async function coverFile(file: string, settings: CoverSettings): Promise<ExitCode> {
  const { loaded, found } = await loadAndSearch(file, settings);
  if (typeof loaded === 'string') return unread(file, loaded, settings);
  if (!found) return refuse(file, loaded.source, loaded.diagnostics, settings);
  const { net, answer, milliseconds } = found;
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
      coverReport(palette.strong(quoteName(file)), net, answer, milliseconds, (text, kind) =>
        paints[kind](text),
      ),
    );
  }
  if (settings.certificate === undefined) return exitCodeOf[verdict.kind];
  if (verdict.kind !== 'not-coverable') {
    const why = 'is not written: only that no target can be covered has a proof';
    process.stderr.write(`fencewright: ${quoteName(settings.certificate)} ${why}\n`);
    return exitCodeOf[verdict.kind];
  }
  const { kind, elements, weights } = coverCertificateToJson(net, verdict.certificate);
  const proof = { kind, elements, ...(weights && { weights }) };
  const sealed = await sealNetCertificate('cover', netToJson(net), { proof });
  const text = `${JSON.stringify(sealed, null, 1)}\n`;
  const failure = await writeWhole(settings.certificate, text);
  if (failure === undefined) return exitCodeOf[verdict.kind];
  process.stderr.write(failure);
  return exitCodes.usage;
}
