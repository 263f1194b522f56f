import { type BinaryOperator, type UnaryOperator, conversions } from '../program/expression.js';
import { applyUnary } from '../program/evaluate.js';
import { integerOfValue } from '../program/wide-values.js';

/**
 * A set of numbers given by the lower `bits` bits: all numbers whose lower bits equal one of the
 * `ends`. For example, a word whose lower bits hold a pointer or an index, and whose upper bits
 * hold a tag that counts.
 */
export interface Ends {
  readonly kind: 'ends';
  /** The number of lower bits that are known, at most 48. */
  readonly bits: number;
  /**
   * The possible values of the lower bits, as numbers from 0 on; not empty, distinct, in ascending
   * order.
   */
  readonly ends: readonly number[];
}

/** A superset of the possible values: a list, a set given by lower bits, or `any`. */
export type RoughSet = readonly number[] | Ends | 'any';

/** The maximum number of different lower bits (`ends`) in a set; for more, fewer bits are kept. */
const mostEnds = 64;

const mostBits = 48;
/** The numbers of lower bits that are tried when a set has too many numbers to be listed. */
const widths = [mostBits, 40, 32, 28, 24, 20, 16, 12, 8] as const;

export function isEnds(set: RoughSet): set is Ends {
  return set !== 'any' && 'kind' in set;
}

export function isEmpty(set: RoughSet): boolean {
  return set !== 'any' && !isEnds(set) && set.length === 0;
}

function lowerBits(value: number, bits: number): number {
  if (Number.isSafeInteger(value)) {
    const size = 2 ** bits;
    return ((value % size) + size) % size;
  }
  return Number(BigInt.asUintN(bits, integerOfValue(value)));
}

/**
 * Returns the possible values of the lower `bits` bits of the numbers in the set; `undefined` if
 * unknown.
 */
function endsOf(set: RoughSet, bits: number): ReadonlySet<number> | undefined {
  if (set === 'any') return undefined;
  if (!isEnds(set)) return new Set(set.map((value) => lowerBits(value, bits)));
  if (set.bits < bits) return undefined;
  return new Set(set.ends.map((end) => lowerBits(end, bits)));
}

function toEnds(ends: Iterable<number>, bits: number): RoughSet {
  const distinct = [...new Set(ends)].sort((a, b) => a - b);
  if (bits <= 0 || distinct.length > mostEnds || distinct.length >= 2 ** bits) return 'any';
  return { kind: 'ends', bits, ends: distinct };
}

/** Returns the numbers of the list whose lower bits equal one of the ends. */
export function withEnds(numbers: readonly number[], { bits, ends }: Ends): readonly number[] {
  return numbers.filter((number) => ends.includes(lowerBits(number, bits)));
}

/** Whether the lower bits of every number of the set are among the ends; `false` if unknown. */
export function coversEnds({ bits, ends }: Ends, set: RoughSet): boolean {
  const others = endsOf(set, bits);
  return others !== undefined && [...others].every((end) => ends.includes(end));
}

/**
 * The union of the ends of two sets, with the largest number of bits for which there are not too
 * many ends.
 */
export function joinedEnds(one: RoughSet, other: RoughSet): RoughSet {
  for (const bits of widthsOf(one, other)) {
    const [a, b] = [endsOf(one, bits), endsOf(other, bits)];
    const joined = a && b ? toEnds([...a, ...b], bits) : 'any';
    if (joined !== 'any') return joined;
  }
  return 'any';
}

/**
 * Approximates a set that has grown from `known` to `grown` by its ends, with the most bits for
 * which the ends are the same as before or else at most half as many as the numbers. A `grown`
 * given by ends is returned unchanged: its growth stops at the latest when no bits are left.
 */
export function widened(known: RoughSet, grown: RoughSet): RoughSet {
  if (grown === 'any' || isEnds(grown)) return grown;
  const found = widths.map((bits) => ({
    bits,
    before: endsOf(known, bits),
    after: endsOf(grown, bits) ?? new Set<number>(),
  }));
  const steady = found.find(
    ({ before, after }) => before && [...after].every((end) => before.has(end)),
  );
  const chosen = steady ?? found.find(({ after }) => 2 * after.size <= grown.length);
  return chosen ? toEnds(chosen.after, chosen.bits) : 'any';
}

