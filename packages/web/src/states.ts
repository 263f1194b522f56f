import {
  answerLine,
  decide,
  type Limits,
  plainPalette,
  reachReport,
  replay,
} from '@fencewright/core';
import type { Part } from './messages.js';
import { type Read, refusalInWords, sentence } from './read.js';
import { version } from './version.js';

const isCutShort = ({ incomplete }: { readonly incomplete?: string }): boolean =>
  incomplete === 'time';

/** The final states under SC and TSO. */
export async function statesOf(program: Read, limits: Limits): Promise<Part> {
  const { file, text: source, model, diagnostics } = program;
  const result = await decide(model, { kind: 'reach' }, limits);
  if (result.kind === 'refused') {
    const words = refusalInWords(result.refusal);
    return { kind: 'states', words, isCut: false, text: `${words}\n` };
  }
  if (result.kind === 'event-reach') {
    const { eventReachReport } = await import('@fencewright/core/events');
    const { eventReachHtml } = await import('@fencewright/core/page');
    const { about, result: found } = result;
    const subject = { file, source, program: about };
    const page = eventReachHtml(subject, found, { diagnostics, version });
    return {
      kind: 'states',
      words: '',
      page,
      isCut: [found.single, found.sc, found.tso].some(isCutShort),
      text: eventReachReport(subject, found, plainPalette),
    };
  }
  if (result.kind !== 'reach') throw new Error(`an answer of another kind: ${result.kind}`);
  const { reachHtml } = await import('@fencewright/core/page');
  const { about, result: found } = result;
  const subject = { file, source, program: about };
  const page = reachHtml(subject, found, {
    replay: (computation) => replay(about, computation),
    ...{ diagnostics, version },
  });
  const words = sentence(answerLine(about, found.answer));
  const isCut = found.answer.kind === 'unknown' && [found.sc, found.tso].some(isCutShort);
  return { kind: 'states', words, page, isCut, text: reachReport(subject, found, plainPalette) };
}
