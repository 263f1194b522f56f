import type { Invariant } from '@fencewright/model/program/program.js';
import { askSpacer, withoutInlining } from '@fencewright/ground/smt/ask-spacer.js';
import type { SmtParameters } from '@fencewright/ground/solvers/smt-solver.js';
import { attemptProof, type Attempt } from './attempt.js';
import type { LoadEdge, StoreEdge } from '../steps/buffer-free-loads.js';
import { pairClauses, type PairClauses, type PairQuery } from '../horn/horn-clauses.js';
import { largestInductive } from '../invariants/houdini.js';
import {
  distinctSteps,
  meet,
  weaker,
  type Agreement,
  type Conflict,
} from '../obligations/movers.js';
import type { Premises } from './infer-abstractions.js';
import type { Prover } from '../obligations/obligation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { readSolution } from '../horn/read-solution.js';
import { generalize, summarize, toInvariant } from '../horn/placed-claims.js';
import { selectNeeded, type Impossibility } from '../obligations/select-needed.js';
import { roleOf } from '../steps/roles.js';
import { and, or } from '@fencewright/ground/smt/term.js';
import { operatorPrelude } from '../steps/terms.js';
import type { StoreAtomicity } from '../obligations/write-atomicity.js';

/** The outcome of a search for invariants by Horn clauses. */
interface HornSearch {
  /**
   * The last attempt of a proof. The attempt has checked the invariants found by Horn clauses in
   * the same way as the given invariants.
   */
  readonly attempt: Attempt;
  readonly found: readonly Invariant[];
  /**
   * A store for which, according to the solver, no invariant over numbers in memory and two threads
   * shows write-atomicity. The search ends with such a store.
   */
  readonly hopeless?: Hopeless;
}

/**
 * A store for which no invariant over numbers in memory and two threads shows write-atomicity.
 * `leavesOutArrays`: an invariant about arrays might still do so, as the clauses leave out arrays.
 */
export interface Hopeless {
  readonly store: StoreAtomicity;
  readonly leavesOutArrays: boolean;
}

/** Limits in the solver's count of effort (`SmtQuery.effort`), equal on all machines. */
export interface HornLimits {
  /** The maximum effort of the solver for each question about Horn clauses. */
  readonly question: number;
  /** The total effort of the prover after which no further question about Horn clauses is asked. */
  readonly end: number;
}

/** The parameters for the solver Spacer, tried in sequence. */
const ways: readonly SmtParameters[] = [{}, withoutInlining];

/**
 * The aim of a search for invariants: the stores to be proved write-atomic (as if they reached
 * memory at once), and the agreement of steps needed.
 */
interface HornAim {
  /**
   * The agreement of neighbouring steps (a degree in which the steps may change places) needed by
   * the proof for a store.
   */
  readonly agreement: Agreement;
  /** Returns whether a store needs a proof; if absent, all stores do. */
  readonly matters?: (store: StoreAtomicity) => boolean;
}

/**
 * The outcome of one question about Horn clauses: invariants (`found`), the solver's answer that no
 * invariants exist (`impossible`), or no answer (`open`).
 */
type HornOutcome =
  | { readonly kind: 'found'; readonly invariants: readonly Invariant[] }
  | { readonly kind: 'impossible'; readonly leavesOutArrays: boolean }
  | { readonly kind: 'open' };

/**
 * Searches for invariants that give an argument to each store without one: an interpretation of
 * predicates over pairs of threads which excludes that a load, or the store, does not move
 * ([BEMT18] leaves invariants to the user; for Horn clauses over pairs of threads see [GLPR12]).
 * The solver is not trusted: its answer is pruned until inductive, and the proof is attempted anew
 * with the remaining invariants.
 */
export async function searchHornInvariants(
  start: Attempt,
  given: Premises,
  prover: Prover,
  limits: HornLimits,
  { agreement, matters = () => true }: HornAim,
): Promise<HornSearch> {
  let search: HornSearch = { attempt: start, found: [] };
  const passed = new Set<string>();
  /**
   * The Horn clauses about the program and the invariants of the attempt; computed at the first
   * use.
   */
  let clauses: PairClauses | undefined;
  for (;;) {
    const { attempt, found } = search;
    const store = attempt.stores.find(
      (each) => !passed.has(keyOf(each)) && lacks(each, agreement) && matters(each),
    );
    if (!store || prover.isStopped || prover.effort >= limits.end) return search;
    passed.add(keyOf(store));
    clauses ??= pairClauses(attempt.program, attempt.invariants, () => prover.isStopped);
    if (!clauses) return search;
    const outcome = await invariantsFor(attempt, clauses, store, agreement, prover, limits);
    if (outcome.kind === 'impossible')
      return { ...search, hopeless: { store, leavesOutArrays: outcome.leavesOutArrays } };
    if (outcome.kind === 'open' || outcome.invariants.length === 0) continue;
    const more = [...found, ...outcome.invariants];
    const helpers = [...given.helpers, ...more];
    const next = await attemptProof(attempt.open, given.written, prover, helpers);
    if ('unsupported' in next) return search;
    search = { attempt: next, found: more };
    clauses = undefined;
  }
}