function widthsOf(one: RoughSet, other: RoughSet): readonly number[] {
  const own = [one, other].flatMap((set) => (isEnds(set) ? [set.bits] : []));
  const most = Math.min(mostBits, ...own);
  return [...new Set([most, ...widths.filter((width) => width <= most)])];
}

/** The number of lower bits of an operator's result that the operands' lower bits determine. */
function bitsOfResult(operator: string): number {
  return operator.endsWith('%') && !operator.includes(':') ? 32 : mostBits;
}

/**
 * The result of a binary operator if an operand is known only by its lower bits; `any` if nothing
 * is known.
 */
export function applyToEnds(operator: BinaryOperator, left: RoughSet, right: RoughSet): RoughSet {
  const plain = operator.replaceAll(/[:%]/g, '');
  if (plain === '<<' || plain === '>>') return shifted(operator, plain, left, right);
  if (operator === '&') {
    const masked = maskedEnds(left, right) ?? maskedEnds(right, left);
    if (masked) return masked;
  }
  const apply = operations[plain === '' ? operator : plain];
  if (!apply) return 'any';
  const known = [left, right].map((set) => (set === 'any' ? 0 : isEnds(set) ? set.bits : mostBits));
  const bits = Math.min(bitsOfResult(operator), ...known);
  const [a, b] = [endsOf(left, bits), endsOf(right, bits)];
  if (!a || !b || bits === 0) return 'any';
  return toEnds(
    [...a].flatMap((x) =>
      [...b].map((y) => Number(BigInt.asUintN(bits, apply(BigInt(x), BigInt(y))))),
    ),
    bits,
  );
}

const operations: Partial<Readonly<Record<string, (a: bigint, b: bigint) => bigint>>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
};

/**
 * The results of a bitwise `&` of the set with the masks; `undefined` if a mask has bits that are
 * unknown in the set.
 */
function maskedEnds(set: RoughSet, masks: RoughSet): readonly number[] | undefined {
  if (!isEnds(set) || masks === 'any' || isEnds(masks)) return undefined;
  const most = 2n ** BigInt(set.bits);
  const wide = masks.map((mask) => integerOfValue(mask));
  if (wide.some((mask) => mask < 0n || mask >= most)) return undefined;
  const values = set.ends.flatMap((end) => wide.map((mask) => Number(BigInt(end) & mask)));
  return [...new Set(values)].sort((a, b) => a - b);
}

function shifted(operator: string, plain: '<<' | '>>', set: RoughSet, by: RoughSet): RoughSet {
  if (by === 'any' || isEnds(by) || by.length !== 1) return 'any';
  const [distance = 0] = by;
  if (!Number.isInteger(distance) || distance < 0 || distance > 63) return 'any';
  const known = isEnds(set) ? set : ({ bits: 0, ends: [0] } as const);
  if (set !== 'any' && !isEnds(set)) return 'any';
  if (plain === '>>') {
    const bits = Math.min(known.bits, bitsOfResult(operator)) - distance;
    if (bits <= 0) return 'any';
    return toEnds(
      known.ends.map((end) => Number(BigInt.asUintN(bits, BigInt(end) >> BigInt(distance)))),
      bits,
    );
  }
  const bits = Math.min(bitsOfResult(operator), known.bits + distance);
  return toEnds(
    known.ends.map((end) => Number(BigInt.asUintN(bits, BigInt(end) << BigInt(distance)))),
    bits,
  );
}

/**
 * The result of a unary operator on an operand known only by its lower bits; `any` if nothing is
 * known.
 */
export function applyUnaryToEnds(operator: UnaryOperator, { bits, ends }: Ends): RoughSet {
  switch (operator) {
    case '!':
      return 'any';
    case '-':
    case '~': {
      const apply = (end: bigint): bigint => (operator === '-' ? -end : ~end);
      return toEnds(
        ends.map((end) => Number(BigInt.asUintN(bits, apply(BigInt(end))))),
        bits,
      );
    }
    default: {
      const { bits: width } = conversions[operator];
      if (width > bits) return toEnds(ends, bits);
      const values = ends.map((end) => applyUnary(operator, end));
      return [...new Set(values)].sort((a, b) => a - b);
    }
  }
}
