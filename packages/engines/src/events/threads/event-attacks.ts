import { at } from '@fencewright/ground/base/at.js';
import type { Attack, AttackVerdict, DecidedAttack } from '@fencewright/model/verdict/attack.js';
import type {
  DecidedEventAttack,
  EventAttack,
} from '@fencewright/model/verdict/event-check-result.js';
import { siteOf, type LoweredProgram } from './lowered-program.js';

/**
 * The verdicts on attacks, strongest first. An attack of the event program has the strongest of the
 * verdicts on its instances in the call trees.
 */
const strongest: readonly AttackVerdict[] = ['feasible', 'unknown', 'infeasible', 'by-cfg'];

/**
 * Returns the attack of the event program, given by places in the text, to which an attack of the
 * threads belongs; `undefined` if the instructions of the attack are at no place in the text.
 */
export function eventAttackOf(
  lowered: LoweredProgram,
  { thread, store: delayed, load }: Attack,
): EventAttack | undefined {
  const store = siteOf(lowered, thread, delayed);
  const site = siteOf(lowered, thread, load);
  if (!store || !site) return undefined;
  const { kind } = at(at(lowered.meanings, thread), load);
  // Inside of an instruction only the passing of a milestone can overtake a store.
  const ends = kind === 'post' ? 'posting' : kind === 'inside' ? 'milestone' : 'load';
  return { store, end: { kind: ends, site } };
}

/**
 * Converts attacks of the threads into attacks of the event program, in the order of the texts: a
 * place in a body represents all its instances in the call trees. `isPartial` says that the threads
 * cover only a part of the program, so that only feasibility is certain.
 */
export function eventAttacks(
  lowered: LoweredProgram,
  attacks: readonly DecidedAttack[],
  isPartial: boolean,
): readonly DecidedEventAttack[] {
  const found = new Map<string, DecidedEventAttack>();
  for (const { attack, verdict: exact } of attacks) {
    const own = eventAttackOf(lowered, attack);
    if (!own) continue;
    const { store, end } = own;
    const verdict = isPartial && exact !== 'feasible' ? 'unknown' : exact;
    const key = [store.body, store.transition, end.site.body, end.site.transition].join('.');
    const known = found.get(key)?.verdict ?? verdict;
    found.set(key, {
      ...own,
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
