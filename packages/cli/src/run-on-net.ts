import path from 'node:path';
import { type Diagnostic, extensionsInWords, type Limits, unreadableFile } from '@fencewright/core';
import {
  type CoverQuestion,
  type CoverResult,
  coverText,
  netFormats,
  parseNet,
  type NetResult,
  type TtsQuestion,
} from '@fencewright/core/cover';
import { netFormatOf, netInputFormats, type NetInputFormat } from './formats.js';
import { readSource } from './read-source.js';
import type { Hooks } from './run-settings.js';

/** A question about a net; plain data, so that a thread can receive the question. */
export interface NetRequest {
  readonly file: string;
  /** The format of the net's file; the format of the file name if absent. */
  readonly from?: NetInputFormat;
  readonly question: CoverQuestion;
  readonly limits: Pick<Limits, 'maxStates' | 'effort' | 'maxMemory' | 'timeout'>;
}

/** The answer to a question about a net, with the diagnostics as text. */
export interface NetFinding {
  readonly source?: string;
  readonly result: CoverResult;
}

/**
 * Returns the target in the file with the extension .prop beside a net's file, as usual with the
 * tool BFC; `undefined` if there is none.
 */
async function propertyBeside(file: string): Promise<string | undefined> {
  const beside = await readSource(`${file.slice(0, -path.extname(file).length)}.prop`);
  return beside.kind === 'text' ? beside.text.trim() : undefined;
}

/** The text of a net and of its target, or the errors in the files. */
type NetText =
  | {
      readonly kind: 'text';
      readonly format: NetInputFormat;
      readonly source: string;
      readonly tts: TtsQuestion;
    }
  | { readonly kind: 'failure'; readonly diagnostics: readonly Diagnostic[] };

async function readNetText(
  file: string,
  from: NetInputFormat | undefined,
  asked: TtsQuestion,
): Promise<NetText> {
  const id = from ?? netFormatOf(file);
  const format = netFormats.find((one) => one.id === id);
  if (!format) {
    const hint = `give --from ${netInputFormats.join('|')}, or end the name in ${extensionsInWords(netFormats)}`;
    const diagnostic = unreadableFile('the format is not known from the file name', hint);
    return { kind: 'failure', diagnostics: [diagnostic] };
  }
  const read = await readSource(file);
  if (read.kind === 'failure') return { kind: 'failure', diagnostics: [read.diagnostic] };
  const { text: source } = read;
  const isAsked =
    !format.takesQuestion ||
    asked.target !== undefined ||
    /^#\s*target\s/m.test(source) ||
    file === '-';
  const target = isAsked ? undefined : await propertyBeside(file);
  const tts = { ...asked, ...(target !== undefined && { target }) };
  return { kind: 'text', format: format.id, source, tts };
}

/** Reads a net from a file, for questions in which the target does not matter. */
export async function loadNet(file: string): Promise<NetResult & { readonly source?: string }> {
  const read = await readNetText(file, undefined, {});
  if (read.kind === 'failure') return read;
  const { format, source, tts } = read;
  return { ...(await parseNet(format, source, tts)), source };
}

/** Answers a question about a net, and reports progress to `hooks`. */
export async function runOnNet(
  { file, from, question, limits }: NetRequest,
  hooks: Hooks,
): Promise<NetFinding> {
  const read = await readNetText(file, from, question.tts ?? {});
  if (read.kind === 'failure') return { result: { ...read, kind: 'unread' } };
  const { format, source, tts } = read;
  const result = await coverText(format, source, { ...question, tts }, { ...limits, ...hooks });
  return { source, result };
}
