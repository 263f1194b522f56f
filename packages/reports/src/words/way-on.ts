import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import type { AdviceInWords } from './advice.js';

/**
 * Returns advice on an unknown answer; `undefined` if there is none. If a diagnostic says that an
 * execution exceeds the limits of the model, the advice is the hint of the diagnostic, since no
 * other engine can answer the question.
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
