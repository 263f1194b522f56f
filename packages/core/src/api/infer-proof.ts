import type { Limits } from '../base/budget.js';
import type { Invariant } from '../program/program.js';
import { attemptProof, type Attempt } from '../reduction/attempt.js';
import { inferAbstractions, type InferredProof } from '../reduction/infer-abstractions.js';
import { inferInvariants } from '../reduction/infer-invariants.js';
import type { Prover } from '../reduction/obligation.js';
import { overallAgreement } from '../reduction/write-atomicity.js';
import { sampleStates } from './sample-states.js';

/** States, and milliseconds, that are spent on samples. */
const effort = { maxStates: 8000, maxMilliseconds: 1500 };

/**
 * Looks for what is missing for an argument for each store: invariants first, as they change nothing, then abstractions, then both. What is
 * found is proved like what somebody wrote, and no question but those of this proof is kept.
 */
export async function inferProof(
  first: Attempt,
  given: readonly Invariant[],
  prover: Prover,
  limits: Limits,
): Promise<InferredProof> {
  const asIs = { attempt: first, abstractions: [] };
  if (isSettled(asIs)) return asIs;
  const found = await search(first, given, prover, limits);
  if (!found) return asIs;
  prover.forget();
  const { attempt, abstractions } = found;
  const proved = await attemptProof(attempt.open, [...given, ...helpersOf(attempt, given)], prover);
  if ('unsupported' in proved) return asIs;
  return { attempt: proved, abstractions };
}

/** Something with an argument for each store; absent if there is nothing. */
async function search(
  first: Attempt,
  given: readonly Invariant[],
  prover: Prover,
  limits: Limits,
): Promise<InferredProof | undefined> {
  const samples = await sampleStates(first.program, { ...limits, ...effort });
  const helpers = await inferInvariants(first.program, first.invariants, samples, prover);
  const helped = helpers.length > 0 && (await attemptProof(first.open, given, prover, helpers));
  const second = helped && !('unsupported' in helped) ? helped : undefined;
  if (second && isSettled({ attempt: second })) return { attempt: second, abstractions: [] };
  const alone = await inferAbstractions(first, { written: given, helpers: [] }, prover);
  if (isSettled(alone)) return alone;
  const both = second && (await inferAbstractions(second, { written: given, helpers }, prover));
  return both && isSettled(both) ? both : undefined;
}

function isSettled({ attempt }: Pick<InferredProof, 'attempt'>): boolean {
  return overallAgreement(attempt.stores) !== undefined;
}

function helpersOf(attempt: Attempt, given: readonly Invariant[]): readonly Invariant[] {
  return attempt.invariants.filter((invariant) => !given.includes(invariant));
}
