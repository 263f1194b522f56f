import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { LimitReached, watchReading } from '@fencewright/ground/petri/watch.js';
import type { Net } from '@fencewright/ground/petri/net.js';
import {
  sealNetCertificate,
  type SealedCertificate,
} from '@fencewright/model/program/seal-certificate.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { coverCertificateToJson } from './cover-json.js';
import { type CoverAnswer, type CoverEngine, decideCover } from './decide-cover.js';
import type { NetResult, NoteBytes } from './formats/read-mist.js';
import type { TtsQuestion } from './formats/read-tts.js';
import { netFormats, type NetInputFormat } from './net-formats.js';
import { netToJson } from './net-to-json.js';

/** The question about the net of a text: its start and target, the search, and the proof. */
export interface CoverQuestion {
  /** The start and the target of the system, if the net is a thread-transition system (`.tts`). */
  readonly tts?: TtsQuestion;
  /** The engine that searches; `both` by default. */
  readonly engine?: CoverEngine;
  /** Whether the result includes the proof that no target can be covered. */
  readonly certify?: boolean;
}

/** The answer to a coverability question, as plain data. */
export type CoverResult =
  | { readonly kind: 'unread'; readonly diagnostics: readonly Diagnostic[] }
  /** A limit ended the work while the text of the net was read. */
  | { readonly kind: 'unread-within'; readonly reason: 'memory' | 'work' | 'time' }
  | {
      readonly kind: 'cover';
      readonly net: Net;
      readonly answer: CoverAnswer;
      readonly milliseconds: number;
      readonly certificate?: SealedCertificate;
    };

/** Reads a net in a format; calls `note` with the estimated number of bytes of each part read. */
export function parseNet(
  format: NetInputFormat,
  text: string,
  question: TtsQuestion = {},
  note?: NoteBytes,
): Promise<NetResult> {
  return netFormats.find(({ id }) => id === format)!.read(text, question, note);
}

/** Reads the net of a text within limits; returns the net, or the limit that was reached. */
async function parseWithin(
  format: NetInputFormat,
  text: string,
  question: TtsQuestion | undefined,
  budget: Budget,
): Promise<NetResult | 'memory' | 'work' | 'time'> {
  try {
    return await parseNet(format, text, question, watchReading(budget));
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return budget.spentBy(0) ?? 'memory';
  }
}

/** Whether the net of a text can cover a target, within limits that include reading. */
export async function coverText(
  format: NetInputFormat,
  text: string,
  { tts, engine = 'both', certify = false }: CoverQuestion,
  limits: Limits = {},
): Promise<CoverResult> {
  const budget = new Budget(limits);
  const read = await parseWithin(format, text, tts, budget);
  if (typeof read === 'string') return { kind: 'unread-within', reason: read };
  const { net, diagnostics } = read;
  if (!net) return { kind: 'unread', diagnostics };
  const answer = await decideCover(net, budget, engine);
  const { milliseconds } = budget;
  const found = { kind: 'cover' as const, net, answer, milliseconds };
  const { verdict } = answer;
  if (!certify || verdict.kind !== 'not-coverable') return found;
  const { kind, elements, weights } = coverCertificateToJson(net, verdict.certificate);
  const proof = { kind, elements, ...(weights && { weights }) };
  return { ...found, certificate: await sealNetCertificate('cover', netToJson(net), { proof }) };
}
