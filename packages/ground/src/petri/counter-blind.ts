import type { CounterSystem, Rule } from './counter-system.js';
import { entriesOf } from './marking.js';
import type { NetRule } from './net.js';
import { type Spend, unwatched } from './watch.js';

/** The number of units of work that creating a rule counts for. */
const workPerRule = 20;

/**
 * An over-approximation of the behaviour of a counter system: every place that may ever have a
 * token is treated as if it had arbitrarily many.
 */
interface CounterBlind {
  /** For each control of the counter system, the places that may have tokens. */
  readonly populated: ReadonlyMap<number, ReadonlySet<number>>;
  /**
   * All rules that may ever fire, without duplicates, with the control from which they fire as
   * `from`.
   */
  readonly rules: readonly (NetRule & { readonly origin: Rule })[];
  /** Whether a target of the counter system may be covered; `false` is certain. */
  readonly isTargetPossible: boolean;
}

/**
 * Computes an over-approximation of a system that ignores token counts. Always terminates for
 * finite systems, finds all rules that may ever fire, and shows that targets cannot be covered if
 * this needs no counting. `undefined` if there are more than `mostRules` rules.
 */
export function computeCounterBlind(
  system: CounterSystem,
  mostRules = Number.POSITIVE_INFINITY,
  spend: Spend = unwatched,
): CounterBlind | undefined {
  const populated = new Map<number, Set<number>>();
  const rules: (NetRule & { readonly origin: Rule })[] = [];
  const seen = new Set<number>();
  const pending: number[] = [];
  const isPending = new Set<number>();
  const populate = (control: number, places: Iterable<number>): void => {
    const known = populated.get(control);
    const here = known ?? new Set<number>();
    populated.set(control, here);
    const before = here.size;
    for (const place of places) here.add(place);
    if ((known && here.size === before) || isPending.has(control)) return;
    isPending.add(control);
    pending.push(control);
  };
  populate(
    system.initial.control,
    entriesOf(system.initial.marking).map(([place]) => place),
  );
  for (let control = pending.pop(); control !== undefined; control = pending.pop()) {
    isPending.delete(control);
    const here = populated.get(control)!;
    for (const place of [-1, ...here])
      for (const rule of system.rules(control, place)) {
        // Rules may be created on access.
        spend(workPerRule);
        if (!entriesOf(rule.pre).every(([taken]) => here.has(taken))) continue;
        if (!seen.has(rule.id)) {
          seen.add(rule.id);
          rules.push({ ...rule, from: control, origin: rule });
          if (rules.length > mostRules) return undefined;
        }
        populate(rule.to, [...here, ...entriesOf(rule.post).map(([given]) => given)]);
      }
  }
  const isTargetPossible = [...populated].some(([control, here]) =>
    system.targets(control).some((target) => entriesOf(target).every(([place]) => here.has(place))),
  );
  return { populated, rules, isTargetPossible };
}
