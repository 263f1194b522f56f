import { areGuessesListable } from '@fencewright/model/analysis/guesses.js';
import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { InternalError, unreachable } from '@fencewright/ground/base/unreachable.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { Program } from '@fencewright/model/program/program.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { notSupported, type Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Decision } from '@fencewright/engines/robustness/decision.js';
import type { ReachabilityEngine } from '@fencewright/model/reach/engine.js';
import type { ModelChecker } from '@fencewright/ground/solvers/model-checker.js';
import type { UnknownReason } from '@fencewright/model/verdict/unknown-reason.js';
import type { CheckResult, EngineName } from '@fencewright/model/verdict/verdict.js';
import type { SmtSolver } from '@fencewright/ground/solvers/smt-solver.js';
import { failureDiagnostic } from './failure-diagnostic.js';
import { decideInTurns, type TurnOptions } from './decide-in-turns.js';
import { statisticsOf } from './decision-result.js';
import { defaults } from './defaults.js';
import { faultDiagnostics } from './fault-diagnostics.js';
import { faultFindings, lookAround, verdictWithin } from './look-around.js';
import type { RobustnessQuestion } from './question.js';
import { optionsWithout, type ReductionName } from './reductions.js';
import { findVacuity, vacuityDiagnostics } from './vacuity.js';

/** An engine with the external tools that it uses; a name means the engine without tools. */
export type CheckEngine =
  | EngineName
  | { readonly name: 'instrument' | 'single-query' }
  | ({ readonly name: 'search' } & Pick<TurnOptions, 'kernel' | 'attackerPool' | 'triesProof'>)
  | {
      readonly name: 'spin';
      /**
       * The model checker that the engine `spin` uses, for example from `createSpin()` of
       * `@fencewright/core/node`.
       */
      readonly modelChecker?: ModelChecker;
      /** The number of searches that run in parallel. */
      readonly jobs?: number;
    }
  | {
      readonly name: 'chc';
      /**
       * The SMT solver that the engine uses; the caller has to close it. Z3 in WebAssembly if
       * absent.
       */
      readonly smtSolver?: SmtSolver;
      /**
       * The solver's limit of work for all attacks together, in the solver's own unit; unlimited if
       * absent.
       */
      readonly smtEffort?: number;
    };

/** An engine other than the search, with its external tools. */
type ReferenceEngine = Exclude<CheckEngine, EngineName | { readonly name: 'search' }>;

/** The question of a check, and the settings of the engine; `defaults` apply to absent options. */
export interface CheckOptions extends Pick<
  RobustnessQuestion,
  'happensBefore' | 'allAttacks' | 'replayAll'
> {
  readonly engine?: CheckEngine;
  readonly limits?: Limits;
  /** The reductions and additional attempts that are switched off; none changes a verdict. */
  readonly without?: readonly ReductionName[];
  /**
   * Limits that tests make small, so that small programs reach all code of the engines; no limit
   * changes a verdict.
   */
  readonly forTests?: Pick<TurnOptions, 'stagesAfter' | 'firstTurn' | 'tightLayout'>;
  /**
   * Called when the verdict is found, and at each later finding while the check goes on, with the
   * part of the result that is known; open questions are marked as not yet decided.
   */
  readonly onKnown?: (result: CheckResult) => void;
}

/** Returns the requested engine, with its external tools. */
function engineOf({ engine = defaults.engine }: CheckOptions): Exclude<CheckEngine, EngineName> {
  return typeof engine === 'string' ? { name: engine } : engine;
}

/** Returns the options of a check that the search engine takes. */
export function searchOptionsOf(options: CheckOptions) {
  const { happensBefore = defaults.happensBefore, allAttacks = false, replayAll = false } = options;
  const { name: _, ...helpers } = engineOf(options);
  return {
    ...{ happensBefore, allAttacks, replayAll },
    ...optionsWithout(options.without),
    ...helpers,
    ...options.forTests,
  };
}

/**
 * Returns the decision `unknown`, with no attack tried, for a question that an engine does not
 * support.
 */
function undecided(): Promise<Decision> {
  const nothing = { attacks: [], faults: [], states: 0, queries: 0 };
  return Promise.resolve({ ...nothing, incomplete: 'unsupported' });
}

/** Whether the program has 64-bit numbers or heavy fences, which only the search supports. */
function hasUnknownParts(program: Program): boolean {
  return usesWideValues(program) || hasHeavyFences(program);
}