function lacks({ argument }: StoreAtomicity, wanted: Agreement): boolean {
  return argument.kind === 'none' || weaker(argument.agreement, wanted) !== wanted;
}

function keyOf({ thread, store }: StoreAtomicity): string {
  return `${thread}:${store.transition}`;
}

/**
 * Returns invariants that make all loads after the store right movers, or else the store a left
 * mover (`found`). `impossible`: no such invariants exist; `open`: the solver has no answer.
 */
async function invariantsFor(
  attempt: Attempt,
  clauses: PairClauses,
  { thread, store, loads }: StoreAtomicity,
  agreement: Agreement,
  prover: Prover,
  limits: HornLimits,
): Promise<HornOutcome> {
  const { program } = attempt;
  let isImpossible = true;
  for (const mover of ['load', 'store'] as const) {
    const queries = (mover === 'load' ? loads : [store]).flatMap((edge) =>
      moverQueries(program, thread, mover, edge, agreement),
    );
    const goals = queries.map((query) => goalOf(program, query));
    const outcome = await excludeByHorn(attempt, clauses, { queries, goals }, prover, limits);
    if (outcome.kind === 'found') return outcome;
    isImpossible &&= outcome.kind === 'impossible';
  }
  if (!isImpossible) return { kind: 'open' };
  return { kind: 'impossible', leavesOutArrays: clauses.forgotten.has('arrays') };
}

/**
 * Situations to be excluded: as queries for the solver of Horn clauses, and as goals for other
 * questions.
 */
interface Exclusion {
  readonly queries: readonly PairQuery[];
  readonly goals: readonly Impossibility[];
}

/**
 * Returns invariants that exclude the situations, inductive together with the invariants of the
 * attempt (`found`). `impossible`: no invariants about numbers and pairs of threads exclude the
 * situations; `open`: the solver has no answer.
 */
export async function excludeByHorn(
  { program, invariants }: Pick<Attempt, 'program' | 'invariants'>,
  clauses: PairClauses,
  { queries, goals }: Exclusion,
  prover: Prover,
  limits: HornLimits,
): Promise<HornOutcome> {
  const asked = queries.flatMap((query) => clauses.query(query) ?? []);
  const system = { ...clauses.system, clauses: [...clauses.system.clauses, ...asked] };
  for (const way of ways) {
    const effort = Math.min(limits.question, limits.end - prover.effort);
    if (effort <= 0) return { kind: 'open' };
    const query = { parameters: way, effort };
    const answer = await askSpacer(system, query, prover, `${operatorPrelude}\n`);
    if (answer.kind === 'unknown') return { kind: 'open' };
    if (answer.kind === 'none')
      return clauses.forgotten.has('operators')
        ? { kind: 'open' }
        : { kind: 'impossible', leavesOutArrays: clauses.forgotten.has('arrays') };
    const claims = generalize(readSolution(program, clauses.predicates, answer.model));
    const pool = new Map(claims.map((claim) => [toInvariant(program, claim), claim]));
    const inductive = await largestInductive(program, invariants, [...pool.keys()], prover);
    const some = await selectNeeded(program, invariants, inductive, goals, prover);
    if (!some) continue;
    // Invariants taken first may be unnecessary with invariants taken later.
    const few = await selectNeeded(program, invariants, some.toReversed(), goals, prover);
    const chosen = (few ?? some).flatMap((invariant) => pool.get(invariant) ?? []);
    return { kind: 'found', invariants: summarize(program, chosen, freshNames(invariants)) };
  }
  return { kind: 'open' };
}

/** Returns a function that returns names unused by the invariants. */
function freshNames(invariants: readonly Invariant[]): () => string {
  const taken = new Set(invariants.map(({ name }) => name));
  let number = 0;
  return () => {
    do number++;
    while (taken.has(`found${number}`));
    return `found${number}`;
  };
}

/**
 * Returns the situations to be excluded so that an access can change places with every step of
 * every other thread.
 */
function moverQueries(
  program: ProofProgram,
  thread: number,
  mover: Conflict['mover'],
  edge: LoadEdge | StoreEdge,
  agreement: Agreement,
): readonly PairQuery[] {
  return program.threads
    .filter((other) => other.thread !== thread || program.unbounded.includes(thread))
    .flatMap((other) =>
      distinctSteps(other.steps).map((step): PairQuery => ({
        ends: [
          { thread, place: edge.from },
          { thread: other.thread, place: step.from },
        ],
        clash([mine, theirs], state) {
          const met = meet(program, { mover, edge, step }, agreement, mine, theirs, state);
          if (!met) return undefined;
          const { own, other: another, clashes } = met;
          return {
            condition: and(own.guard, another.guard, or(...clashes)),
            declarations: [...own.declarations, ...another.declarations],
          };
        },
      })),
    );
}

function goalOf(program: ProofProgram, { ends, clash }: PairQuery): Impossibility {
  const [mine, theirs] = [roleOf(program, ends[0].thread, 1), roleOf(program, ends[1].thread, 2)];
  return { roles: [mine, theirs], happens: (state) => clash([mine, theirs], state) };
}
