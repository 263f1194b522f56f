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

/** The final states under SC and TSO. */
export async function statesOf(program: Read, limits: Limits): Promise<Part> {
  const { file, text: source, model, diagnostics } = program;
  const result = await decide(model, { kind: 'reach' }, limits);
  if (result.kind === 'refused') {
    const words = refusalInWords(result.refusal);
    return { kind: 'states', words, text: `${words}\n` };
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
  return { kind: 'states', words, page, text: reachReport(subject, found, plainPalette) };
}
