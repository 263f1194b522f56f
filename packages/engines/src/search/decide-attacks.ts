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

/** What a search has found out about the attacks of one thread. */
interface ThreadFindings {
  /** Their threads do not count. */
  readonly feasible: readonly FoundAttack[];
  /** What is true of the others that control flow allows; absent where they were not tried. */
  readonly others: AttackVerdict | undefined;
  /** What has refuted an attack without a search; its thread does not count. */
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
 * The attacks of a program with their verdicts, in the order of the program; those that were not
 * tried are left out.
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
        const its = settle(attack, undrained(load), ends?.get(load), findings);
        if (its) decided.push({ attack, ...its });
      }
    }
  }
  return decided;
}
