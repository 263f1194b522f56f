import { at } from '../../base/at.js';
import type { AttackVerdict, DecidedAttack } from '../../verdict/attack.js';
import type { DecidedEventAttack } from '../../verdict/event-check-result.js';
import { siteOf, type LoweredProgram } from './lowered-program.js';

/** What is found of one instance decides, whatever others say: the first of these. */
const strongest: readonly AttackVerdict[] = ['feasible', 'unknown', 'infeasible', 'by-cfg'];

/**
 * The attacks of the threads as attacks of the event program, in the order of the texts: a place in
 * a body stands for all its instances in the call trees. With `isPartial`, threads do only a part
 * of what the program does, so that only what is feasible is known.
 */
export function eventAttacks(
  lowered: LoweredProgram,
  attacks: readonly DecidedAttack[],
  isPartial: boolean,
): readonly DecidedEventAttack[] {
  const found = new Map<string, DecidedEventAttack>();
  for (const { attack, verdict: exact } of attacks) {
    const { thread } = attack;
    const store = siteOf(lowered, thread, attack.store);
    const site = siteOf(lowered, thread, attack.load);
    if (!store || !site) continue;
    const verdict = isPartial && exact !== 'feasible' ? 'unknown' : exact;
    const { kind } = at(at(lowered.meanings, thread), attack.load);
    const key = [store.body, store.transition, site.body, site.transition].join('.');
    const known = found.get(key)?.verdict ?? verdict;
    found.set(key, {
      store,
      end: { kind: kind === 'post' ? 'posting' : 'load', site },
      verdict: strongest.find((one) => one === known || one === verdict) ?? verdict,
    });
  }
  return [...found.values()].sort(
    (a, b) =>
      a.store.body - b.store.body ||
      a.store.transition - b.store.transition ||
      a.end.site.body - b.end.site.body ||
      a.end.site.transition - b.end.site.transition,
  );
}
