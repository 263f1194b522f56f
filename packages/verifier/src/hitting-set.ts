import type { Budget } from './budget.js';

const mostNodes = 2_000_000;

/** Whether the set `a` is a subset of `b`. */
function isPart(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size <= b.size && [...a].every((item) => b.has(item));
}

/**
 * Whether some set of items has an item of every clause and costs less than `cost`; `undefined` if
 * the search took too long. Branch and bound: the search takes the smallest clause of which no item
 * is chosen, and tries each item of the clause. A lower bound on the remaining cost is the sum of
 * the cheapest items of clauses that share no item.
 */
export function hasCheaperSet(
  costs: readonly bigint[],
  clauses: readonly (readonly number[])[],
  cost: bigint,
  budget: Budget,
): boolean | undefined {
  const sets = clauses.map((clause) => new Set(clause));
  // A clause that contains a smaller clause is met whenever the smaller clause is.
  const minimal = sets.filter(
    (set, i) =>
      !sets.some((other, j) => j !== i && isPart(other, set) && (!isPart(set, other) || j < i)),
  );
  let nodes = 0;
  const cheapest = (items: Iterable<number>): bigint => {
    let least: bigint | undefined;
    for (const item of items) if (least === undefined || costs[item]! < least) least = costs[item]!;
    return least ?? cost;
  };
  const search = (open: readonly ReadonlySet<number>[], spent: bigint): boolean | undefined => {
    if (spent >= cost) return false;
    const ordered = [...open].sort((a, b) => a.size - b.size);
    const [first] = ordered;
    if (!first) return true;
    if (first.size === 0) return false;
    let bound = spent;
    const paid = new Set<number>();
    for (const clause of ordered) {
      if ([...clause].some((item) => paid.has(item))) continue;
      bound += cheapest(clause);
      for (const item of clause) paid.add(item);
    }
    if (bound >= cost) return false;
    if (++nodes > mostNodes || budget.spend() !== undefined) return undefined;
    // Tries sets with the first item, then sets without the first but with the second, and so on.
    const without = new Set<number>();
    for (const item of first) {
      const rest = ordered
        .filter((clause) => !clause.has(item))
        .map((clause) => new Set([...clause].filter((other) => !without.has(other))));
      const found = search(rest, spent + costs[item]!);
      if (found !== false) return found;
      without.add(item);
    }
    return false;
  };
  return search(minimal, 0n);
}
