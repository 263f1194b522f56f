import { at } from '@fencewright/ground/base/at.js';
import type { Limits } from '@fencewright/ground/base/budget.js';
import { not } from '@fencewright/ground/smt/term.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import { pairClauses, type PairEnd, type PairQuery } from '../horn/horn-clauses.js';
import { tidyInvariants } from '../horn/tidy-invariants.js';
import {
  inferFreshNames,
  inferInvariants,
  inferLocks,
  inferPossession,
} from '../invariants/infer-invariants.js';
import { largestInductive } from '../invariants/houdini.js';
import { observers } from '../obligations/induction.js';
import { bindings, invariantTerm } from '../obligations/invariant-terms.js';
import type { Prover } from '../obligations/obligation.js';
import { selectNeeded, type Impossibility } from '../obligations/select-needed.js';
import { overallAgreement } from '../obligations/write-atomicity.js';
import type { ProofProgram } from '../steps/proof-program.js';
import type { Role } from '../steps/roles.js';
import { attemptProof, type Attempt } from './attempt.js';
import { excludeByHorn } from './horn-invariants.js';
import { sampleStates } from './sample-states.js';

/** The maximum number of states that are explored for samples. */
const maxStates = 8000;

/**
 * The maximum effort of the solver, in the solver's own count, for all questions about Horn clauses
 * of one search: `quick` before states are sampled, `thorough` afterwards, with the samples.
 */
const quick = 1_000_000;
const thorough = 6_000_000;

/**
 * Searches for the invariants that make requested claims inductive, and proves each claim with
 * these invariants. The requested claims are the invariants of `given` with `isEverywhere`. The
 * conclusion of the attempt stays valid, because invariants are only added. A claim for which no
 * proof is found is not added to the attempt's invariants.
 */
export async function inferClaims(
  first: Attempt,
  given: readonly Invariant[],
  prover: Prover,
  limits: Limits,
): Promise<Attempt> {
  let attempt = first;
  // Without an argument for each store, a claim would be known under SC only.
  if (overallAgreement(first.stores) === undefined) return first;
  for (const claim of given) {
    if (!claim.isEverywhere || attempt.invariants.includes(claim)) continue;
    let known: readonly Invariant[] = [];
    for (const search of searches) {
      if (prover.isStopped) return attempt;
      known = [...known, ...(await search(attempt, known, claim, prover, limits))];
      const next = await withHelpers(attempt, given, claim, known, prover);
      if (!next) continue;
      attempt = next;
      break;
    }
  }
  return attempt;
}

/**
 * A method of finding invariants that help to prove a claim. It returns further invariants,
 * inductive together with the `known` ones and the invariants of the attempt.
 */
type ClaimSearch = (
  attempt: Attempt,
  known: readonly Invariant[],
  claim: Invariant,
  prover: Prover,
  limits: Limits,
) => Promise<readonly Invariant[]>;

const searches: readonly ClaimSearch[] = [
  ({ program, invariants }, _known, _claim, prover) => inferLocks(program, invariants, prover),
  async ({ program, invariants }, _known, _claim, prover) => {
    const names = await inferFreshNames(program, invariants, prover);
    const held = await inferPossession(program, [...invariants, ...names], prover, false);
    return [...names, ...held];
  },
  askHorn(quick),
  async ({ program, invariants }, known, claim, prover, limits) => {
    const { timeLeft } = prover;
    const left = timeLeft === undefined ? limits : { ...limits, timeout: timeLeft };
    const samples = await sampleStates(program, { ...left, maxStates });
    const found = await inferInvariants(program, [...invariants, ...known], samples, prover, [
      claim,
    ]);
    return found.filter((each) => each !== claim);
  },
  askHorn(thorough),
];

/** Returns the search that asks the solver of Horn clauses to exclude violations of the claim. */
function askHorn(effort: number): ClaimSearch {
  return async (attempt, known, claim, prover) => {
    const { program } = attempt;
    const invariants = [...attempt.invariants, ...known];
    const clauses = pairClauses(program, invariants, () => prover.isStopped, claim);
    if (!clauses || claim.binders.length > 2) return [];
    const queries = clauses.predicates.flatMap(({ ends }) => violations(program, claim, ends));
    const goals = [violation(program, claim)];
    const limits = { question: effort, end: prover.effort + effort };
    const excluded = { queries, goals };
    const outcome = await excludeByHorn({ program, invariants }, clauses, excluded, prover, limits);
    return outcome.kind === 'found' ? outcome.invariants : [];
  };
}

/** Returns the violations of the claim by two threads at their places, in all roles. */
function violations(
  program: ProofProgram,
  claim: Invariant,
  ends: readonly [PairEnd, PairEnd],
): readonly PairQuery[] {
  // Two new objects, since the two ends of a pair of copies at one place may be one object.
  const sides = ends.map(({ thread }, side) => ({ thread, side }));
  return bindings(claim, sides).map((bound): PairQuery => ({
    ends,
    clash: (roles, state) => {
      const chosen = bound.map(({ side }) => at(roles, side));
      return { condition: not(invariantTerm(program, claim, chosen, state)), declarations: [] };
    },
  }));
}

function violation(program: ProofProgram, claim: Invariant): Impossibility {
  const roles: readonly Role[] = observers(program, claim);
  return {
    roles,
    happens: (state) => ({
      condition: not(invariantTerm(program, claim, roles, state)),
      declarations: [],
    }),
  };
}

/**
 * Proves the claim with as few of the found invariants as the solver shows to be enough;
 * `undefined` if they are not enough, or the conclusion of the attempt would be lost.
 */
async function withHelpers(
  attempt: Attempt,
  given: readonly Invariant[],
  claim: Invariant,
  found: readonly Invariant[],
  prover: Prover,
): Promise<Attempt | undefined> {
  if (found.length === 0) return undefined;
  const { program, invariants } = attempt;
  const pool = await largestInductive(program, invariants, [...found, claim], prover);
  if (!pool.includes(claim)) return undefined;
  const goals = [violation(program, claim)];
  const some = await selectNeeded(program, invariants, pool, goals, prover);
  // Invariants taken first may be unnecessary with invariants taken later.
  const few = some && (await selectNeeded(program, invariants, some.toReversed(), goals, prover));
  const helpers = (few ?? some ?? pool).filter((each) => each !== claim);
  const before = invariants.filter((each) => !given.includes(each));
  const tidied = tidyInvariants(program, helpers, unusedNames([...given, ...before]));
  for (const chosen of [tidied, helpers]) {
    const next = await attemptProof(attempt.open, [...given, ...before, ...chosen], prover);
    if ('unsupported' in next) return undefined;
    const isKept = attempt.invariants.every((each) => next.invariants.includes(each));
    const isSame = overallAgreement(next.stores) === overallAgreement(attempt.stores);
    if (isKept && isSame && next.invariants.includes(claim)) return next;
  }
  return undefined;
}

/**
 * Returns a function that returns a new name at each call: `helper1` and so on, except for the
 * names of the given invariants.
 */
function unusedNames(invariants: readonly Invariant[]): () => string {
  const taken = new Set(invariants.map(({ name }) => name));
  let number = 0;
  return () => {
    do number++;
    while (taken.has(`helper${number}`));
    return `helper${number}`;
  };
}
