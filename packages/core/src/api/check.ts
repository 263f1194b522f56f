import { areGuessesListable } from '@fencewright/model/analysis/guesses.js';
import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { InternalError, unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { notSupported, type Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { createExplicitEngine } from '@fencewright/reference/explicit/explicit-engine.js';
import {
  decideAttackByAttack,
  decideBySingleQuery,
  type QueryOptions,
} from '@fencewright/reference/instrument/decide-by-queries.js';
import type { Decision } from '@fencewright/engines/robustness/decision.js';
import type { KernelChoice } from '@fencewright/ground/product/product-search.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { ModelChecker } from '@fencewright/ground/solvers/model-checker.js';
import type { CheckResult, EngineName } from '@fencewright/model/verdict/verdict.js';
import type { SmtSolver } from '@fencewright/ground/solvers/smt-solver.js';
import type { AttackerPool } from '@fencewright/engines/search/attacker-part.js';
import { failureDiagnostic } from './failure-diagnostic.js';
import { decideInTurns, type TriesProof, type Turn } from './decide-in-turns.js';
import { statisticsOf } from './decision-result.js';
import { defaults } from './defaults.js';
import { faultDiagnostics } from './fault-diagnostics.js';
import { faultFindings, lookAround, needsLook, verdictWithin } from './look-around.js';
import { findVacuity, vacuityDiagnostics } from './vacuity.js';

export interface CheckOptions {
  readonly engine?: EngineName;
  /**
   * The happens-before relation with the cycles to find. Only the engine `search` supports `value`;
   * other engines say `unknown`.
   */
  readonly happensBefore?: HappensBefore;
  /**
   * Engine `spin`: the model checker that decides queries, for example from `createSpin()` of
   * `@fencewright/core/node`.
   */
  readonly modelChecker?: ModelChecker;
  /** Engine `spin`: number of parallel searches. */
  readonly jobs?: number;
  /** Decide every attack; otherwise the first feasible attack may end the run. */
  readonly allAttacks?: boolean;
  readonly limits?: Limits;
  /**
   * Run a thread with an enabled local step alone, without other interleavings; on by default,
   * changes no verdict.
   */
  readonly localFirst?: boolean;
  /** Set registers to 0 whose value is not used any more; on by default, changes no verdict. */
  readonly maskDeadRegisters?: boolean;
  /**
   * Stop helpers (threads other than the attacker) that are off the happens-before path once the
   * attack's load has happened; on by default, changes no verdict.
   */
  readonly freezeOffPath?: boolean;
  /**
   * Engine `search`: treat states as equal that differ only in the order of threads with equal
   * code; on by default, changes no verdict.
   */
  readonly symmetry?: boolean;
  /**
   * Engine `search`: treat accesses that no second thread can notice as local steps; on by default,
   * changes no verdict.
   */
  readonly ownedCells?: boolean;
  /**
   * Engine `search`: for all attacks of a thread together, store the states from which no attack
   * can succeed; on by default, changes no verdict.
   */
  readonly shareDeadStates?: boolean;
  /**
   * Engine `search`: skip attacks for which the addresses of accesses allow no happens-before path;
   * on by default, changes no verdict.
   */
  readonly staticPath?: boolean;
  /**
   * Engine `search`: before searching, refute attacks by the values that each thread may read and
   * write, thread by thread; on by default, changes no verdict.
   */
  readonly localClosure?: boolean;
  /**
   * Engine `search`: before searching, refute attacks by the states that pairs of threads may be
   * in; on by default, changes no verdict.
   */
  readonly pairClosure?: boolean;
  /**
   * Engine `search`: search with few active threads first; on by default, changes no verdict.
   */
  readonly fewThreads?: boolean;
  /**
   * Engine `search`: number of states after which the costly methods begin; changes no verdict.
   * 2,000 by default, fewer for tests.
   */
  readonly stagesAfter?: number;
  /**
   * Engine `search`: if threads share their code, first decide robustness for any number of copies;
   * on by default, changes no verdict.
   */
  readonly anyNumberFirst?: boolean;
  /**
   * Engine `search`: the limits of the first turn, if the search alternates with the question about
   * any number of copies; changes no verdict. Tests set smaller limits.
   */
  readonly firstTurn?: Turn;
  /**
   * Engine `search`: `false` skips a step in deciding any number of copies (small instances, or the
   * cover); changes no verdict.
   */
  readonly smallInstances?: boolean;
  readonly cover?: boolean;
  /**
   * Engine `search`: try to prove robustness if a search takes long and numbers may grow without
   * bound; on by default.
   */
  readonly proof?: boolean;
  /** Engine `search`: the function that tries to prove robustness; no proof is tried if absent. */
  readonly triesProof?: TriesProof;
  /**
   * Engine `search`: use as few bits for a state as possible, so that the layout of states changes
   * often; off by default, for tests.
   */
  readonly tightLayout?: boolean;
  /**
   * Engine `search`: threads that take over a part of a long search; changes only the running time,
   * unless time or memory runs out.
   */
  readonly attackerPool?: AttackerPool;
  /**
   * Engine `search`: with `allAttacks`, replay a witness of every feasible attack, not only of
   * attacks with a possibly shortest witness; off by default.
   */
  readonly replayAll?: boolean;
  /**
   * Engine `search`: the code that expands states. `auto`, the default, uses WebAssembly for many
   * states; `wasm` uses WebAssembly from the first state on, if available. Changes only the running
   * time.
   */
  readonly kernel?: KernelChoice;
  /** Engine `chc`: the SMT solver, which the caller has to close. Z3 in WebAssembly if absent. */
  readonly smtSolver?: SmtSolver;
  /**
   * Engine `chc`: the solver's limit of work for all attacks together, in the solver's own unit;
   * unlimited if absent.
   */
  readonly smtEffort?: number;
  /**
   * Called with the known part of the result when the verdict is found, and at each later finding
   * while the check goes on; open questions are marked as not yet decided.
   */
  readonly onKnown?: (result: CheckResult) => void;
}

/**
 * Returns the decision of an engine that does not support the question: `unknown`, with no attack
 * tried.
 */
function undecided(): Promise<Decision> {
  const nothing = { attacks: [], faults: [], states: 0, queries: 0 };
  return Promise.resolve({ ...nothing, incomplete: 'unsupported' });
}

/**
 * Returns an error if the program has 64-bit numbers and the engine does not support them;
 * otherwise none.
 */
function wideDiagnostics(
  program: Program,
  { engine = defaults.engine }: CheckOptions,
): readonly Diagnostic[] {
  if (engine === 'search' || !usesWideValues(program)) return [];
  return [notSupported(undefined, `the engine '${engine}' has no numbers of 64 bits`)];
}

/** Decides robustness by a single query to a model checker about all attacks at once. */
async function decideByModelChecker(
  original: Program,
  { modelChecker, jobs = defaults.jobs }: CheckOptions,
  queries: QueryOptions,
): Promise<Decision> {
  if (!modelChecker) throw new InternalError('the engine spin needs a model checker');
  // Only the engine `spin` needs the printer of Promela.
  const { createPromelaEngine } = await import('@fencewright/reference/promela/promela-engine.js');
  const reachability = createPromelaEngine({ original, modelChecker, jobs });
  return decideBySingleQuery(original, { ...queries, reachability });
}

function decide(
  program: Program,
  options: CheckOptions,
  budget: Budget,
  onDecided: (decision: Decision) => void,
): Promise<Decision> {
  const { engine = defaults.engine, allAttacks = false, freezeOffPath = true } = options;
  if (options.happensBefore === 'value' && (engine !== 'search' || !areGuessesListable(program)))
    return undecided();
  if (engine !== 'search' && usesWideValues(program)) return undecided();
  const { localFirst = true, maskDeadRegisters = true } = options;
  const queries = {
    reachability: createExplicitEngine({ localFirst, maskDeadRegisters }),
    budget,
    allAttacks,
    instrument: { freezeOffPath },
    onDecided,
  };
  switch (engine) {
    case 'search':
      return decideInTurns(program, {
        ...options,
        budget,
        allAttacks,
        looksAround: true,
        onDecided,
      });
    case 'instrument':
      return decideAttackByAttack(program, queries);
    case 'single-query':
      return decideBySingleQuery(program, queries);
    case 'chc':
      return decideByHornClauses(program, options, queries);
    case 'spin':
      return decideByModelChecker(program, options, queries);
    default:
      return unreachable(engine);
  }
}

/** Decides each attack by a question to a solver of constrained Horn clauses. */
async function decideByHornClauses(
  program: Program,
  { smtSolver, smtEffort }: CheckOptions,
  queries: QueryOptions,
): Promise<Decision> {
  const { createHornEngine } = await import('@fencewright/proofs/chc/horn-engine.js');
  const solver =
    smtSolver ?? (await import('@fencewright/ground/solvers/z3-wasm.js')).createWasmZ3();
  const reachability = createHornEngine({
    solver,
    explicit: queries.reachability,
    ...(smtEffort !== undefined && { effort: smtEffort }),
  });
  try {
    return await decideAttackByAttack(program, { ...queries, reachability });
  } finally {
    if (!smtSolver) await solver.close();
  }
}

/**
 * Decides whether the program is robust against TSO, and returns the evidence. Never throws for
 * program behaviour; only for internal errors. If the program seems robust, executions under SC are
 * searched for faults and for dead code, even if no attack needs a search.
 */
export async function check(program: Program, options: CheckOptions = {}): Promise<CheckResult> {
  const budget = new Budget(options.limits);
  const { onKnown } = options;
  const onDecided = (decision: Decision): void =>
    onKnown?.(resultOf(program, decision, options, budget));
  const decided = await decide(program, options, budget, onDecided);
  if (needsLook(decided)) onDecided(decided);
  const decision = await lookAround(program, decided, budget);
  return resultOf(program, decision, options, budget);
}

/** Returns the check result for a decision. */
function resultOf(
  program: Program,
  decision: Decision,
  options: CheckOptions,
  budget: Budget,
): CheckResult {
  const faults = faultFindings(program, decision);
  const verdict = verdictWithin(program, decision, faults);
  const { look } = decision;
  const vacuity = findVacuity(program, verdict, look);
  const isCut = look?.exhausted === 'time' || look?.exhausted === 'cancelled';
  return {
    verdict,
    happensBefore: options.happensBefore ?? defaults.happensBefore,
    attacks: decision.attacks,
    statistics: statisticsOf(program, decision, options.engine ?? defaults.engine, budget),
    faults,
    vacuity,
    ...(isCut && { cutShort: look.exhausted }),
    diagnostics: [
      ...(decision.failure ? [failureDiagnostic(decision.failure)] : []),
      ...wideDiagnostics(program, options),
      ...faultDiagnostics(program, decision.faults),
      ...vacuityDiagnostics(program, vacuity),
    ],
  };
}
