import type { Invariant } from '@fencewright/model/program/program.js';
import type { Candidate } from './candidates.js';
import { freshNameCandidates } from './fresh-names.js';
import { largestInductive } from './houdini.js';
import { candidatesOf } from './invariant-templates.js';
import { lockCandidates } from './lock-shapes.js';
import { possessionCandidates } from './possession.js';
import type { Prover } from '../obligations/obligation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import type { SampledState } from './sampled-state.js';

/**
 * The maximum effort of the solver for one question about candidates; candidates that need more
 * count as not inductive.
 */
const effort = 3_000_000;

/**
 * The maximum effort of the solver for one question about candidates on all cells of arrays: the
 * solver may search without end for a state that refutes such a candidate.
 */
const effortOverCells = 300_000;

/**
 * The maximum effort of the solver for all questions together about which thread holds which name
 * (a ticket, a slot or a node).
 */
const mostInAll = 10_000_000;

/**
 * Returns the candidates inductive together with `given`. A candidate that is not inductive is
 * replaced by its inductive weaker candidates.
 */
function inductiveOf(
  program: ProofProgram,
  given: readonly Invariant[],
  candidates: readonly Candidate[],
  prover: Prover,
  limits: { readonly effort: number; readonly mostInAll?: number } = { effort },
): Promise<readonly Invariant[]> {
  const weaker = new Map<Invariant, readonly Candidate[]>();
  const note = ({ invariant, weaker: next }: Candidate): Invariant => {
    weaker.set(invariant, next);
    return invariant;
  };
  return largestInductive(program, given, candidates.map(note), prover, {
    ...limits,
    weaken: (removed) => (weaker.get(removed) ?? []).map(note),
  });
}

/**
 * Infers invariants about registers that hold a fresh name, as from `n = fetch_add(counter, 1)`:
 * see `freshNameCandidates`. The result is inductive together with `given`.
 */
export async function inferFreshNames(
  program: ProofProgram,
  given: readonly Invariant[],
  prover: Prover,
): Promise<readonly Invariant[]> {
  const candidates = freshNameCandidates(program);
  return candidates.length === 0 ? [] : inductiveOf(program, given, candidates, prover);
}

/**
 * Infers invariants about locks by `cas` or `xchg`, inductive together with `given`: see
 * `lockCandidates`.
 */
export async function inferLocks(
  program: ProofProgram,
  given: readonly Invariant[],
  prover: Prover,
): Promise<readonly Invariant[]> {
  const candidates = lockCandidates(program);
  return candidates.length === 0 ? [] : inductiveOf(program, given, candidates, prover);
}

/**
 * Infers invariants about which thread holds which name (a ticket, a slot or a node), inductive
 * together with `given`: see `possessionCandidates`.
 */
export async function inferPossession(
  program: ProofProgram,
  given: readonly Invariant[],
  prover: Prover,
  speaksOfAllCells: boolean,
): Promise<readonly Invariant[]> {
  const candidates = possessionCandidates(program, speaksOfAllCells);
  if (candidates.length === 0) return [];
  return inductiveOf(program, given, candidates, prover, {
    effort: speaksOfAllCells ? effortOverCells : effort,
    mostInAll,
  });
}

/**
 * Infers invariants about the program's variables, registers and constants, inductive together with
 * `given`: candidates that no sampled state contradicts, and weaker ones in place of non-inductive
 * candidates. Samples only save questions to the solver. `claims` are further candidates.
 */
export async function inferInvariants(
  program: ProofProgram,
  given: readonly Invariant[],
  samples: readonly SampledState[],
  prover: Prover,
  claims: readonly Invariant[] = [],
): Promise<readonly Invariant[]> {
  const claimed = claims.map((invariant): Candidate => ({ invariant, weaker: [] }));
  return inductiveOf(program, given, [...claimed, ...candidatesOf(program, samples)], prover);
}
