import type { Limits } from '../base/budget.js';
import { formatInvariant } from '../program/format-invariant.js';
import type { Templates } from '../program/templates.js';
import type { Invariant } from '../program/program.js';
import { describeGuess, describeWeakRmw } from '../proofs/abstractions/describe-abstraction.js';
import { attemptProof, type Attempt } from '../proofs/strategy/attempt.js';
import { describeConflict } from '../proofs/obligations/describe-conflict.js';
import { describeState } from '../proofs/obligations/describe-model.js';
import { findDeserted } from '../proofs/obligations/induction.js';
import { checkPremises } from '../proofs/obligations/premises.js';
import type { Hopeless } from '../proofs/strategy/horn-invariants.js';
import type { Agreement } from '../proofs/obligations/movers.js';
import { proofClaims, type ProofClaims } from '../proofs/strategy/proof-claims.js';
import { Prover, type Finding, type Question } from '../proofs/obligations/obligation.js';
import { propertyInvariant, whyNoInvariant } from '../proofs/strategy/property-invariant.js';
import type { ProofProgram } from '../proofs/steps/proof-program.js';
import { overallAgreement, type StoreAtomicity } from '../proofs/obligations/write-atomicity.js';
import type { SmtSolver } from '../solvers/smt-solver.js';
import type {
  Conclusion,
  InstanceViolation,
  InvariantProof,
  ProvedProperty,
  ProveResult,
  ProveVerdict,
  StateComparison,
  StoreProof,
} from '../verdict/prove-result.js';
import type { ProofClaim } from './confront-proof.js';
import { confronted } from './confronted-result.js';
import { compareAbstraction } from './compare-abstraction.js';
import { findViolation } from './find-violation.js';
import { inferProof, type Inference } from './infer-proof.js';
import { complainAboutGuess } from './unsound-abstractions.js';

export interface ProveOptions {
  readonly solver: SmtSolver;
  /** `maxStates` is for the search for a violation in small instances. */
  readonly limits?: Limits;
  /** Look for a violation in instances where the proof fails or speaks of an abstraction; on by default. */
  readonly searchInstances?: boolean;
  /** Names of invariants and properties that are asked for. */
  readonly properties?: readonly string[];
  /** Look for invariants and abstractions where stores have no argument; off by default. */
  readonly infer?: boolean;
  readonly onQuestion?: (asked: number) => void;
}

/** A proof, with the questions on which it rests. */
export interface Proof {
  readonly result: ProveResult;
  /** The questions that were answered by a proof, for a script that other solvers can read. */
  readonly questions: readonly Question[];
  /** What the proof claims, for a certificate; absent unless the program is proved. */
  readonly claims?: ProofClaims;
}

/**
 * Tries to prove that every store can be taken for done at once ([BEMT18]), for any number of copies and unbounded data. The invariants of the
 * program are checked first; those that are not inductive are left out.
 */
export async function prove(open: Templates, options: ProveOptions): Promise<Proof> {
  const { limits = {} } = options;
  const start = performance.now();
  const deadline = limits.timeout === undefined ? undefined : start + limits.timeout;
  const { proof, claim } = await proveAlone(open, options, start, deadline);
  if (!claim) return proof;
  return { ...proof, result: await confronted(proof.result, claim, left(limits, deadline)) };
}