/** Returns errors for the parts of the program that the engine does not support. */
function unknownParts(program: Program, engine: EngineName): readonly Diagnostic[] {
  if (engine === 'search') return [];
  const lacks = (what: string): Diagnostic =>
    notSupported(undefined, `the engine '${engine}' has no ${what}`);
  return [
    ...(usesWideValues(program) ? [lacks('numbers of 64 bits')] : []),
    ...(hasHeavyFences(program) ? [lacks('heavy fences')] : []),
  ];
}

/**
 * Returns the engine that answers the reachability queries of a reference engine. `close` closes a
 * solver that was made for it.
 */
async function reachabilityFor(
  original: Program,
  engine: ReferenceEngine,
  explicit: ReachabilityEngine,
): Promise<{ readonly reachability: ReachabilityEngine; readonly close?: () => Promise<void> }> {
  switch (engine.name) {
    case 'instrument':
    case 'single-query':
      return { reachability: explicit };
    case 'spin': {
      const { modelChecker, jobs = defaults.jobs } = engine;
      if (!modelChecker) throw new InternalError('the engine spin needs a model checker');
      const { createPromelaEngine } =
        await import('@fencewright/reference/promela/promela-engine.js');
      return { reachability: createPromelaEngine({ original, modelChecker, jobs }) };
    }
    case 'chc': {
      const { smtSolver, smtEffort: effort } = engine;
      const { createHornEngine } = await import('@fencewright/proofs/chc/horn-engine.js');
      const solver =
        smtSolver ?? (await import('@fencewright/ground/solvers/z3-wasm.js')).createWasmZ3();
      return {
        reachability: createHornEngine({
          ...{ solver, explicit },
          ...(effort !== undefined && { effort }),
        }),
        ...(!smtSolver && { close: () => solver.close() }),
      };
    }
    default:
      return unreachable(engine);
  }
}

function decide(
  program: Program,
  options: CheckOptions,
  budget: Budget,
  onDecided: (decision: Decision) => void,
): Promise<Decision> {
  const engine = engineOf(options);
  if (engine.name === 'search') {
    if (options.happensBefore === 'value' && !areGuessesListable(program)) return undecided();
    const search = searchOptionsOf(options);
    return decideInTurns(program, { ...search, budget, looksAround: true, onDecided });
  }
  if (options.happensBefore === 'value' || hasUnknownParts(program)) return undecided();
  return decideByReference(program, engine, options, budget, onDecided);
}

/** Decides robustness by another engine than the search. */
async function decideByReference(
  program: Program,
  engine: ReferenceEngine,
  options: CheckOptions,
  budget: Budget,
  onDecided: (decision: Decision) => void,
): Promise<Decision> {
  const { createExplicitEngine } =
    await import('@fencewright/reference/explicit/explicit-engine.js');
  const { decideAttackByAttack, decideBySingleQuery } =
    await import('@fencewright/reference/instrument/decide-by-queries.js');
  const instrument = optionsWithout(options.without);
  const explicit = createExplicitEngine(instrument);
  const { reachability, close } = await reachabilityFor(program, engine, explicit);
  const { allAttacks = false } = options;
  const queries = { reachability, budget, allAttacks, instrument, onDecided };
  try {
    return engine.name === 'instrument' || engine.name === 'chc'
      ? await decideAttackByAttack(program, queries)
      : await decideBySingleQuery(program, queries);
  } finally {
    await close?.();
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
  const decision = await lookAround(program, decided, budget, onDecided);
  return resultOf(program, decision, options, budget);
}

/**
 * Returns the reason why the work ended after the verdict was known: before all attacks were
 * decided, or before all executions were explored for lack of time.
 */
function whyCutShort({ witness, incomplete, look }: Decision): UnknownReason | undefined {
  if (witness) return incomplete;
  const isCut = look?.exhausted === 'time' || look?.exhausted === 'cancelled';
  return isCut ? look.exhausted : undefined;
}

/** Returns the check result for a decision. */
function resultOf(
  program: Program,
  decision: Decision,
  options: CheckOptions,
  budget: Budget,
): CheckResult {
  const { name: engine } = engineOf(options);
  const faults = faultFindings(program, decision);
  const verdict = verdictWithin(program, decision, faults);
  const { look } = decision;
  const vacuity = findVacuity(program, verdict, look);
  const cutShort = whyCutShort(decision);
  return {
    verdict,
    happensBefore: options.happensBefore ?? defaults.happensBefore,
    attacks: decision.attacks,
    statistics: statisticsOf(program, decision, engine, budget),
    faults,
    vacuity,
    ...(cutShort && { cutShort }),
    diagnostics: [
      ...(decision.failure ? [failureDiagnostic(decision.failure)] : []),
      ...unknownParts(program, engine),
      ...faultDiagnostics(program, decision.faults),
      ...vacuityDiagnostics(program, vacuity),
    ],
  };
}
