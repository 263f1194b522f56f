import { countAt, entriesOf, largestCount, type Marking, markingOf, omega } from './marking.js';
import type { Net } from './net.js';
import { type Spend, unwatched } from './watch.js';

/**
 * Weights of places whose weighted sum no rule raises, so that no reachable marking weighs more
 * than the initial marking.
 */
export interface Weight {
  readonly weights: Marking;
  /** The weighted sum of the initial marking; no reachable marking has a larger sum. */
  readonly bound: number | bigint;
}

/**
 * Returns the exact weight of a marking: a `bigint` beyond the range of exact numbers (numbers and
 * bigints can be compared); `omega` if a weighted place holds `omega`.
 */
export function weigh(weights: Marking, marking: Marking): number | bigint {
  let sum = 0;
  for (let i = 0; i < weights.length; i += 2) {
    const count = countAt(marking, weights[i]!);
    if (count === omega) return omega;
    sum += weights[i + 1]! * count;
  }
  // Nothing is negative, so a sum with intermediate rounding exceeds `largestCount`.
  if (sum <= largestCount) return sum;
  return entriesOf(weights).reduce(
    (total, [place, weight]) => total + BigInt(weight) * BigInt(countAt(marking, place)),
    0n,
  );
}

/** The maximum number of places of a net for which computing invariants saves time. */
const mostPlaces = 200;
/** The maximum number of rules of a net for which computing invariants saves time. */
const mostRules = 2_000;
/**
 * The maximum number of intermediate weights; beyond this number the computation of invariants is
 * abandoned.
 */
const mostRows = 2_000;

/** Whether no rule raises the sum of the weights. */
export function isNeverRaised({ rules }: Net, weights: Marking): boolean {
  return rules.every(({ pre, post }) => weigh(weights, post) <= weigh(weights, pre));
}

/**
 * Finds weights that are valid for the net and have a finite bound: among the net's claims, and
 * among its computed invariants.
 */
export function findWeights(net: Net, spend: Spend = unwatched): readonly Weight[] {
  return [...net.claims, ...computeInvariants(net, spend)]
    .filter((weights) => isNeverRaised(net, weights))
    .map((weights) => ({ weights, bound: weigh(weights, net.initial.marking) }))
    .filter(({ bound }) => bound < omega);
}

interface Row {
  readonly effects: readonly number[];
  readonly weights: readonly number[];
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/**
 * Adds multiples of two rows of Farkas' elimination so that column `at` of the sum is zero, in
 * lowest terms; `undefined` if numbers would be rounded.
 */
function combine(plus: Row, minus: Row, at: number): Row | undefined {
  const [a, b] = [-minus.effects[at]!, plus.effects[at]!];
  const isExact = (value: number, other: number): boolean =>
    [a * value, b * other, a * value + b * other].every((n) => Math.abs(n) <= largestCount);
  if (
    !plus.effects.every((value, i) => isExact(value, minus.effects[i]!)) ||
    !plus.weights.every((value, i) => isExact(value, minus.weights[i]!))
  )
    return undefined;
  const effects = plus.effects.map((value, i) => a * value + b * minus.effects[i]!);
  const weights = plus.weights.map((value, i) => a * value + b * minus.weights[i]!);
  const divisor = [...effects, ...weights].reduce(
    (gcd, value) => greatestDivisor(gcd, Math.abs(value)),
    0,
  );
  return divisor <= 1
    ? { effects, weights }
    : { effects: effects.map((v) => v / divisor), weights: weights.map((v) => v / divisor) };
}

/** Whether all places with a weight in `a` have a weight in `b`. */
function isWithin(a: Row, b: Row): boolean {
  return a.weights.every((weight, i) => weight === 0 || b.weights[i] !== 0);
}

/**
 * Computes weights of places whose weighted sum every rule leaves unchanged (P-invariants without
 * negative entries, of least support): by Farkas' elimination, rule by rule. Returns none if the
 * intermediate invariants become too many. Source: [CS91].
 */
export function computeInvariants(
  { places, rules }: Net,
  spend: Spend = unwatched,
): readonly Marking[] {
  if (places.length > mostPlaces || rules.length > mostRules) return [];
  let rows: readonly Row[] = places.map((_, place) => ({
    effects: rules.map(({ pre, post }) => countAt(post, place) - countAt(pre, place)),
    weights: places.map((__, other) => (other === place ? 1 : 0)),
  }));
  for (let at = 0; at < rules.length; at++) {
    const zero = rows.filter(({ effects }) => effects[at] === 0);
    const plus = rows.filter(({ effects }) => effects[at]! > 0);
    const minus = rows.filter(({ effects }) => effects[at]! < 0);
    if (plus.length * minus.length + zero.length > mostRows) return [];
    spend(plus.length * minus.length * (places.length + rules.length));
    const mixed = plus.flatMap((a) => minus.flatMap((b) => combine(a, b, at) ?? []));
    const all = [...zero, ...mixed];
    rows = all.filter((row, i) => {
      spend(all.length);
      return !all.some(
        (other, j) => i !== j && isWithin(other, row) && (!isWithin(row, other) || j < i),
      );
    });
  }
  return rows.map(({ weights }) => markingOf(weights.entries()));
}

/** Formats weights as a formula: `x0 + 2 x1`. */
export function weightsText({ places }: Net, weights: Marking): string {
  return entriesOf(weights)
    .map(([place, weight]) => `${weight === 1 ? '' : `${weight} `}${places[place] ?? place}`)
    .join(' + ');
}
