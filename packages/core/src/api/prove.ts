import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import { mayMeetLimit } from '@fencewright/model/analysis/model-limits.js';
import type { Limits } from '@fencewright/ground/base/budget.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import { Prover, type SolverQuestion } from '@fencewright/proofs/obligations/obligation.js';
import { describeMoves } from '@fencewright/proofs/obligations/describe-moves.js';
import { decideMoves } from '@fencewright/proofs/obligations/mover-types.js';
import type { Attempt } from '@fencewright/proofs/strategy/attempt.js';
import { compareAbstraction } from '@fencewright/proofs/strategy/compare-abstraction.js';
import { settleProperty, whyUnknown } from '@fencewright/proofs/strategy/conclude.js';
import type { ProofClaim } from '@fencewright/proofs/strategy/confront-proof.js';
import {
  findProof,
  givenInvariants,
  type FoundProof,
} from '@fencewright/proofs/strategy/find-proof.js';
import { findViolationInInstances } from '@fencewright/proofs/strategy/find-violation.js';
import type { Inference } from '@fencewright/proofs/strategy/infer-proof.js';
import { proofClaims, type ProofClaims } from '@fencewright/proofs/strategy/proof-claims.js';
import { whyNoInvariant } from '@fencewright/proofs/strategy/property-invariant.js';
import type { SmtSolver } from '@fencewright/ground/solvers/smt-solver.js';
import type {
  Conclusion,
  InstanceViolation,
  MoverProof,
  ProvedProperty,
  ProveResult,
  ProveVerdict,
  StateComparison,
} from '@fencewright/model/verdict/prove-result.js';
import { check } from './check.js';
import { confronted } from './confronted.js';
import { proofParts } from './describe-proof.js';
import { originalRobustness } from './original-robustness.js';

export interface ProveOptions {
  readonly solver: SmtSolver;
  /**
   * The limits of the attempt; `maxStates` limits only the search for a violation in small
   * instances.
   */
  readonly limits?: Limits;
  /**
   * Search small instances for a violation if the proof fails or is about an abstraction; on by
   * default.
   */
  readonly searchInstances?: boolean;
  /** The names of the invariants and properties to prove; none if absent. */
  readonly properties?: readonly string[];
  /**
   * Search for invariants and abstractions if no argument is found for some store; off by default.
   */
  readonly infer?: boolean;
  /**
   * Also decide in which directions each access commutes with steps of other threads; off by
   * default.
   */
  readonly movers?: boolean;
  readonly onQuestion?: (asked: number) => void;
}

/** The result of an attempted proof, with the questions to the SMT solver. */
export interface Proof {
  readonly result: ProveResult;
  /**
   * The questions to the SMT solver that the proof rests on, for a script that other solvers can
   * read.
   */
  readonly questions: readonly SolverQuestion[];
  /** The claims of the proof, for a certificate; absent unless the program is proved. */
  readonly claims?: ProofClaims;
}

/**
 * Tries to prove that every store may be treated as reaching memory at once ([BEMT18]), for any
 * number of copies and unbounded data. The invariants of the program are checked first; invariants
 * that are not inductive are left out.
 */
export async function prove(open: Templates, options: ProveOptions): Promise<Proof> {
  const { limits = {} } = options;
  const start = performance.now();
  const deadline = limits.timeout === undefined ? undefined : start + limits.timeout;
  const { proof, claim } = await proveAlone(open, options, start, deadline);
  if (!claim) return proof;
  return { ...proof, result: await confronted(proof.result, claim, left(limits, deadline)) };
}

/**
 * Returns the limits with the time left until `deadline`, without `maxStates`, which applies only
 * to the search of instances.
 */
function left({ maxStates: _, ...limits }: Limits, deadline: number | undefined): Limits {
  if (deadline === undefined) return limits;
  return { ...limits, timeout: Math.max(0, deadline - performance.now()) };
}

