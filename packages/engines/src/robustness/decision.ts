import type { ReachabilityAnswer } from '@fencewright/model/reach/engine.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import type {
  AttackStage,
  AttackVerdict,
  DecidedAttack,
} from '@fencewright/model/verdict/attack.js';
import type { EnginePhases, UnknownReason, Witness } from '@fencewright/model/verdict/verdict.js';

/**
 * What executions under SC have shown. Of a robust program they are what TSO has, for each TSO
 * computation has the trace of one of SC.
 */
export interface SequentialLook {
  /** Whether all of them were looked at. */
  readonly isComplete: boolean;
  /** What ended the look before that: of the budget, or of the share of it that a look has. */
  readonly exhausted?: UnknownReason;
  readonly faults: readonly FaultyStep[];
  /** Whether some execution runs the instruction; where all were looked at, `false` is certain. */
  readonly runs: (thread: ThreadId, transition: TransitionId) => boolean;
}

/** What an engine found out about the attacks of a program. */
export interface Decision {
  /** In the order of the program; attacks that were not tried are left out. */
  readonly attacks: readonly DecidedAttack[];
  /** Of a feasible attack; the shortest of those that were found. */
  readonly witness?: Witness;
  /** Why some attack is `unknown`. */
  readonly incomplete?: UnknownReason;
  /** Instructions of the user's program at which some execution ended in a fault. */
  readonly faults: readonly FaultyStep[];
  /**
   * A closure of what threads do under SC has met no fault, so no execution ends in one; absent
   * where none was made.
   */
  readonly isFaultFree?: boolean;
  /**
   * What executions under SC have shown; only of an engine that explores them, and where it found
   * no attack.
   */
  readonly look?: SequentialLook;
  readonly states: number;
  readonly queries: number;
  /**
   * Only from engines that hand their queries to another program: where the time went, and why that
   * program was of no use.
   */
  readonly phases?: EnginePhases;
  readonly failure?: NonNullable<ReachabilityAnswer['failure']>;
}

/** How often each verdict occurs. */
export function countVerdicts(
  attacks: readonly DecidedAttack[],
): Readonly<Record<AttackVerdict, number>> {
  const count = { feasible: 0, infeasible: 0, 'by-cfg': 0, unknown: 0 };
  for (const { verdict } of attacks) count[verdict]++;
  return count;
}

/** How many attacks each stage settled; `undefined` if none tells. */
export function countStages(
  attacks: readonly DecidedAttack[],
): Readonly<Partial<Record<AttackStage, number>>> | undefined {
  const count: Partial<Record<AttackStage, number>> = {};
  for (const { settledBy } of attacks)
    if (settledBy) count[settledBy] = (count[settledBy] ?? 0) + 1;
  return Object.keys(count).length > 0 ? count : undefined;
}
