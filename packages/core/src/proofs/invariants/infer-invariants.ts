import type { Invariant } from '../../program/program.js';
import type { Candidate } from './candidates.js';
import { largestInductive } from './houdini.js';
import { candidatesOf } from './invariant-templates.js';
import type { Prover } from '../obligations/obligation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import type { SampledState } from './sampled-state.js';

/** Milliseconds for one question about candidates; what takes longer counts as not inductive. */
const patience = 3000;

/**
 * Invariants over the program's own words, inductive together with `given`: candidates with which all samples agree, and where these are not
 * inductive, weaker ones. The samples decide nothing but what is not worth a question.
 */
export async function inferInvariants(
  program: ProofProgram,
  given: readonly Invariant[],
  samples: readonly SampledState[],
  prover: Prover,
): Promise<readonly Invariant[]> {
  const weaker = new Map<Invariant, readonly Candidate[]>();
  const note = ({ invariant, weaker: next }: Candidate): Invariant => {
    weaker.set(invariant, next);
    return invariant;
  };
  const candidates = candidatesOf(program, samples).map(note);
  return largestInductive(program, given, candidates, prover, {
    patience,
    weaken: (removed) => (weaker.get(removed) ?? []).map(note),
  });
}
