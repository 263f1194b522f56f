import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';

/**
 * The number of a turn in the order of all turns of a search. In each stage, every attacker has one
 * turn; turns are ordered by stage, then by thread of the attacker. What an attacker does in a turn
 * does not depend on other attackers, so several worker threads can take turns in any order.
 */
export type Turn = number;

/**
 * Returns the number of the turn that an attacker has in a stage. `threads` is the number of
 * threads of the program.
 */
export function turnOf(stage: number, attacker: ThreadId, threads: number): Turn {
  return stage * threads + attacker;
}

/**
 * A feasible attack, given for the first of the threads with equal code, with the turn and the kind
 * of search that found it.
 */
export interface FoundAttack {
  readonly attack: Attack;
  readonly turn: Turn;
  readonly settledBy: 'few-threads' | 'directed' | 'search';
}

/** A witness, and the turn in which the search found the witness. */
export interface FoundWitness {
  readonly witness: Witness;
  readonly turn: Turn;
}

/**
 * Compares a witness of `length` actions found in `turn` with the witness `other`: negative if the
 * former precedes `other`. Shorter witnesses precede longer witnesses; among witnesses of equal
 * length, earlier witnesses come first.
 */
export function compareWitnesses(length: number, turn: Turn, other: FoundWitness): number {
  return length - other.witness.computation.length || turn - other.turn;
}

/**
 * The numbers of states of a search that advances in stages; `Count` is one number, or the numbers
 * for each phase.
 */
export interface StageStates<Count> {
  /** For each completed stage, the numbers of states at its end. */
  readonly statesAfter: readonly Count[];
  /** The numbers of states at present, possibly in the middle of a stage. */
  readonly states: Count;
}

/** The numbers of states stored by the search for the attacks of one thread. */
export interface AttackerStates {
  /** The number of states of the second phase, in which the attacker delays stores. */
  readonly delaying: number;
  /**
   * The number of states of the third phase: the phase in which the other threads build the
   * happens-before path.
   */
  readonly path: number;
  /** The number of states of all phases in searches in which only a few threads run. */
  readonly fewThreads: number;
}

/** The progress of the search in the second and third phases of the attacks of one thread. */
export interface AttackerProgress extends StageStates<AttackerStates> {
  readonly thread: ThreadId;
  /** Whether all attacks of the attacker are known to be feasible. */
  readonly isFinished: boolean;
  /**
   * Whether nothing is left to search for the attacker: no attack is open, or all states were
   * searched.
   */
  readonly isDecided: boolean;
}

/** The outcome of a search for some or all attackers of a program; plain data. */
export interface RoundOutcome {
  /** The progress of each attacker that the search covers, in the order of threads. */
  readonly attackers: readonly AttackerProgress[];
  readonly firstPhase: StageStates<number>;
  /** The feasible attacks found by the search, in the order of discovery. */
  readonly found: readonly FoundAttack[];
  /**
   * The shortest witness found, among equally short witnesses the first; absent if none was found.
   */
  readonly witness?: FoundWitness;
  /** The limit that ended the search before everything was decided; absent if none did. */
  readonly exhausted?: Exhaustion;
  /**
   * Whether some thread computes locally without end, so that some of the thread's states were left
   * out.
   */
  readonly isEndless: boolean;
  readonly faults: readonly FaultyStep[];
}

/** Returns the first turn that an attacker has not completed. */
export function nextTurn({ thread, statesAfter }: AttackerProgress, threads: number): Turn {
  return turnOf(statesAfter.length, thread, threads);
}

/** Returns the first turn with a feasible attack; `Infinity` if no attack was found. */
export function firstFound(outcomes: readonly RoundOutcome[]): Turn {
  return Math.min(...outcomes.flatMap(({ found }) => found.map(({ turn }) => turn)));
}
