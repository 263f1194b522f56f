import type { Limits } from '@fencewright/ground/base/budget.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Conclusion, Unprovable } from '@fencewright/model/verdict/prove-result.js';
import { findDeserted } from '../obligations/induction.js';
import type { Prover } from '../obligations/obligation.js';
import { checkPremises } from '../obligations/premises.js';
import { attemptProof } from './attempt.js';
import { conclude } from './conclude.js';
import { inferClaims } from './infer-claims.js';
import { inferProof, type Inference } from './infer-proof.js';
import { propertyInvariant } from './property-invariant.js';

/** The invariants from which a search for a proof starts. */
interface GivenInvariants {
  /** The invariants of the program's text; a requested invariant covers all places. */
  readonly written: readonly Invariant[];
  /** The written invariants, followed by the claims of the requested properties. */
  readonly given: readonly Invariant[];
}

/** Returns the invariants of a program; `wanted` holds the requested names. */
export function givenInvariants(open: Templates, wanted: readonly string[]): GivenInvariants {
  const written = (open.templates.invariants ?? []).map((invariant) =>
    wanted.includes(invariant.name) ? { ...invariant, isEverywhere: true as const } : invariant,
  );
  const asked = open.templates.properties
    .filter(({ name }) => wanted.includes(name))
    .flatMap((property) => propertyInvariant(open, property) ?? []);
  return { written, given: [...written, ...asked] };
}

/** The outcome of a search for a proof. */
export interface FoundProof {
  readonly inferred: Inference;
  /** The locations that no thread can reach according to the invariants of the proof. */
  readonly deserted: Awaited<ReturnType<typeof findDeserted>>;
  /** The conclusion of the proof found; absent if there is no proof. */
  readonly conclusion?: Conclusion;
}

/**
 * Looks for a proof from the given invariants and, if `infers`, from inferred invariants and
 * abstractions; returns the conclusion only if the solver has found the premises satisfiable.
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
  const argued = infers ? await inferProof(first, given, prover, limits) : asIs;
  const attempt = infers
    ? await inferClaims(argued.attempt, given, prover, limits)
    : argued.attempt;
  const inferred = { ...argued, attempt };
  const { program, invariants, guesses, weakRmws, stores } = inferred.attempt;
  const deserted = await findDeserted(program, invariants, prover);
  const { kind } = await checkPremises(program, invariants, prover);
  const conclusion = kind === 'fails' ? conclude(stores, [...guesses, ...weakRmws]) : undefined;
  return { inferred, deserted, ...(conclusion && { conclusion }) };
}
