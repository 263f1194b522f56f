import type { Budget, Exhausted } from './budget.js';

/** What a search through finitely many nodes came to. */
export type Exploration = 'goal' | 'done' | { readonly exhausted: Exhausted };

/**
 * Goes through all nodes that `next` leads to from `starts`, each once by its `key`, and ends at a
 * node where it says `'goal'`. Nodes are counted as states.
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
