import type { Budget, Exhausted } from './budget.js';

/** The outcome of a search through finitely many nodes. */
export type Exploration = 'goal' | 'done' | { readonly exhausted: Exhausted };

/**
 * Visits all nodes reachable by `next` from `starts`, nodes with equal `key` once, and ends at a
 * node for which `next` returns `'goal'`. Nodes count as states of the budget.
 */
export function explore<T>(
  starts: readonly T[],
  key: (node: T) => string,
  next: (node: T) => readonly T[] | 'goal',
  budget: Budget,
  seen = new Set<string>(),
): Exploration {
  const open: T[] = [];
  let exhausted = budget.spend();
  const add = (node: T): void => {
    const name = key(node);
    if (seen.has(name)) return;
    seen.add(name);
    open.push(node);
    exhausted ??= budget.spend(1);
  };
  starts.forEach(add);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (exhausted !== undefined) return { exhausted };
    const after = next(node);
    if (after === 'goal') return 'goal';
    after.forEach(add);
  }
  return exhausted === undefined ? 'done' : { exhausted };
}
