import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Diagnostic } from '../source/diagnostic.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import type { UnknownReason } from './verdict.js';

/**
 * What an exploration left open, and what settled it: the robustness of the program and what SC
 * says; or a search for what was asked for, backwards over load buffers, which are of any length.
 */
export type ReachSettler = 'robustness' | 'load-buffers';

/**
 * What one memory model says of a named property, with a computation that decides it where there is
 * one.
 */
export interface PropertyVerdict {
  readonly property: string;
  readonly verdict: 'holds' | 'violated' | 'unknown';
  /** A `finally` that holds because no execution ends. */
  readonly isVacuous?: true;
  /** The exploration left it open; what settled it all the same. */
  readonly settledBy?: ReachSettler;
  /**
   * For a violated `never` or `finally`: leads to the offending state. For an `exists` or a `stuck`
   * that holds: to a state that satisfies it.
   */
  readonly computation?: Computation;
}

/** An `assert` that some reachable state fails. */
export interface FailedAssertion {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  readonly computation: Computation;
}

/** The reachable states of a program under one memory model. */
export interface ModelReach {
  readonly states: number;
  /**
   * Why the exploration is not complete; absent when it is. `buffer`: stores had to wait for room.
   */
  readonly incomplete?: UnknownReason | 'buffer';
  /** The exploration is not complete, but final states and failed assertions are: why. */
  readonly settledBy?: ReachSettler;
  /**
   * How many stores a buffer could hold; absent where that was as many as the program puts into it.
   */
  readonly buffer?: number;
  /**
   * States in which all threads have ended and all buffers are empty, in a fixed order; distinct in
   * registers and memory.
   */
  readonly finalStates: readonly MachineState[];
  /** In the order of `Program.properties`. */
  readonly properties: readonly PropertyVerdict[];
  readonly failedAssertions: readonly FailedAssertion[];
}

/**
 * SC and TSO side by side ([Bou12], state robustness): `sameFinalStates` compares registers and
 * memory.
 */
export interface ReachResult {
  readonly sc: ModelReach;
  readonly tso: ModelReach;
  readonly sameFinalStates: 'yes' | 'no' | 'unknown';
  /**
   * Whether the program is robust; asked where final states differ in nothing that was seen, absent
   * elsewhere.
   */
  readonly robustness?: 'robust' | 'not-robust' | 'unknown';
  readonly milliseconds: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether all final states and failed assertions of the model are known. */
export function knowsEnds({ incomplete, settledBy }: ModelReach): boolean {
  return incomplete === undefined || settledBy !== undefined;
}

/** Whether nothing is left open of what was asked about the model. */
export function isSettled(model: ModelReach): boolean {
  return knowsEnds(model) && model.properties.every(({ verdict }) => verdict !== 'unknown');
}
