import type { Limits } from '@fencewright/ground/base/budget.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import { attemptProof, type Attempt } from './attempt.js';
import { searchHornInvariants, type Hopeless, type HornLimits } from './horn-invariants.js';
import { inferAbstractions, type InferredProof, type Premises } from './infer-abstractions.js';
import {
  inferFreshNames,
  inferInvariants,
  inferPossession,
} from '../invariants/infer-invariants.js';
import { agreements, type Agreement } from '../obligations/movers.js';
import { neededHelpers } from './needed-helpers.js';
import type { Prover } from '../obligations/obligation.js';
import { overallAgreement, type StoreAtomicity } from '../obligations/write-atomicity.js';
import { sampleStates } from './sample-states.js';

/**
 * A proof with the inferred abstractions and invariants; `found` has the invariants that Horn
 * clauses have yielded.
 */
export interface Inference extends InferredProof {
  /**
   * A store for which, according to the solver of Horn clauses, no invariant over numbers and pairs
   * of threads shows write-atomicity.
   */
  readonly hopeless?: Hopeless;
}

/** The maximum number of states that are explored for samples. */
const maxStates = 8000;

/**
 * The maximum effort of the solver, in its own count, for one question about Horn clauses and for
 * one search of invariants. The first search is quick, because finding abstractions may take less
 * than a question without an answer.
 */
interface HornEffort {
  readonly question: number;
  readonly all: number;
}
const quick: HornEffort = { question: 1_000_000, all: 5_000_000 };
const thorough: HornEffort = { question: 3_000_000, all: 6_000_000 };

function limitsOf({ question, all }: HornEffort, prover: Prover): HornLimits {
  return { question, end: prover.effort + all };
}

/** The weakest agreement (degree in which two neighbouring steps may change places). */
const weakest: Agreement = agreements[agreements.length - 1] ?? 'apart';

/**
 * Searches for the missing proofs that stores are write-atomic: by invariants first, since these do
 * not change the program, then by abstractions, then by both. Inferred invariants and abstractions
 * are proved like written ones, and the prover has only the questions of this proof.
 */
export async function inferProof(
  first: Attempt,
  given: readonly Invariant[],
  prover: Prover,
  limits: Limits,
): Promise<Inference> {
  const asIs = { attempt: first, abstractions: [], found: [] };
  const settled = isSettled(asIs) ? asIs : await search(first, given, prover, limits);
  if (!isSettled(settled)) return { ...settled, attempt: first };
  const best = await setApart(settled, given, prover);
  if (best === asIs) return asIs;
  const { attempt, found } = best;
  const few = await neededHelpers(attempt, given, found, prover);
  for (const helpers of [few, helpersOf(attempt, given)]) {
    prover.forget();
    const proved = await attemptProof(attempt.open, [...given, ...helpers], prover);
    if ('unsupported' in proved) continue;
    if (overallAgreement(proved.stores) === overallAgreement(attempt.stores))
      return { ...best, attempt: proved };
  }
  return asIs;
}

