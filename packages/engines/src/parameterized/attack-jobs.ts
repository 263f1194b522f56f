import { enumerateAttacks, isInfeasibleByControlFlow } from '../robustness/attacks.js';
import { type BlockedSteps, nothingBlocked } from '../automata/attacker-automaton.js';
import type { TransitionId } from '@fencewright/model/program/ids.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { AttackJob } from './attack-system.js';
import type { TemplateAutomata } from './template-automata.js';

/**
 * Returns all attacks of the templates ([BDM13] Sect. 6: attacks are enumerated per template) and,
 * as `open`, those that control flow does not refute.
 */
export function attacksOfTemplates({ program }: TemplateAutomata): {
  readonly all: readonly Attack[];
  readonly open: readonly Attack[];
} {
  const { templates } = program;
  const all = enumerateAttacks(templates);
  return { all, open: all.filter((attack) => !isInfeasibleByControlFlow(templates, attack)) };
}

/**
 * Returns a job for each class of threads (threads with equal code), with the attacks of the class.
 * Attacks of different threads with equal code become one attack. `blockedOf` returns the steps at
 * which a repair keeps the threads of a class from delaying stores.
 */
export function toJobs(
  { classOf }: TemplateAutomata,
  attacks: readonly Attack[],
  blockedOf: (own: number) => BlockedSteps = () => nothingBlocked,
): readonly AttackJob[] {
  const jobs = new Map<number, Map<TransitionId, Set<TransitionId>>>();
  for (const { thread, store, load } of attacks) {
    const own = classOf[thread]!;
    const open = jobs.get(own) ?? new Map<TransitionId, Set<TransitionId>>();
    jobs.set(own, open);
    open.set(store, (open.get(store) ?? new Set<TransitionId>()).add(load));
  }
  return [...jobs].map(([own, open]) => ({ class: own, open, blocked: blockedOf(own) }));
}
