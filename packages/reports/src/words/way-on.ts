import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import type { AdviceInWords } from './advice.js';

/**
 * What can be done about an answer that is not known; nothing where there are no words for it.
 * Where an execution goes beyond the model of the program, no engine goes further: then it is what
 * the message says that has to be done.
 */
export function wayOn(
  advise: AdviceInWords | undefined,
  reason: UnknownReason,
  diagnostics: readonly Diagnostic[],
): string | undefined {
  const beyond = diagnostics.find(({ code, hint }) => code === 'FW3009' && hint !== undefined);
  if (reason === 'unsupported' && beyond) return beyond.hint;
  return advise?.({ kind: 'go-on', reason });
}