/** Returns a proof that all stores are write-atomic; the given attempt if none is found. */
async function search(
  first: Attempt,
  given: readonly Invariant[],
  prover: Prover,
  limits: Limits,
): Promise<Inference> {
  const asIs: Inference = { attempt: first, abstractions: [], found: [] };
  const written: Premises = { written: given, helpers: [] };
  const names = await inferFreshNames(first.program, first.invariants, prover);
  const fresh = await attemptWith(names, first, given, prover);
  if (fresh && isSettled({ attempt: fresh })) return { ...asIs, attempt: fresh };
  const known = [...first.invariants, ...names];
  for (const speaksOfAllCells of [false, true]) {
    const held = await inferPossession(first.program, known, prover, speaksOfAllCells);
    if (held.length === 0) continue;
    const holding = await attemptWith([...names, ...held], first, given, prover);
    if (holding && isSettled({ attempt: holding })) return { ...asIs, attempt: holding };
  }
  const horn = await askHorn(first, given, prover, quick);
  if (isSettled(horn)) return horn;
  // Invariants from templates are about two threads at most, like those from Horn clauses. Unlike
  // Horn clauses, templates know arrays.
  const mayHelp = !horn.hopeless || horn.hopeless.leavesOutArrays;
  const helpers = mayHelp ? await templates(first, prover, limits) : [];
  const second = await attemptWith(helpers, first, given, prover);
  if (second && isSettled({ attempt: second })) return { ...asIs, attempt: second };
  const alone = await inferAbstractions(first, written, prover);
  if (isSettled(alone)) return alone;
  const both = second && (await inferAbstractions(second, { written: given, helpers }, prover));
  if (both && isSettled(both)) return both;
  const harder = horn.hopeless ? horn : await askHorn(first, given, prover, thorough);
  if (isSettled(harder)) return harder;
  const left = limitsOf(thorough, prover);
  const strong = await inferAbstractions(first, written, prover, (attempt, premises, store) =>
    searchHornInvariants(attempt, premises, prover, left, {
      agreement: weakest,
      matters: (each) => isSame(each, store),
    }),
  );
  if (isSettled(strong)) return strong;
  return { ...asIs, ...(harder.hopeless && { hopeless: harder.hopeless }) };
}

/**
 * Repeats the attempt with `helpers` as additional invariants; `undefined` if there are no helpers,
 * or if the program is not supported.
 */
async function attemptWith(
  helpers: readonly Invariant[],
  { open }: Attempt,
  given: readonly Invariant[],
  prover: Prover,
): Promise<Attempt | undefined> {
  if (helpers.length === 0) return undefined;
  const helped = await attemptProof(open, given, prover, helpers);
  return 'unsupported' in helped ? undefined : helped;
}

async function templates(
  first: Attempt,
  prover: Prover,
  limits: Limits,
): Promise<readonly Invariant[]> {
  const { timeLeft } = prover;
  const left = timeLeft === undefined ? limits : { ...limits, timeout: timeLeft };
  const samples = await sampleStates(first.program, { ...left, maxStates });
  if (prover.isStopped) return [];
  return inferInvariants(first.program, first.invariants, samples, prover);
}

async function askHorn(
  attempt: Attempt,
  given: readonly Invariant[],
  prover: Prover,
  effort: HornEffort,
): Promise<Inference> {
  const premises = { written: given, helpers: [] };
  const aim = { agreement: weakest };
  return {
    abstractions: [],
    ...(await searchHornInvariants(attempt, premises, prover, limitsOf(effort, prover), aim)),
  };
}

/**
 * Returns a proof in which no mover accesses a cell together with another step (`apart`), if
 * invariants give every store such a proof; otherwise the given proof. A proof of this form holds
 * for both notions of happens-before.
 */
async function setApart(
  proof: Inference,
  given: readonly Invariant[],
  prover: Prover,
): Promise<Inference> {
  const { attempt, found } = proof;
  const isAbstract = attempt.guesses.length + attempt.weakRmws.length > 0;
  if (isAbstract || overallAgreement(attempt.stores) === 'apart') return proof;
  const premises = { written: given, helpers: helpersOf(attempt, given) };
  const aim = { agreement: 'apart' } as const;
  const better = await searchHornInvariants(
    attempt,
    premises,
    prover,
    limitsOf(quick, prover),
    aim,
  );
  if (overallAgreement(better.attempt.stores) !== 'apart') return proof;
  return { ...proof, attempt: better.attempt, found: [...found, ...better.found] };
}

function isSettled({ attempt }: Pick<InferredProof, 'attempt'>): boolean {
  return overallAgreement(attempt.stores) !== undefined;
}

function isSame(one: StoreAtomicity, other: StoreAtomicity): boolean {
  return one.thread === other.thread && one.store.transition === other.store.transition;
}

function helpersOf(attempt: Attempt, given: readonly Invariant[]): readonly Invariant[] {
  return attempt.invariants.filter((invariant) => !given.includes(invariant));
}
