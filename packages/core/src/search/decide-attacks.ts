import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import { attacksByStore } from '../robustness/attacks.js';
import type { Attack, AttackVerdict, DecidedAttack } from '../verdict/attack.js';

/** What a search has found out about the attacks of one thread. */
export interface ThreadFindings {
  /** Their threads do not count. */
  readonly feasible: readonly Attack[];
  /** What is true of the others that control flow allows; absent where they were not tried. */
  readonly others: AttackVerdict | undefined;
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
    const { feasible, others } = findingsOf(thread);
    const known = new Map<TransitionId, Set<TransitionId>>();
    for (const { store, load } of feasible)
      known.set(store, (known.get(store) ?? new Set<TransitionId>()).add(load));
    for (const { store, loads, undrained } of attacksByStore(program, thread)) {
      const ends = known.get(store);
      for (const load of loads) {
        const verdict = !undrained(load) ? 'by-cfg' : ends?.has(load) ? 'feasible' : others;
        if (verdict) decided.push({ attack: { thread, store, load }, verdict });
      }
    }
  }
  return decided;
}
