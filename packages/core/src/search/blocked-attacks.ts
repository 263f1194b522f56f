import { computeControlFlow, computeReachableAvoiding } from '../analysis/control-flow.js';
import type { Program } from '../program/program.js';
import type { Attack } from '../verdict/attack.js';
import { isDraining, type BlockedSteps } from './attacker-automaton.js';

/** Whether every control-flow path from the attack's store to its load drains the store buffer, by itself or by a repair. */
export function isInfeasibleWhenBlocked(
  program: Program,
  attack: Attack,
  blocked: BlockedSteps,
): boolean {
  const thread = program.threads[attack.thread];
  const store = thread?.transitions[attack.store];
  const load = thread?.transitions[attack.load];
  if (!thread || !store || !load) return true;
  if (blocked.transitions.has(attack.store) || blocked.locations.has(load.from)) return true;
  const undrained = computeReachableAvoiding(
    thread,
    computeControlFlow(thread),
    store.to,
    (transition, id) => isDraining(blocked, transition, id),
  );
  return undrained[load.from] !== true;
}
