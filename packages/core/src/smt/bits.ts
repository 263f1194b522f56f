import { floorQuotient, floorRemainder, minus, plus, times } from './arithmetic.js';
import { integer, type Term } from './term.js';

/** Operators on the bits of integers in two's complement. */
export type BitOperator = '&' | '|' | '^' | '<<' | '>>';

/**
 * The term of an operator on bits where one operand is a number that makes it arithmetic: masks
 * `2^k - 1`, `2^k` and `-2^k`, and shifts by a number. Absent for others. It is exact for all
 * integers, negative ones in two's complement: SMT-LIB's `div` and `mod` by a positive number round
 * down. A shift to the left is a product, which may leave the 32 bits.
 */
export function bitTerm(operator: BitOperator, left: Term, right: Term): Term | undefined {
  if (operator === '<<' || operator === '>>') {
    if (right.kind !== 'integer') return undefined;
    // Other shifts are faults.
    if (right.value < 0 || right.value > 31) return undefined;
    const factor = 2 ** right.value;
    return operator === '<<' ? times(left, integer(factor)) : floorQuotient(left, factor);
  }
  const [other, mask] = right.kind === 'integer' ? [left, right] : [right, left];
  if (mask.kind !== 'integer') return undefined;
  const common = masked(other, mask.value);
  if (common === undefined) return undefined;
  switch (operator) {
    case '&':
      return common;
    case '|':
      return minus(plus(other, mask), common);
    case '^':
      return minus(plus(other, mask), times(integer(2), common));
  }
}

/** `term & mask` by arithmetic. */
function masked(term: Term, mask: number): Term | undefined {
  if (isPowerOfTwo(mask + 1)) return floorRemainder(term, mask + 1);
  if (isPowerOfTwo(mask)) return times(integer(mask), floorRemainder(floorQuotient(term, mask), 2));
  if (isPowerOfTwo(-mask)) return minus(term, floorRemainder(term, -mask));
  return undefined;
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && Number.isInteger(Math.log2(value));
}
