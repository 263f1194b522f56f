import {
  type ControlFlow,
  computeControlFlow,
  computeReachableAvoiding,
} from '../analysis/control-flow.js';
import type { ThreadId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import type { Attack } from '../verdict/attack.js';
import { isDraining, type BlockedSteps } from './attacker-automaton.js';

/** The attacks whose load some control-flow path from the store reaches without draining the store buffer, by itself or by a repair. */
export function openWhenBlocked(
  { threads }: Program,
  attacks: readonly Attack[],
  blocked: BlockedSteps,
): readonly Attack[] {
  const flows = new Map<ThreadId, ControlFlow>();
  const undrainedBehind = new Map<string, readonly boolean[]>();
  return attacks.filter(({ thread: t, store, load }) => {
    const thread = threads[t];
    const [stores, loads] = [thread?.transitions[store], thread?.transitions[load]];
    if (!thread || !stores || !loads) return false;
    if (blocked.transitions.has(store) || blocked.locations.has(loads.from)) return false;
    const flow = flows.get(t) ?? computeControlFlow(thread);
    flows.set(t, flow);
    const key = `${t} ${stores.to}`;
    const undrained =
      undrainedBehind.get(key) ??
      computeReachableAvoiding(thread, flow, stores.to, (transition, id) =>
        isDraining(blocked, transition, id),
      );
    undrainedBehind.set(key, undrained);
    return undrained[loads.from] === true;
  });
}
