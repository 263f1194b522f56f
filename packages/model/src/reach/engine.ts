import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { LocationId, ThreadId, TransitionId } from '../program/ids.js';
import type { InstrumentedProgram } from '../instrumented/instrumented.js';
import type { ModelCheckerFailure } from '@fencewright/ground/solvers/model-checker.js';
import type { FaultyStep } from '../semantics/machine.js';

/** "Can a thread reach one of its goal locations?" under SC. */
export interface ReachabilityQuery {
  readonly program: InstrumentedProgram;
  readonly goals: readonly { readonly thread: ThreadId; readonly location: LocationId }[];
  /** Addresses in the `control` space: cells whose values at a goal are part of the answer. */
  readonly observe?: readonly number[];
  /**
   * Continue after the first goal, and return one run for every combination of observed values at a
   * goal.
   */
  readonly allGoals?: boolean;
  /** With `allGoals`: the combinations of interest, a complete list. */
  readonly among?: readonly (readonly number[])[];
  /**
   * Give up, with `slice`, after this many states: the caller wants to try more promising queries
   * first.
   */
  readonly slice?: number;
}

/** The execution of one transition; `choice` is the value chosen by a `havoc`. */
export interface RunStep {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  readonly choice?: number;
}

/** A shortest run from the initial state to a goal, among the runs considered by the engine. */
export interface GoalRun {
  /** The values of the observed cells, in order. */
  readonly observed: readonly number[];
  readonly run: readonly RunStep[];
}

export interface ReachabilityAnswer {
  readonly goals: readonly GoalRun[];
  /** Stored states. */
  readonly states: number;
  /** Steps at which an execution faulted, one for each transition and kind. */
  readonly faults: readonly FaultyStep[];
  /**
   * Why the search ended early; absent if it stopped at its first goal. `undecided`: the engine's
   * method cannot decide this query, others may; `effort`: the query exceeds the engine's effort
   * limit.
   */
  readonly incomplete?: Exhaustion | 'slice' | 'undecided' | 'effort';
  /** An external program is missing or has failed: nothing is known. */
  readonly failure?: ModelCheckerFailure;
  /** Only from engines that pass the query to an external program. */
  readonly phases?: QueryPhases;
}

/**
 * The time of a query by phase, in ms: writing the model, compiling the verifier, running the
 * verifier.
 */
interface QueryPhases {
  readonly generating: number;
  readonly compiling: number;
  readonly verifying: number;
}

/** An engine that decides SC reachability. */
export interface ReachabilityEngine {
  readonly name: string;
  explore(query: ReachabilityQuery, budget: Budget): Promise<ReachabilityAnswer>;
}
