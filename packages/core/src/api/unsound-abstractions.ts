import { at } from '@fencewright/ground/base/at.js';
import { formatCell } from '@fencewright/model/program/format.js';
import type { GuessSoundness } from '@fencewright/proofs/abstractions/abstraction-soundness.js';
import type { ProofProgram } from '@fencewright/proofs/steps/proof-program.js';
import { type Diagnostic, unsoundGuess } from '@fencewright/ground/source/diagnostic.js';

/**
 * Returns the error for an unsound read abstraction (its load may not return every value that
 * memory may hold); `undefined` if the abstraction is sound, or if the solver gave up.
 */
export function complainAboutGuess(
  { templates }: ProofProgram,
  { thread, guess, finding }: GuessSoundness,
): Diagnostic | undefined {
  const owner = templates.threads[thread];
  const { operation, transition } = guess;
  const load = owner?.transitions[transition];
  if (finding.kind !== 'fails' || !owner || operation.kind !== 'guess') return undefined;
  const register = at(owner.registers, operation.into).name;
  const cell = formatCell(templates, owner, operation.address);
  return unsoundGuess(load?.origin.span, register, cell);
}
