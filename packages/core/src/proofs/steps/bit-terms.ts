import type { BinaryOperator } from '../../program/expression.js';

/**
 * The term of an operator on bits where one operand is a number that makes it arithmetic: masks `2^k - 1`, `2^k` and `-2^k`, and shifts by a
 * number. Absent for others. It is exact for all integers of 32 bits, negative ones in two's complement: SMT-LIB's `div` and `mod` by a positive
 * number round down. Operands are terms.
 */
export function bitTerm(operator: BinaryOperator, left: string, right: string): string | undefined {
  if (operator === '<<' || operator === '>>') {
    const places = numberOf(right);
    // Other shifts are faults.
    if (places === undefined || places < 0 || places > 31) return undefined;
    return operator === '<<' ? `(* ${left} ${2 ** places})` : `(div ${left} ${2 ** places})`;
  }
  const mask = numberOf(right) ?? numberOf(left);
  if (mask === undefined) return undefined;
  const other = numberOf(right) === undefined ? right : left;
  const common = maskedTerm(other, mask);
  if (common === undefined) return undefined;
  const number = mask < 0 ? `(- ${-mask})` : String(mask);
  switch (operator) {
    case '&':
      return common;
    case '|':
      return `(- (+ ${other} ${number}) ${common})`;
    case '^':
      return `(- (+ ${other} ${number}) (* 2 ${common}))`;
    default:
      return undefined;
  }
}

/** `term & mask` by arithmetic. */
function maskedTerm(term: string, mask: number): string | undefined {
  if (isPowerOfTwo(mask + 1)) return `(mod ${term} ${mask + 1})`;
  if (isPowerOfTwo(mask)) return `(* ${mask} (mod (div ${term} ${mask}) 2))`;
  if (isPowerOfTwo(-mask)) return `(- ${term} (mod ${term} ${-mask}))`;
  return undefined;
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && Number.isInteger(Math.log2(value));
}

/** The number that a term is; absent for other terms. */
function numberOf(term: string): number | undefined {
  const match = /^(?:(\d+)|\(- (\d+)\))$/.exec(term);
  if (!match) return undefined;
  return match[1] === undefined ? -Number(match[2]) : Number(match[1]);
}
