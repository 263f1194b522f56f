import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { LocationId, ThreadId, TransitionId } from '../program/ids.js';
import type { InstrumentedProgram } from '../instrumented/instrumented.js';
import type { ModelCheckerFailure } from '@fencewright/ground/solvers/model-checker.js';
import type { FaultyStep } from '../semantics/machine.js';

/** The question whether a thread can reach one of the goal locations under SC. */
export interface ReachabilityQuery {
  readonly program: InstrumentedProgram;
  readonly goals: readonly { readonly thread: ThreadId; readonly location: LocationId }[];
  /** The addresses in the `control` space whose values at a goal are part of the answer. */
  readonly observe?: readonly number[];
  /**
   * Whether to continue after the first goal, and return one run for every combination of observed
   * values at a goal.
   */
  readonly allGoals?: boolean;
  /**
   * With `allGoals`: a complete list of the combinations of observed values of interest; no run for
   * any other combination needs to be found.
   */
  readonly among?: readonly (readonly number[])[];
  /**
   * The number of states after which the search stops, with the reason `slice`: the caller may
   * first try more promising queries.
   */
  readonly slice?: number;
}

/** The execution of one transition in a run; `choice` is the value chosen by a `havoc`. */
export interface TransitionOfRun {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  readonly choice?: number;
}

/**
 * A run from the initial state to a goal of the query: a shortest one among the runs considered by
 * the engine.
 */
export interface GoalRun {
  /** The values that the observed cells have at the goal of the run, in the order of `observe`. */
  readonly observed: readonly number[];
  readonly run: readonly TransitionOfRun[];
}

export interface ReachabilityAnswer {
  readonly goals: readonly GoalRun[];
  /** The number of states that the engine stored. */
  readonly states: number;
  /** The steps at which an execution faulted, one for each transition and kind of fault. */
  readonly faults: readonly FaultyStep[];
  /**
   * Why the search ended early; absent if the search is complete, or stopped at its first goal.
   * `undecided`: the engine's method cannot decide this query, other methods may; `effort`: the
   * query exceeds the engine's effort limit.
   */
  readonly incomplete?: Exhaustion | 'slice' | 'undecided' | 'effort';
  /**
   * The reason why an external program that the engine uses gave no answer: it is missing or has
   * failed.
   */
  readonly failure?: ModelCheckerFailure;
  /** The time of each phase; only from engines that pass the query to an external program. */
  readonly phases?: QueryPhases;
}

/**
 * The times of the phases of a query in ms: writing the model, compiling the verifier, running the
 * verifier.
 */
interface QueryPhases {
  readonly generating: number;
  readonly compiling: number;
  readonly verifying: number;
}

/** An engine that decides whether a thread can reach a goal under SC. */
export interface ReachabilityEngine {
  readonly name: string;
  explore(query: ReachabilityQuery, budget: Budget): Promise<ReachabilityAnswer>;
}
