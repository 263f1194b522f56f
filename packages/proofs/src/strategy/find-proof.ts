import type { Limits } from '@fencewright/ground/base/budget.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Conclusion, Unprovable } from '@fencewright/model/verdict/prove-result.js';
import { findDeserted } from '../obligations/induction.js';
import type { Prover } from '../obligations/obligation.js';
import { checkPremises } from '../obligations/premises.js';
import { attemptProof } from './attempt.js';
import { conclude } from './conclude.js';
import { inferProof, type Inference } from './infer-proof.js';
import { propertyInvariant } from './property-invariant.js';

/** The invariants that a proof starts from. */
interface GivenInvariants {
  /** Those of the program; one that is asked for is about all places. */
  readonly written: readonly Invariant[];
  /** These, and what the properties claim that are asked for. */
  readonly given: readonly Invariant[];
}

/** The invariants of a program, `wanted` being the names of what is asked for. */
export function givenInvariants(open: Templates, wanted: readonly string[]): GivenInvariants {
  const written = (open.templates.invariants ?? []).map((invariant) =>
    wanted.includes(invariant.name) ? { ...invariant, isEverywhere: true as const } : invariant,
  );
  const asked = open.templates.properties
    .filter(({ name }) => wanted.includes(name))
    .flatMap((property) => propertyInvariant(open, property) ?? []);
  return { written, given: [...written, ...asked] };
}

/** What came of a search for a proof. */
interface FoundProof {
  readonly inferred: Inference;
  /** The locations at which no thread can stand, if the invariants are believed. */
  readonly deserted: Awaited<ReturnType<typeof findDeserted>>;
  /** Absent if there is no proof. */
  readonly conclusion?: Conclusion;
}

/**
 * A proof from the given invariants and, if `infers`, from what can be found besides; and what it
 * shows, once the solver has said that its premises can be satisfied.
 */
export async function findProof(
  open: Templates,
  given: readonly Invariant[],
  prover: Prover,
  { infers, limits }: { readonly infers: boolean; readonly limits: Limits },
): Promise<FoundProof | { readonly unsupported: Unprovable }> {
  const first = await attemptProof(open, given, prover);
  if ('unsupported' in first) return first;
  const asIs: Inference = { attempt: first, abstractions: [], found: [] };
  const inferred = infers ? await inferProof(first, given, prover, limits) : asIs;
  const { program, invariants, guesses, weakRmws, stores } = inferred.attempt;
  const deserted = await findDeserted(program, invariants, prover);
  const { kind } = await checkPremises(program, invariants, prover);
  const conclusion = kind === 'fails' ? conclude(stores, [...guesses, ...weakRmws]) : undefined;
  return { inferred, deserted, ...(conclusion && { conclusion }) };
}
