import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';

/**
 * The place of an attacker's turn in the order of all turns of a search: stage by stage, and in
 * each stage by threads. What an attacker does in its turns does not depend on other attackers, so
 * they can be taken in any order, by different threads of the machine.
 */
export type Turn = number;

/** The turn of an attacker in a stage, where the program has `threads` threads. */
export function turnOf(stage: number, attacker: ThreadId, threads: number): Turn {
  return stage * threads + attacker;
}

/**
 * A feasible attack, of a thread that stands for its class, the turn in which it was found, and
 * what found it.
 */
export interface FoundAttack {
  readonly attack: Attack;
  readonly turn: Turn;
  readonly settledBy: 'few-threads' | 'search';
}

/** A witness, and the turn in which it was found. */
export interface FoundWitness {
  readonly witness: Witness;
  readonly turn: Turn;
}

/**
 * Negative if a witness of `length` actions that was found in `turn` goes before another: shorter
 * ones do, and earlier ones among equals.
 */
export function compareWitnesses(length: number, turn: Turn, other: FoundWitness): number {
  return length - other.witness.computation.length || turn - other.turn;
}

/** The states of a phase, or of several. */
export interface PhaseProgress {
  /** Indexed by stage: how many there were when it was done. */
  readonly statesAfter: readonly number[];
  /** How many there are now, in the middle of a stage perhaps. */
  readonly states: number;
}

/** How far the second and third phases of the attacks of one thread have come. */
export interface AttackerProgress extends PhaseProgress {
  readonly thread: ThreadId;
  /** Whether all its attacks are known to be feasible. */
  readonly isFinished: boolean;
  /** Whether nothing is left to do. */
  readonly isDecided: boolean;
}

/** What a search for some or all attackers of a program has come to; plain data. */
export interface RoundOutcome {
  /** In the order of threads. */
  readonly attackers: readonly AttackerProgress[];
  readonly firstPhase: PhaseProgress;
  /** In the order in which they were found. */
  readonly found: readonly FoundAttack[];
  /** The shortest of those that were found, the first of them among equals. */
  readonly witness?: FoundWitness;
  /** Why it ended before everything was decided. */
  readonly exhausted?: Exhaustion;
  /** Whether some thread computes locally without end, and was cut off. */
  readonly isEndless: boolean;
  readonly faults: readonly FaultyStep[];
}

/** The first turn of an attacker that is not behind it. */
export function nextTurn({ thread, statesAfter }: AttackerProgress, threads: number): Turn {
  return turnOf(statesAfter.length, thread, threads);
}

/** The first turn in which a feasible attack was found; `Infinity` where there is none. */
export function firstFound(outcomes: readonly RoundOutcome[]): Turn {
  return Math.min(...outcomes.flatMap(({ found }) => found.map(({ turn }) => turn)));
}
