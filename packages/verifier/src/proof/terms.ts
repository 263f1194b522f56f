/**
 * Terms of SMT-LIB 2 over unbounded integers, as text. Known numbers and truth values are kept
 * beside the text, and folded: bit operators are arithmetic if one operand is a number. Truth
 * values of programs are the integers 0 and 1; conditions are `Bool`.
 */

/** A term of sort `Int`; `value` is present for numbers. */
export interface Int {
  readonly text: string;
  readonly value?: bigint;
  /**
   * A term equal to this term modulo `2 ** bits`, with fewer remainders inside, since solvers need
   * much time for remainders of remainders.
   */
  readonly loose?: { readonly bits: bigint; readonly same: Int };
}

/** A term of sort `Bool`; `value` is present for the constants true and false. */
export interface Bool {
  readonly text: string;
  readonly value?: boolean;
}

export function int(value: bigint | number): Int {
  const number = BigInt(value);
  return { text: number < 0n ? `(- ${-number})` : `${number}`, value: number };
}

export const yes: Bool = { text: 'true', value: true };
export const no: Bool = { text: 'false', value: false };

function bool(value: boolean): Bool {
  return value ? yes : no;
}

export function not(a: Bool): Bool {
  return a.value === undefined ? { text: `(not ${a.text})` } : bool(!a.value);
}

export function and(parts: readonly Bool[]): Bool {
  return joined('and', parts, no, yes);
}

export function or(parts: readonly Bool[]): Bool {
  return joined('or', parts, yes, no);
}

/**
 * Joins terms by `and` or `or`. A part equal to `zero` decides the result; parts equal to `one` are
 * left out.
 */
function joined(name: string, parts: readonly Bool[], zero: Bool, one: Bool): Bool {
  if (parts.some(({ value }) => value === zero.value)) return zero;
  const texts = new Set(parts.filter(({ value }) => value !== one.value).map(({ text }) => text));
  const [first] = texts;
  if (first === undefined) return one;
  return { text: texts.size === 1 ? first : `(${name} ${[...texts].join(' ')})` };
}

export function implies(a: Bool, b: Bool): Bool {
  return or([not(a), b]);
}

/** Returns the term "for every integer `name`, `held` holds". */
export function forAll(name: Int, held: Bool): Bool {
  return held.value === undefined ? { text: `(forall ((${name.text} Int)) ${held.text})` } : held;
}

export function same(a: Int, b: Int): Bool {
  if (a.text === b.text) return yes;
  return a.value !== undefined && b.value !== undefined ? no : { text: `(= ${a.text} ${b.text})` };
}

export function less(a: Int, b: Int): Bool {
  if (a.value !== undefined && b.value !== undefined) return bool(a.value < b.value);
  return { text: `(< ${a.text} ${b.text})` };
}

/** Returns the term that is 1 if the condition holds, and 0 otherwise. */
export function truth(a: Bool): Int {
  if (a.value !== undefined) return int(a.value ? 1 : 0);
  return { text: `(ite ${a.text} 1 0)` };
}

/** Returns the term `then` if the condition holds, else `otherwise`. */
export function ite(condition: Bool, then: Int, otherwise: Int): Int {
  if (condition.value !== undefined) return condition.value ? then : otherwise;
  return { text: `(ite ${condition.text} ${then.text} ${otherwise.text})` };
}

function arithmetic(name: string, a: Int, b: Int, fold: (a: bigint, b: bigint) => bigint): Int {
  if (a.value !== undefined && b.value !== undefined) return int(fold(a.value, b.value));
  const term: Int = { text: `(${name} ${a.text} ${b.text})` };
  const bits = [a, b].flatMap(({ loose }) => loose?.bits ?? []);
  if (bits.length === 0) return term;
  // Sums, differences and products keep equality modulo a number.
  const same = arithmetic(name, a.loose?.same ?? a, b.loose?.same ?? b, fold);
  return { ...term, loose: { bits: bits.reduce((p, q) => (p < q ? p : q)), same } };
}

export function plus(a: Int, b: Int): Int {
  return arithmetic('+', a, b, (x, y) => x + y);
}

export function minus(a: Int, b: Int): Int {
  return arithmetic('-', a, b, (x, y) => x - y);
}

export function times(a: Int, b: Int): Int {
  return arithmetic('*', a, b, (x, y) => x * y);
}

/** Returns the quotient of `a` and `2 ** places`, rounded down, and the remainder. */
function halved(a: Int, places: bigint): { readonly quotient: Int; readonly rest: Int } {
  const power = int(1n << places);
  return {
    quotient: { text: `(div ${a.text} ${power.text})` },
    rest: { text: `(mod ${a.text} ${power.text})` },
  };
}

/**
 * Returns `a & mask` for a constant `mask`; integers are in two's complement with infinitely many
 * bits. For each run of ones in the mask, from bit `low` to below `high`, the result has the
 * difference between `a mod 2^high` and `a mod 2^low`. A negative mask removes the bits kept by its
 * complement.
 */
function masked(a: Int, mask: bigint): Int {
  if (a.value !== undefined) return int(a.value & mask);
  if (mask < 0n) return minus(a, masked(a, ~mask));
  let sum = int(0);
  for (let low = 0n; mask >> low > 0n;) {
    while (((mask >> low) & 1n) === 0n) low++;
    let high = low;
    while (((mask >> high) & 1n) === 1n) high++;
    const run = low === 0n ? lowBits(a, high) : minus(halved(a, high).rest, halved(a, low).rest);
    sum = sum.value === 0n ? run : plus(sum, run);
    low = high;
  }
  return sum;
}

