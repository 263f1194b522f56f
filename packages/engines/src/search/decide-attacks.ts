import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { attacksByStore } from '../robustness/attacks.js';
import type {
  Attack,
  AttackStage,
  AttackVerdict,
  DecidedAttack,
} from '@fencewright/model/verdict/attack.js';
import type { FoundAttack } from './round-outcome.js';

/**
 * The findings of a search about the attacks of one thread. The search may have looked at another
 * thread with equal code.
 */
interface ThreadFindings {
  /**
   * The feasible attacks of the thread. The attack in an entry may be given for another thread with
   * equal code.
   */
  readonly feasible: readonly FoundAttack[];
  /**
   * One verdict for all attacks of the thread that control flow allows and that were not found to
   * be feasible; absent if these attacks were not tried.
   */
  readonly others: AttackVerdict | undefined;
  /**
   * Returns the stage (the method without a full search) that refuted an attack; `undefined` if
   * none did. The attack's `thread` may be another thread with equal code.
   */
  readonly refutedBy?: (attack: Attack) => AttackStage | undefined;
}

function settle(
  attack: Attack,
  isUndrained: boolean,
  foundBy: AttackStage | undefined,
  { others, refutedBy }: ThreadFindings,
): Omit<DecidedAttack, 'attack'> | undefined {
  if (!isUndrained) return { verdict: 'by-cfg', settledBy: 'control-flow' };
  if (foundBy) return { verdict: 'feasible', settledBy: foundBy };
  const stage = refutedBy?.(attack);
  if (stage) return { verdict: 'infeasible', settledBy: stage };
  if (others === 'infeasible') return { verdict: others, settledBy: 'search' };
  return others && { verdict: others };
}

/**
 * Returns the attacks of a program with verdicts, in program order; attacks that were not tried are
 * left out.
 */
export function decideAttacks(
  program: Program,
  findingsOf: (thread: ThreadId) => ThreadFindings,
): DecidedAttack[] {
  const decided: DecidedAttack[] = [];
  for (const thread of program.threads.keys()) {
    const findings = findingsOf(thread);
    const known = new Map<TransitionId, Map<TransitionId, AttackStage>>();
    for (const { attack, settledBy } of findings.feasible) {
      const ends = known.get(attack.store) ?? new Map<TransitionId, AttackStage>();
      known.set(attack.store, ends.set(attack.load, settledBy));
    }
    for (const { store, loads, undrained } of attacksByStore(program, thread)) {
      const ends = known.get(store);
      for (const load of loads) {
        const attack = { thread, store, load };
        const decision = settle(attack, undrained(load), ends?.get(load), findings);
        if (decision) decided.push({ attack, ...decision });
      }
    }
  }
  return decided;
}
