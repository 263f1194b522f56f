import type { ReachabilityAnswer } from '@fencewright/model/reach/engine.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import type {
  AttackStage,
  AttackVerdict,
  DecidedAttack,
} from '@fencewright/model/verdict/attack.js';
import type {
  EnginePhases,
  PhaseStates,
  UnknownReason,
  Witness,
} from '@fencewright/model/verdict/verdict.js';

/**
 * The findings of an exploration about executions under SC. For a robust program the findings hold
 * under TSO, since each TSO computation has the trace of an SC computation.
 */
export interface SequentialLook {
  /** Whether the exploration has covered all SC executions. */
  readonly isComplete: boolean;
  /**
   * The limit that ended the exploration early: a limit of the budget, or of the part of the budget
   * that the exploration may use.
   */
  readonly exhausted?: UnknownReason;
  readonly faults: readonly FaultyStep[];
  /**
   * Whether some explored execution executes the instruction; `false` is certain if all executions
   * were explored.
   */
  readonly runs: (thread: ThreadId, transition: TransitionId) => boolean;
}

/** The findings of an engine about the attacks of a program. */
export interface Decision {
  /** The attacks with verdicts, in program order; attacks that were not tried are left out. */
  readonly attacks: readonly DecidedAttack[];
  /** The witness of a feasible attack, the shortest found; absent if none was found. */
  readonly witness?: Witness;
  /** The reason why some attack is `unknown`; absent if none is. */
  readonly incomplete?: UnknownReason;
  /** The instructions of the user's program at which some execution ended in a fault. */
  readonly faults: readonly FaultyStep[];
  /**
   * Present if the engine computed a closure of the threads' steps under SC: whether the closure
   * met no fault, so that no execution faults.
   */
  readonly isFaultFree?: boolean;
  /**
   * The findings about executions under SC; only from engines that explore executions, and only if
   * no attack was found.
   */
  readonly look?: SequentialLook;
  readonly states: number;
  readonly queries: number;
  /**
   * The time of each phase; only from engines that pass queries to an external program. `failure`
   * tells why the external program was of no use.
   */
  readonly phases?: EnginePhases;
  /** The states of each phase of an attack; only from the engine that searches by phases. */
  readonly phaseStates?: PhaseStates;
  readonly failure?: NonNullable<ReachabilityAnswer['failure']>;
}

/** Counts how many attacks have each verdict. */
export function countVerdicts(
  attacks: readonly DecidedAttack[],
): Readonly<Record<AttackVerdict, number>> {
  const count = { feasible: 0, infeasible: 0, 'by-cfg': 0, unknown: 0 };
  for (const { verdict } of attacks) count[verdict]++;
  return count;
}

/**
 * Counts how many attacks were decided by each stage of the search, such as a refuter; `undefined`
 * if no attack names a stage.
 */
export function countStages(
  attacks: readonly DecidedAttack[],
): Readonly<Partial<Record<AttackStage, number>>> | undefined {
  const count: Partial<Record<AttackStage, number>> = {};
  for (const { settledBy } of attacks)
    if (settledBy) count[settledBy] = (count[settledBy] ?? 0) + 1;
  return Object.keys(count).length > 0 ? count : undefined;
}