/**
 * Functions about which the SMT solver knows nothing: a fact shown for any function holds for the
 * real function.
 */
export const unknownFunctions = [
  ...['and', 'or', 'xor', 'shift_left', 'shift_right', 'quotient'],
  ...['natural_quotient', 'natural_remainder', 'wrapping_shift_left', 'natural_shift_right'],
]
  .map((name) => `(declare-fun any_${name} (Int Int) Int)`)
  .join('\n');

function anything(name: string, a: Int, b: Int): Int {
  return { text: `(any_${name} ${a.text} ${b.text})` };
}

function bits(operator: '&' | '|' | '^', a: Int, b: Int): Int {
  const [other, mask] = b.value === undefined ? [b, a.value] : [a, b.value];
  if (mask === undefined)
    return anything(operator === '&' ? 'and' : operator === '|' ? 'or' : 'xor', a, b);
  const common = masked(other, mask);
  if (operator === '&') return common;
  const sum = plus(other, int(mask));
  return minus(sum, operator === '|' ? common : times(int(2), common));
}

function shift(operator: '<<' | '>>', a: Int, { value: places, text }: Int): Int {
  // Shifts by fewer than 0 or more than 31 places are faults, which end the execution.
  if (places === undefined || places < 0n || places > 31n)
    return anything(operator === '<<' ? 'shift_left' : 'shift_right', a, { text });
  if (operator === '<<') return times(a, int(1n << places));
  return a.value === undefined ? halved(a, places).quotient : int(a.value >> places);
}

/**
 * Returns the quotient as in C, rounded towards zero. Division by zero is a fault, which ends the
 * execution, so any result will do.
 */
function quotient(a: Int, b: Int): Int {
  if (b.value === 0n) return anything('quotient', a, b);
  if (a.value !== undefined && b.value !== undefined) return int(a.value / b.value);
  return {
    text: `(ite (>= ${a.text} 0) (div ${a.text} ${b.text}) (- (div (- ${a.text}) ${b.text})))`,
  };
}

/** Returns the remainder of `a` modulo `2 ** bits`, in 0 to `2 ** bits - 1`. */
function lowBits(a: Int, bits: bigint): Int {
  const { value, loose } = a;
  if (value !== undefined) return int(BigInt.asUintN(Number(bits), value));
  const same = loose && loose.bits >= bits ? loose.same : a;
  return { ...halved(same, bits).rest, loose: { bits, same } };
}

/** Returns the integer in 0 to 2^32 - 1 equal to `a` modulo 2^32. */
export function modulo32(a: Int): Int {
  return lowBits(a, 32n);
}

/**
 * Returns the integer in `-2 ** (bits - 1)` to `2 ** (bits - 1) - 1` equal to `a` modulo `2 **
 * bits`.
 */
function signed(a: Int, bits: bigint): Int {
  const half = int(1n << (bits - 1n));
  const { loose, ...term } = minus(lowBits(plus(a, half), bits), half);
  return loose ? { ...term, loose: { bits, same: lowBits(a, bits).loose?.same ?? a } } : term;
}

/** Converts a term to a narrower integer type of C. */
export function wrapped(a: Int, type: 'i8' | 'u8' | 'i16' | 'u16'): Int {
  const bits = BigInt(type.slice(1));
  return type.startsWith('i') ? signed(a, bits) : lowBits(a, bits);
}

/**
 * Returns the term for an operator modulo 2^32, as a signed number; `undefined` for other
 * operators.
 */
function modular(operator: string, a: Int, b: Int): Int | undefined {
  const word = (value: Int): Int => signed(value, 32n);
  switch (operator) {
    case '+%':
      return word(plus(a, b));
    case '-%':
      return word(minus(a, b));
    case '*%':
      return word(times(a, b));
    case '/%':
    case '%%': {
      const divisor = modulo32(b);
      // Division by zero is a fault. An unknown divisor may be zero.
      if (divisor.value === undefined || divisor.value === 0n)
        return anything(operator === '/%' ? 'natural_quotient' : 'natural_remainder', a, b);
      const [name, most] =
        operator === '/%'
          ? (['div', 0xffffffffn / divisor.value] as const)
          : (['mod', divisor.value - 1n] as const);
      const whole = modulo32(a);
      const result =
        whole.value === undefined
          ? { text: `(${name} ${whole.text} ${divisor.text})` }
          : int(name === 'div' ? whole.value / divisor.value : whole.value % divisor.value);
      // A result below 2^31 is the same number with and without a sign.
      return most < 1n << 31n ? result : word(result);
    }
    case '<<%':
    case '>>%': {
      const places = b.value;
      if (places === undefined || places < 0n || places > 31n)
        return anything(operator === '<<%' ? 'wrapping_shift_left' : 'natural_shift_right', a, b);
      if (operator === '<<%') return word(times(a, int(1n << places)));
      return places === 0n ? word(a) : shift('>>', modulo32(a), b);
    }
    default:
      return undefined;
  }
}

/** Returns the term for an operator on integers, except `&&` and `||`. */
export function operate(operator: string, a: Int, b: Int): Int {
  switch (operator) {
    case '+':
      return plus(a, b);
    case '-':
      return minus(a, b);
    case '*':
      return times(a, b);
    case '/':
      return quotient(a, b);
    case '%':
      return minus(a, times(b, quotient(a, b)));
    case '&':
    case '|':
    case '^':
      return bits(operator, a, b);
    case '<<':
    case '>>':
      return shift(operator, a, b);
    default: {
      const result = modular(operator, a, b);
      if (!result) throw new RangeError(`no operator ${operator}`);
      return result;
    }
  }
}