/** The limits, with the time that is left; instances are searched within a number of states of their own. */
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
  const written = (open.templates.invariants ?? []).map((invariant) =>
    wanted.includes(invariant.name) ? { ...invariant, isEverywhere: true as const } : invariant,
  );
  const asked = open.templates.properties
    .filter(({ name }) => wanted.includes(name))
    .flatMap((property) => propertyInvariant(open, property) ?? []);
  const given = [...written, ...asked];
  const first = await attemptProof(open, given, prover);
  if ('unsupported' in first) {
    const detail = first.unsupported;
    return { proof: finish({ kind: 'unknown', reason: 'unsupported', detail }) };
  }
  const inferred =
    options.infer === true ? await inferProof(first, given, prover, limits) : asIs(first);
  const { program, invariants, guesses, weakRmws, stores } = inferred.attempt;
  const deserted = await findDeserted(program, invariants, prover);
  const abstractions = [...guesses, ...weakRmws];
  const { kind } = await checkPremises(program, invariants, prover);
  const conclusion = kind === 'fails' ? conclude(stores, abstractions) : undefined;
  const claim = { original: open, program, invariants, ...(conclusion && { conclusion }) };
  const settled = (...answer: Parameters<typeof finish>) => ({
    proof: finish(...answer),
    ...((conclusion !== undefined || invariants.length > 0) && { claim }),
  });
  const properties = wanted.map((name) =>
    given.some((invariant) => invariant.name === name)
      ? settleProperty(name, given, invariants, conclusion, abstractions.length > 0)
      : ({ name, verdict: 'unknown', detail: whyNoInvariant(open, name) } as const),
  );
  const parts = { ...partsOf(open, inferred, given, written), deserted, properties };
  const proved = (shown: Conclusion, more: Partial<ProveResult> = {}) => {
    const answer = settled({ kind: 'proved', conclusion: shown }, { ...parts, ...more });
    return { ...answer, proof: withClaims(answer.proof, open, inferred) };
  };
  if (conclusion && conclusion.kind !== 'abstraction') return proved(conclusion);
  const violation =
    options.searchInstances === false ? undefined : await look(open, limits, deadline);
  if (conclusion) {
    const comparison =
      options.searchInstances === false
        ? undefined
        : await compare(inferred.attempt.open, limits, deadline);
    const compared = comparison ? { comparison } : {};
    // An abstraction that is in the source is what was asked about; one that we thought of does not make the program robust.
    if (violation && inferred.abstractions.length > 0)
      return settled({ kind: 'not-robust', ...violation }, { ...parts, ...compared });
    return proved(conclusion, { ...compared, ...(violation && { violation }) });
  }
  if (violation) return settled({ kind: 'not-robust', ...violation }, parts);
  return settled(whyUnknown(abstractions, stores, prover.isStopped, limits), parts);
}

/** What the attempt came to, as plain data. */
function partsOf(
  open: Templates,
  inferred: Inference,
  given: readonly Invariant[],
  written: readonly Invariant[],
): Pick<ProveResult, 'invariants' | 'abstractions' | 'abstraction' | 'diagnostics' | 'stores'> {
  const { program, invariants, guesses, weakRmws, stores } = inferred.attempt;
  return {
    invariants: [
      ...written.map((invariant) => describeInvariant(inferred.attempt, invariant)),
      ...invariants
        .filter((invariant) => !given.includes(invariant))
        .map((invariant) => describeInferred(open, invariant, inferred.found)),
    ],
    abstractions: [
      ...guesses.map((guess) => describeGuess(program, guess, inferred.abstractions)),
      ...weakRmws.map((weak) => describeWeakRmw(program, weak, inferred.abstractions)),
    ],
    ...shownAbstraction(inferred, given),
    diagnostics: guesses.flatMap((guess) => complainAboutGuess(program, guess) ?? []),
    stores: stores.map((store) => describeStore(program, store, inferred.hopeless)),
  };
}

/** A proof that was found, with what it claims. */
function withClaims(proof: Proof, open: Templates, { attempt, abstractions }: Inference): Proof {
  const { verdict, properties } = proof.result;
  if (verdict.kind !== 'proved') return proof;
  const names = properties.flatMap(({ name, verdict: kind }) => (kind === 'holds' ? [name] : []));
  return { ...proof, claims: proofClaims(open, attempt, abstractions, verdict.conclusion, names) };
}

function asIs(attempt: Attempt): Inference {
  return { attempt, abstractions: [], found: [] };
}

/** The program with the abstractions that were found, if any, and with the invariants that were. */
function shownAbstraction(
  { attempt, abstractions }: Inference,
  given: readonly Invariant[],
): Pick<ProveResult, 'abstraction'> {
  if (abstractions.length === 0) return {};
  const { templates, unbounded } = attempt.open;
  const found = attempt.invariants.filter((invariant) => !given.includes(invariant));
  const invariants = [...(templates.invariants ?? []), ...found];
  return { abstraction: { unbounded, templates: { ...templates, invariants } } };
}

/** Whether what was asked for holds of all states that TSO reaches with empty buffers. */
function settleProperty(
  name: string,
  given: readonly Invariant[],
  kept: readonly Invariant[],
  conclusion: Conclusion | undefined,
  isAbstract: boolean,
): ProvedProperty {
  const claims = given.filter((invariant) => invariant.name === name);
  const subject = isAbstract ? 'the abstraction' : 'the program';
  if (!claims.every((claim) => kept.includes(claim)))
    return { name, verdict: 'unknown', detail: 'it is not inductive with the other invariants' };
  if (!conclusion)
    return {
      name,
      verdict: 'unknown',
      detail: `${subject} has it under SC, but TSO may reach more states`,
    };
  return {
    name,
    verdict: 'holds',
    detail: `${subject} has it under SC, and so has every state that TSO reaches with empty store buffers while nobody has the bus lock`,
  };
}

