import { at } from '../base/at.js';
/**
 * Returns the number of letters to be changed, inserted, deleted or exchanged with their neighbour
 * to turn one name into another; numbers beyond `limit` count as `limit + 1`.
 */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: readonly number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(
        Math.min(
          substitution,
          at(row, j) + 1,
          at(next, j - 1) + 1,
          exchanged ? (before[j - 2] ?? 0) + 1 : limit + 1,
        ),
      );
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

/**
 * Finds the candidate with the spelling nearest to `name`; `undefined` if none is near (more than a
 * third of its letters differ, or all).
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (candidate === name) continue;
    const d = distance(name.toLowerCase(), candidate.toLowerCase(), limit);
    if (d < bestDistance && d < Math.max(name.length, candidate.length)) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}
