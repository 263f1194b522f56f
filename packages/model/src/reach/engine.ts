import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { LocationId, ThreadId, TransitionId } from '../program/ids.js';
import type { InstrumentedProgram } from '../instrumented/instrumented.js';
import type { ModelCheckerFailure } from '@fencewright/ground/solvers/model-checker.js';
import type { FaultyStep } from '../semantics/machine.js';

/** "Can a thread get to one of its goal locations?" under SC. */
export interface ReachabilityQuery {
  readonly program: InstrumentedProgram;
  readonly goals: readonly { readonly thread: ThreadId; readonly location: LocationId }[];
  /** Addresses in the `control` space: cells whose values at a goal are part of the answer. */
  readonly observe?: readonly number[];
  /**
   * Go on after the first goal, and return one run for every combination of values that the
   * observed cells have at a goal.
   */
  readonly allGoals?: boolean;
  /** With `allGoals`: the combinations that are of interest; there are no others. */
  readonly among?: readonly (readonly number[])[];
  /**
   * Give up, with `slice`, after this many states: the caller has more promising queries to try
   * first.
   */
  readonly slice?: number;
}

/** The execution of one transition; `choice` is the value that a `havoc` gave. */
export interface RunStep {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  readonly choice?: number;
}

/** A run from the initial state to a goal, a shortest one of those that the engine considers. */
export interface GoalRun {
  /** The values of the observed cells, in their order. */
  readonly observed: readonly number[];
  readonly run: readonly RunStep[];
}

export interface ReachabilityAnswer {
  readonly goals: readonly GoalRun[];
  /** Stored states. */
  readonly states: number;
  /** Steps at which an execution ended in a fault, one for each transition and kind. */
  readonly faults: readonly FaultyStep[];
  /**
   * Why the search ended early; a search that stopped at its first goal has not. `undecided`: the
   * engine's method does not settle this query, others may be; `effort`: it would have to do more
   * for this query than it may.
   */
  readonly incomplete?: Exhaustion | 'slice' | 'undecided' | 'effort';
  /** The engine relies on a program that is missing or has failed: nothing is known. */
  readonly failure?: ModelCheckerFailure;
  /** Only from engines that hand the query to another program. */
  readonly phases?: QueryPhases;
}

/**
 * Where the time of a query went, in ms: writing the model, making a verifier of it, running that.
 */
interface QueryPhases {
  readonly generating: number;
  readonly compiling: number;
  readonly verifying: number;
}

/** Anything that decides SC reachability. */
export interface ReachabilityEngine {
  readonly name: string;
  explore(query: ReachabilityQuery, budget: Budget): Promise<ReachabilityAnswer>;
}
