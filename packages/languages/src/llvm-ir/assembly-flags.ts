import { type X86Condition, conditions } from '../x86/mnemonics.js';
import { constantOfBits, NotLifted, bitsOfValue, type StepWriter } from './assembly-steps.js';
import type { Typed } from './syntax.js';

type Lazy = () => Typed;

/** The flags of x86, each computed on first use; an absent flag is undefined. */
export interface Flags {
  readonly zero?: Lazy;
  readonly carry?: Lazy;
  readonly sign?: Lazy;
  readonly overflow?: Lazy;
  /** The two operands that were compared, if the flags come from a comparison. */
  readonly compared?: readonly [left: Typed, right: Typed];
}

function once(make: Lazy): Lazy {
  let made: Typed | undefined;
  return () => (made ??= make());
}

/** Writes the computation of flags as instructions of the IR. */
export class FlagWriter {
  constructor(readonly writer: StepWriter) {}

  /** The flags of a comparison, equal to the flags of a subtraction. */
  ofComparison(left: Typed, right: Typed): Flags {
    const { writer } = this;
    const sign = once(() => this.#isNegative(writer.binary('sub', left, right)));
    const isLess = once(() => writer.compare('slt', left, right));
    return {
      compared: [left, right],
      zero: once(() => writer.compare('eq', left, right)),
      carry: once(() => writer.compare('ult', left, right)),
      sign,
      overflow: once(() => writer.binary('xor', sign(), isLess())),
    };
  }

  /** The flags of a result without carry and overflow. */
  ofResult(result: Typed): Flags {
    return this.ofComparison(result, zeroLike(result));
  }

  /** The flags of a sum of two numbers. */
  ofSum(left: Typed, right: Typed, sum: Typed): Flags {
    const { writer } = this;
    return {
      ...this.withoutCarry(sum),
      carry: once(() => writer.compare('ult', sum, left)),
      overflow: once(() => {
        const [one, other] = [writer.binary('xor', sum, left), writer.binary('xor', sum, right)];
        return this.#isNegative(writer.binary('and', one, other));
      }),
    };
  }

  /** The flags of a sum or difference with a carry; `result` is the sum or difference. */
  ofCarried(name: 'adc' | 'sbb', left: Typed, right: Typed, carry: Typed, result: Typed): Flags {
    const { writer } = this;
    return {
      ...this.withoutCarry(result),
      carry: once(() => {
        const [a, b] = name === 'adc' ? [result, left] : [left, right];
        const [strict, same] = [writer.compare('ult', a, b), writer.compare('eq', a, b)];
        // With a carry in, a sum equal to its first operand has wrapped around.
        return writer.binary('or', strict, writer.binary('and', carry, same));
      }),
    };
  }

  /** The zero and sign flags of a result. */
  withoutCarry(result: Typed): Flags {
    return {
      zero: once(() => this.writer.compare('eq', result, zeroLike(result))),
      sign: once(() => this.#isNegative(result)),
    };
  }

  #isNegative(value: Typed): Typed {
    return this.writer.compare('slt', value, zeroLike(value));
  }

  /**
   * Whether a condition on the flags, given by the letters in the instruction's name, holds: 0 or
   * 1. Throws `NotLifted`.
   */
  holds(letters: string, flags: Flags): Typed {
    const condition = conditions.get(letters);
    if (condition !== undefined) return this.#condition(condition, flags);
    switch (letters) {
      case 's':
        return known(flags.sign);
      case 'ns':
        return this.writer.not(known(flags.sign));
      case 'o':
        return known(flags.overflow);
      case 'no':
        return this.writer.not(known(flags.overflow));
      default:
        throw new NotLifted(`the condition '${letters}' is unknown`);
    }
  }

  #condition(condition: X86Condition, flags: Flags): Typed {
    const { writer } = this;
    if (condition === '==') return known(flags.zero);
    if (condition === '!=') return writer.not(known(flags.zero));
    if (flags.compared) return writer.compare(relations[condition], ...flags.compared);
    const isLess = (): Typed => writer.binary('xor', known(flags.sign), known(flags.overflow));
    const orZero = (other: Typed): Typed => writer.binary('or', known(flags.zero), other);
    switch (condition) {
      case '<':
        return isLess();
      case '>=':
        return writer.not(isLess());
      case '<=':
        return orZero(isLess());
      case '>':
        return writer.not(orZero(isLess()));
      case 'u<':
        return known(flags.carry);
      case 'u>=':
        return writer.not(known(flags.carry));
      case 'u<=':
        return orZero(known(flags.carry));
      case 'u>':
        return writer.not(orZero(known(flags.carry)));
    }
  }
}

const relations: Readonly<Record<X86Condition, string>> = {
  '==': 'eq',
  '!=': 'ne',
  '<': 'slt',
  '<=': 'sle',
  '>': 'sgt',
  '>=': 'sge',
  'u<': 'ult',
  'u<=': 'ule',
  'u>': 'ugt',
  'u>=': 'uge',
};

/** The value of a flag as 0 or 1. Throws `NotLifted` for an undefined flag. */
export function known(flag: Lazy | undefined): Typed {
  if (!flag) throw new NotLifted('the code uses a flag without a value');
  return flag();
}

function zeroLike(value: Typed): Typed {
  return constantOfBits(bitsOfValue(value), 0n);
}