function look(
  open: Templates,
  limits: Limits,
  deadline: number | undefined,
): Promise<InstanceViolation | undefined> {
  const { maxStates = 50_000 } = limits;
  const notions = ['value', 'standard'] as const;
  const search = { maxStates, maxCopies: 2, limits: left(limits, deadline), notions };
  return findViolation(open, search);
}

function compare(
  open: Templates,
  limits: Limits,
  deadline: number | undefined,
): Promise<StateComparison> {
  const { maxStates = 20_000 } = limits;
  return compareAbstraction(open, { maxStates, limits: left(limits, deadline) });
}

function describeInvariant({ program, broken }: Attempt, invariant: Invariant): InvariantProof {
  const found = broken.get(invariant);
  const common = { name: invariant.name, origin: 'given' as const };
  if (!found) return { ...common, verdict: 'inductive' };
  const { step, finding } = found;
  const transition = step?.edges[0]?.transition;
  return {
    ...common,
    verdict: finding.kind === 'fails' ? 'broken' : 'unknown',
    ...(step && transition !== undefined && { step: { thread: step.thread, transition } }),
    ...(finding.kind === 'fails' && { state: describeState(program, finding) }),
  };
}

function describeInferred(
  open: Templates,
  invariant: Invariant,
  fromHornClauses: readonly Invariant[],
): InvariantProof {
  return {
    name: invariant.name,
    origin: 'inferred',
    verdict: 'inductive',
    text: formatInvariant(open, invariant),
    ...(fromHornClauses.includes(invariant) && { source: 'horn-clauses' }),
  };
}

function conclude(
  stores: readonly StoreAtomicity[],
  abstractions: readonly { readonly finding: Finding }[],
): Conclusion | undefined {
  const agreement = overallAgreement(stores);
  if (agreement === undefined) return undefined;
  if (abstractions.some(({ finding }) => finding.kind !== 'holds')) return undefined;
  if (abstractions.length > 0) return { kind: 'abstraction' };
  return conclusionOf[agreement];
}

const conclusionOf: Readonly<Record<Agreement, Conclusion>> = {
  apart: { kind: 'robust', notion: 'standard' },
  'same-values': { kind: 'robust', notion: 'value' },
  'same-outcomes': { kind: 'same-states' },
};

function whyUnknown(
  abstractions: readonly { readonly finding: Finding }[],
  stores: readonly StoreAtomicity[],
  isStopped: boolean,
  { signal }: Limits,
): ProveVerdict {
  if (signal?.aborted)
    return { kind: 'unknown', reason: 'cancelled', detail: 'the run was interrupted' };
  if (isStopped) return { kind: 'unknown', reason: 'time', detail: 'the time ran out' };
  if (abstractions.some(({ finding }) => finding.kind !== 'holds'))
    return {
      kind: 'unknown',
      reason: 'abstractions',
      detail: 'a havoc does not allow all that a load in its place would read',
    };
  const open = stores.filter(({ argument }) => argument.kind === 'none').length;
  if (open === 0)
    return {
      kind: 'unknown',
      reason: 'undecided',
      detail: 'the solver does not say whether the premises of the proof can be satisfied',
    };
  const detail = `${open} store${open === 1 ? ' has' : 's have'} no argument`;
  return { kind: 'unknown', reason: 'movers', detail };
}

function describeStore(
  program: ProofProgram,
  { thread, store, loads, argument }: StoreAtomicity,
  hopeless: Hopeless | undefined,
): StoreProof {
  const isHopeless =
    hopeless?.store.thread === thread && hopeless.store.store.transition === store.transition;
  return {
    store: { thread, transition: store.transition },
    loads: loads.map(({ transition }) => transition),
    argument:
      argument.kind === 'none'
        ? {
            kind: 'none',
            ...(isHopeless && {
              noInvariantHelps: hopeless.leavesOutArrays ? 'without-arrays' : 'of-pairs',
            }),
            conflicts: argument.conflicts.map((conflict) => describeConflict(program, conflict)),
          }
        : { kind: argument.kind },
  };
}
