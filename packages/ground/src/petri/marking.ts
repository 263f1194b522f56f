/** The number of tokens that means arbitrarily many. */
export const omega = Number.POSITIVE_INFINITY;

/**
 * The largest count that is exact, 2^53 - 1. Operations with larger results throw `TooManyTokens`.
 */
export const largestCount = Number.MAX_SAFE_INTEGER;

/** Thrown if a count would exceed `largestCount`; caught where the search can be abandoned. */
export class TooManyTokens extends Error {}

/**
 * Returns the count if it is exact, and throws `TooManyTokens` otherwise: sums of two counts are
 * rounded only beyond `largestCount`.
 */
function exact(count: number): number {
  if (count > largestCount && count !== omega) throw new TooManyTokens();
  return count;
}

/**
 * The tokens on places, as a flat list of pairs of a place and its count, ascending by place,
 * without zeros. A count may be `omega`. Immutable.
 */
export type Marking = Float64Array;

export const emptyMarking: Marking = new Float64Array(0);

/**
 * Returns the marking with these counts; places may be given in any order and more than once
 * (counts add up). Throws `TooManyTokens`.
 */
export function markingOf(counts: Iterable<readonly [place: number, count: number]>): Marking {
  const sums = new Map<number, number>();
  for (const [place, count] of counts) {
    sums.set(place, exact((sums.get(place) ?? 0) + count));
  }
  const pairs = [...sums].filter(([, count]) => count !== 0).sort(([a], [b]) => a - b);
  return Float64Array.from(pairs.flat());
}

/** Returns the pairs of a place and its count. */
export function entriesOf(marking: Marking): (readonly [place: number, count: number])[] {
  const entries: (readonly [number, number])[] = [];
  for (let i = 0; i < marking.length; i += 2) entries.push([marking[i]!, marking[i + 1]!]);
  return entries;
}

/** Returns the number of tokens on a place. */
export function countAt(marking: Marking, place: number): number {
  let low = 0;
  let high = marking.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marking[2 * middle]! < place) low = middle + 1;
    else high = middle;
  }
  return marking[2 * low] === place ? marking[2 * low + 1]! : 0;
}

/** Estimated bytes of a marking: for small arrays of numbers mostly overhead. */
export function bytesOf(marking: Marking): number {
  return 8 * marking.length + 200;
}

/** Whether `small` has at most as many tokens as `large` on every place. */
export function isCovered(small: Marking, large: Marking): boolean {
  if (small.length > large.length) return false;
  let j = 0;
  for (let i = 0; i < small.length; i += 2) {
    const place = small[i]!;
    while (j < large.length && large[j]! < place) j += 2;
    if (j >= large.length || large[j] !== place || small[i + 1]! > large[j + 1]!) return false;
    j += 2;
  }
  return true;
}

/**
 * Returns a set of bits for quick comparisons: each marked place has a bit, which several places
 * may share. If `a` has a bit that `b` lacks, `b` does not cover `a`.
 */
export function signatureOf(marking: Marking): number {
  let bits = 0;
  for (let i = 0; i < marking.length; i += 2) bits |= 1 << (marking[i]! & 31);
  return bits;
}

/** The number of places with `omega`. */
export function countOmegas(marking: Marking): number {
  let count = 0;
  for (let i = 1; i < marking.length; i += 2) if (marking[i] === omega) count += 1;
  return count;
}

/**
 * Returns `marking - taken + given`; places with fewer tokens than `taken` count as having exactly
 * `taken`. Throws `TooManyTokens`.
 */
function exchange(marking: Marking, taken: Marking, given: Marking): Marking {
  const result = new Float64Array(marking.length + taken.length + given.length);
  let [i, j, k, n] = [0, 0, 0, 0];
  for (;;) {
    const next = Math.min(marking[i] ?? omega, taken[j] ?? omega, given[k] ?? omega);
    if (next === omega) break;
    let count = 0;
    if (marking[i] === next) count = marking[(i += 2) - 1]!;
    if (taken[j] === next) {
      const less = taken[(j += 2) - 1]!;
      if (count !== omega) count = Math.max(count - less, 0);
    }
    if (given[k] === next) {
      const more = given[(k += 2) - 1]!;
      count = exact(count + more);
    }
    if (count === 0) continue;
    result[n++] = next;
    result[n++] = count;
  }
  return result.slice(0, n);
}

/** Returns the marking after taking `pre` and adding `post`; the given marking must cover `pre`. */
export function fire(marking: Marking, pre: Marking, post: Marking): Marking {
  return exchange(marking, pre, post);
}

/**
 * Returns the smallest marking that covers `pre` and leads, by taking `pre` and adding `post`, to a
 * marking that covers the given one.
 */
export function unfire(marking: Marking, pre: Marking, post: Marking): Marking {
  return exchange(marking, post, pre);
}
