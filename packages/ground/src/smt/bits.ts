import { floorQuotient, floorRemainder, less, minus, plus, times } from './arithmetic.js';
import { integer, not, type Term } from './term.js';

/** Operators on the bits of integers in two's complement. */
export type BitOperator = '&' | '|' | '^' | '<<' | '>>';

/**
 * The term of a bit operator if one operand is a number that makes the operation arithmetic: masks
 * `2^k - 1`, `2^k` and `-2^k`, and shifts by a number; otherwise `undefined`. Exact for all
 * integers, negative integers in two's complement: SMT-LIB's `div` and `mod` by a positive number
 * round down. A left shift is a product, and may exceed 32 bits.
 */
export function bitTerm(operator: BitOperator, left: Term, right: Term): Term | undefined {
  if (operator === '<<' || operator === '>>') {
    if (right.kind !== 'integer') return undefined;
    // A shift by a number outside 0 to 31 is a fault.
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

/** The term for `term & mask` by arithmetic; `undefined` if the mask does not allow this. */
function masked(term: Term, mask: number): Term | undefined {
  if (isPowerOfTwo(mask + 1)) return residue(term, mask + 1);
  if (isPowerOfTwo(mask)) return times(integer(mask), floorRemainder(floorQuotient(term, mask), 2));
  if (isPowerOfTwo(-mask)) return minus(term, floorRemainder(term, -mask));
  return undefined;
}

/**
 * Returns a term that equals the given term modulo `modulus`, a power of two, and that has no
 * redundant inner remainders: solvers handle nested remainders badly.
 */
function congruent(term: Term, modulus: number): Term {
  if (term.kind !== 'apply' || term.operands.length !== 2) return term;
  const [a, b] = term.operands as readonly [Term, Term];
  switch (term.operator) {
    case 'mod':
      return b.kind === 'integer' && b.value > 0 && b.value % modulus === 0
        ? congruent(a, modulus)
        : term;
    case '+':
      return plus(congruent(a, modulus), congruent(b, modulus));
    case '-':
      return minus(congruent(a, modulus), congruent(b, modulus));
    case '*':
      return times(congruent(a, modulus), congruent(b, modulus));
    default:
      return term;
  }
}

/** The term for the remainder in 0 to `modulus - 1`; `modulus` is a power of two. */
function residue(term: Term, modulus: number): Term {
  return floorRemainder(congruent(term, modulus), modulus);
}

/** A type of integers: their number of bits, and whether the first bit is a sign. */
interface IntegerType {
  readonly bits: number;
  readonly isSigned: boolean;
}

/**
 * Returns the term for the number of type `IntegerType` that equals the given term modulo 2^`bits`.
 * Exact for all integers.
 */
export function wrappedTerm(term: Term, { bits, isSigned }: IntegerType): Term {
  const all = 2 ** bits;
  if (!isSigned) return residue(term, all);
  const half = integer(all / 2);
  return minus(residue(plus(term, half), all), half);
}

const word: IntegerType = { bits: 32, isSigned: true };

/** The term for the unsigned integer that has the 32 bits of the given term. */
function unsigned(term: Term): Term {
  return wrappedTerm(term, { bits: 32, isSigned: false });
}

/**
 * The term for the quotient of the unsigned integer with the bits of the given term, as a signed
 * number; a quotient by 2 or more needs no sign.
 */
function unsignedQuotient(term: Term, divisor: number): Term {
  return divisor === 1 ? wrappedTerm(term, word) : floorQuotient(unsigned(term), divisor);
}

/** Operators modulo 2^32 with numbers as results. */
export type ModularOperator = '+%' | '-%' | '*%' | '/%' | '%%' | '<<%' | '>>%';
/** Comparisons of two numbers as unsigned 32-bit numbers. */
export type UnsignedComparison = '<%' | '<=%' | '>%' | '>=%';

/**
 * Returns the term of an operator modulo 2^32, exact for all integers; the value of the term is the
 * signed number with the resulting bits. `undefined` for a division or a shift whose right operand
 * is no constant, or is a constant with which the operator faults.
 */
export function wrappingTerm(operator: ModularOperator, left: Term, right: Term): Term | undefined {
  switch (operator) {
    case '+%':
      return wrappedTerm(plus(left, right), word);
    case '-%':
      return wrappedTerm(minus(left, right), word);
    case '*%':
      return wrappedTerm(times(left, right), word);
    case '<<%':
    case '>>%': {
      if (right.kind !== 'integer' || right.value < 0 || right.value > 31) return undefined;
      const factor = 2 ** right.value;
      return operator === '<<%'
        ? wrappedTerm(times(left, integer(factor)), word)
        : unsignedQuotient(left, factor);
    }
    case '/%':
    case '%%': {
      const divisor = unsigned(right);
      if (divisor.kind !== 'integer' || divisor.value === 0) return undefined;
      if (operator === '/%') return unsignedQuotient(left, divisor.value);
      const rest = floorRemainder(unsigned(left), divisor.value);
      return divisor.value <= 2 ** 31 ? rest : wrappedTerm(rest, word);
    }
  }
}

/** The condition that compares the unsigned integers with the 32 bits of the terms. */
export function unsignedComparison(operator: UnsignedComparison, a: Term, b: Term): Term {
  const [left, right] = [unsigned(a), unsigned(b)];
  switch (operator) {
    case '<%':
      return less(left, right);
    case '<=%':
      return not(less(right, left));
    case '>%':
      return less(right, left);
    case '>=%':
      return not(less(left, right));
  }
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && Number.isInteger(Math.log2(value));
}