async function proveAlone(
  open: Templates,
  options: ProveOptions,
  start: number,
  deadline: number | undefined,
): Promise<{ readonly proof: Proof; readonly claim?: ProofClaim }> {
  const { solver, limits = {}, properties: wanted = [] } = options;
  const prover = new Prover(solver, {
    timeout: () => (deadline === undefined ? undefined : Math.max(1, deadline - performance.now())),
    ...(limits.signal && { signal: limits.signal }),
    ...(limits.meter && { meter: limits.meter }),
    ...(options.onQuestion && { onQuestion: options.onQuestion }),
  });
  const finish = (verdict: ProveVerdict, parts: Partial<ProveResult> = {}): Proof => ({
    result: {
      verdict,
      invariants: [],
      abstractions: [],
      stores: [],
      deserted: [],
      properties: [],
      diagnostics: [],
      ...parts,
      statistics: {
        solver: solver.name,
        obligations: prover.asked,
        milliseconds: performance.now() - start,
      },
    },
    questions: prover.proved,
  });
  if (hasHeavyFences(open.templates))
    return {
      proof: finish({ kind: 'unknown', reason: 'unsupported', why: { kind: 'heavy-fences' } }),
    };
  if (mayMeetLimit(open.templates))
    return {
      proof: finish({ kind: 'unknown', reason: 'unsupported', why: { kind: 'model-limit' } }),
    };
  const { written, given } = givenInvariants(open, wanted);
  const asked = withOnly(open, wanted);
  const found = await findProof(asked, given, prover, { infers: options.infer === true, limits });
  if ('unsupported' in found) {
    const why = found.unsupported;
    return { proof: finish({ kind: 'unknown', reason: 'unsupported', why }) };
  }
  const { inferred, deserted, conclusion } = found;
  const { program, invariants, guesses, weakRmws, stores } = inferred.attempt;
  const abstractions = [...guesses, ...weakRmws];
  const claim = { original: open, program, invariants, ...(conclusion && { conclusion }) };
  const settled = (...answer: Parameters<typeof finish>) => ({
    proof: finish(...answer),
    ...((conclusion !== undefined || invariants.length > 0) && { claim }),
  });
  const properties = settleProperties(open, wanted, given, found);
  const parts = {
    ...proofParts(open, inferred, given, written),
    ...(options.movers === true && { movers: await moversOf(inferred.attempt, prover) }),
    deserted,
    properties,
  };
  const proved = (shown: Conclusion, more: Partial<ProveResult> = {}) => {
    const answer = settled({ kind: 'proved', conclusion: shown }, { ...parts, ...more });
    return { ...answer, proof: withClaims(answer.proof, open, inferred) };
  };
  if (conclusion && conclusion.kind !== 'abstraction') return proved(conclusion);
  const violation =
    options.searchInstances === false ? undefined : await look(open, limits, deadline);
  if (conclusion) {
    const compared =
      options.searchInstances === false
        ? {}
        : await lookAtAbstraction(open, inferred.attempt.open, violation, limits, deadline);
    // An abstraction in the source is part of the question; an inferred abstraction does not make
    // the program robust.
    if (violation && inferred.abstractions.length > 0)
      return settled({ kind: 'not-robust', ...violation }, { ...parts, ...compared });
    return proved(conclusion, { ...compared, ...(violation && { violation }) });
  }
  if (violation) return settled({ kind: 'not-robust', ...violation }, parts);
  return settled(whyUnknown(abstractions, stores, prover.isStopped, limits), parts);
}

/**
 * Returns the templates with only the `wanted` properties. Threads would be observed at the labels
 * of the others, which makes proofs harder.
 */
function withOnly(open: Templates, wanted: readonly string[]): Templates {
  const { templates } = open;
  const properties = templates.properties.filter(({ name }) => wanted.includes(name));
  return { ...open, templates: { ...templates, properties } };
}

function settleProperties(
  open: Templates,
  wanted: readonly string[],
  given: readonly Invariant[],
  { inferred, conclusion }: FoundProof,
): readonly ProvedProperty[] {
  const { invariants, guesses, weakRmws } = inferred.attempt;
  const isAbstract = guesses.length + weakRmws.length > 0;
  return wanted.map((name) =>
    given.some((invariant) => invariant.name === name)
      ? settleProperty(name, given, invariants, conclusion, isAbstract)
      : { name, verdict: 'unknown', why: whyNoInvariant(open, name) },
  );
}

async function moversOf(
  { program, invariants }: Attempt,
  prover: Prover,
): Promise<readonly MoverProof[]> {
  const moves = await decideMoves(program, invariants, prover);
  return moves.map((each) => describeMoves(program, each));
}

/** Returns the proof with its claims for a certificate, if the verdict is `proved`. */
function withClaims(proof: Proof, open: Templates, { attempt, abstractions }: Inference): Proof {
  const { verdict, properties } = proof.result;
  if (verdict.kind !== 'proved') return proof;
  const names = properties.flatMap(({ name, verdict: kind }) => (kind === 'holds' ? [name] : []));
  return { ...proof, claims: proofClaims(open, attempt, abstractions, verdict.conclusion, names) };
}

function look(
  open: Templates,
  limits: Limits,
  deadline: number | undefined,
): Promise<InstanceViolation | undefined> {
  const { maxStates = 50_000 } = limits;
  const happensBefores = ['value', 'standard'] as const;
  const search = { maxStates, maxCopies: 2, limits: left(limits, deadline), happensBefores };
  return findViolationInInstances(open, search, check);
}

/**
 * Compares the states of the abstraction with the states of the program. Also decides for which
 * instances the program without abstractions is robust, unless it has the violation.
 */
async function lookAtAbstraction(
  open: Templates,
  abstraction: Templates,
  violation: InstanceViolation | undefined,
  limits: Limits,
  deadline: number | undefined,
): Promise<Pick<ProveResult, 'comparison' | 'original'>> {
  const comparison = await compare(abstraction, limits, deadline);
  const original = violation ? undefined : await originalRobustness(open, left(limits, deadline));
  return { comparison, ...(original && { original }) };
}

function compare(
  open: Templates,
  limits: Limits,
  deadline: number | undefined,
): Promise<StateComparison> {
  const { maxStates = 20_000 } = limits;
  return compareAbstraction(open, { maxStates, limits: left(limits, deadline) });
}
