import {
  decide,
  fenceFindings,
  fenceReport,
  type FencesInText,
  type Limits,
  plainPalette,
} from '@fencewright/core';
import type { ResultPart } from './messages.js';
import { type Read, refusalMessage } from './read.js';

const noFences: Readonly<Record<string, string>> = {
  impossible: 'No fences make the program robust.',
  unknown: 'The cheapest fences are not known.',
  error: 'An execution of the program ends in a fault: fences cannot help.',
};

/** Whether a search ended because its time ran out. */
function isCutShort(verdict: object): boolean {
  const { reason, why } = verdict as {
    readonly reason?: string;
    readonly why?: { readonly reason?: string };
  };
  return reason === 'time' || why?.reason === 'time';
}

function fenceWords(
  { result, text }: Pick<FencesInText, 'text'> & { readonly result: { readonly verdict: object } },
  source: string,
): string {
  const verdict = result.verdict as {
    readonly kind: string;
    readonly cost?: number;
    readonly repairs?: readonly object[];
    readonly fences?: readonly object[];
  };
  if (isCutShort(verdict)) return 'The time was too short to find the cheapest fences.';
  if (verdict.kind !== 'found') return noFences[verdict.kind] ?? 'There is no answer.';
  const count = (verdict.repairs ?? verdict.fences ?? []).length;
  if (count === 0) return 'The program needs no fences.';
  const noun = count === 1 ? 'One fence makes' : `${count} fences make`;
  const end = text === undefined || text === source ? '; the text has no place for them' : '';
  return `${noun} the program robust, and nothing cheaper does (cost ${verdict.cost})${end}.`;
}

/** Finds the cheapest fences for a program, and their places in the text. */
export async function fencesFor(program: Read, limits: Limits): Promise<ResultPart> {
  const { file, format, text: source, model } = program;
  const question = { kind: 'fence', text: { format, source } } as const;
  const result = await decide(model, question, limits);
  if (result.kind === 'refused') {
    const words = refusalMessage(result.refusal);
    return { kind: 'fences', words, isCut: false, text: `${words}\n` };
  }
  if (result.kind === 'event-fence') {
    const { eventFenceFindings, eventFenceReport } = await import('@fencewright/core/events');
    const { about, fences } = result;
    const findings = eventFenceFindings(source, fences, file);
    const subject = { file, source, program: about };
    return {
      ...{ kind: 'fences', words: fenceWords(fences, source) },
      isCut: isCutShort(fences.result.verdict),
      ...(findings.diff !== undefined && findings.diff !== '' && { diff: findings.diff }),
      ...(fences.text !== undefined && { after: fences.text }),
      text: eventFenceReport(subject, findings, plainPalette),
    };
  }
  if (result.kind !== 'fence') throw new Error(`an answer of another kind: ${result.kind}`);
  const { about, fences } = result;
  const findings = fenceFindings(source, fences, file);
  const subject = { file, source, program: fences.about ?? about };
  return {
    ...{ kind: 'fences', words: fenceWords(fences, source) },
    isCut: isCutShort(fences.result.verdict),
    ...(findings.diff !== undefined && findings.diff !== '' && { diff: findings.diff }),
    ...(fences.text !== undefined && { after: fences.text }),
    text: fenceReport(subject, findings, plainPalette),
  };
}
