import { at } from '@fencewright/ground/base/at.js';
import { InternalError, unreachable } from '@fencewright/ground/base/unreachable.js';
import {
  conversions,
  type BinaryOperator,
  type UnaryOperator,
  type WideOperator,
} from '@fencewright/model/program/expression.js';
import { applyBinary } from '@fencewright/model/program/evaluate.js';
import type { SharedSymbol } from '@fencewright/model/program/program.js';
import type { RmwExpression } from '@fencewright/model/program/rmw.js';
import {
  equal,
  floorQuotient,
  floorRemainder,
  ifThenElse,
  isNonZero,
  less,
  minus,
  truthAsNumber,
  plus,
  times,
} from '@fencewright/ground/smt/arithmetic.js';
import {
  bitTerm,
  unsignedComparison,
  wrappedTerm,
  wrappingTerm,
  type BitOperator,
} from '@fencewright/ground/smt/bits.js';
import { and, falsity, integer, not, or, type Term } from '@fencewright/ground/smt/term.js';

/** The translation of an expression: the term for its value, and the condition of a fault. */
export interface Translation {
  readonly value: Term;
  /**
   * The condition under which evaluation is a mistake of the program: a division by zero, an index
   * outside its array.
   */
  readonly fault: Term;
}

/** The context in which an expression is evaluated. */
interface TranslationContext {
  /** The terms of the thread's registers, indexed by `RegisterId`. */
  readonly registers: readonly Term[];
  readonly symbols: readonly SharedSymbol[];
  /**
   * The term of the value that a read-modify-write has read, if the expression is its new value.
   */
  readonly old?: Term | undefined;
  /** Returns a new variable, any integer, for a result that terms cannot express. */
  readonly anyInteger: () => Term;
}

/**
 * Translates the value of an expression over ideal integers. If 32-bit evaluation does not fault,
 * the translation is the expression's value, or `anyInteger` if terms cannot express the value
 * (bitwise operators without a mask, and division by a non-constant). Overflow is no fault here.
 */
export function translateExpression(
  expression: RmwExpression,
  context: TranslationContext,
): Translation {
  switch (expression.kind) {
    case 'constant':
      return { value: integer(expression.value), fault: falsity };
    case 'register':
      return { value: at(context.registers, expression.register), fault: falsity };
    case 'address':
      return { value: integer(at(context.symbols, expression.symbol).base), fault: falsity };
    case 'element': {
      const { base, length } = at(context.symbols, expression.symbol);
      const index = translateExpression(expression.index, context);
      const outside = or(less(index.value, integer(0)), not(less(index.value, integer(length))));
      return { value: plus(integer(base), index.value), fault: or(index.fault, outside) };
    }
    case 'unary':
      return translateUnary(expression.operator, translateExpression(expression.operand, context));
    case 'binary':
      return translateBinary(
        expression.operator,
        translateExpression(expression.left, context),
        translateExpression(expression.right, context),
        context,
      );
    case 'old':
      if (context.old) return { value: context.old, fault: falsity };
      throw new InternalError('an old value where nothing was read');
    case 'conditional': {
      const [test, then, otherwise] = [
        expression.condition,
        expression.then,
        expression.otherwise,
      ].map((part) => translateExpression(part, context)) as [
        Translation,
        Translation,
        Translation,
      ];
      const isThen = isNonZero(test.value);
      return {
        value: ifThenElse(isThen, then.value, otherwise.value),
        fault: or(test.fault, and(isThen, then.fault), and(not(isThen), otherwise.fault)),
      };
    }
    default:
      return unreachable(expression);
  }
}

function translateUnary(operator: UnaryOperator, { value, fault }: Translation): Translation {
  switch (operator) {
    case '-':
      return { value: minus(integer(0), value), fault };
    case '!':
      return { value: truthAsNumber(not(isNonZero(value))), fault };
    case '~':
      return { value: minus(integer(-1), value), fault };
    case 'i8':
    case 'u8':
    case 'i16':
    case 'u16':
    case 'i32':
    case 'u32':
      return { value: wrappedTerm(value, conversions[operator]), fault };
    default:
      return unreachable(operator);
  }
}

/** Returns the translation of `left operator right`, with both operands translated already. */
function translateBinary(
  operator: BinaryOperator,
  left: Translation,
  right: Translation,
  context: Pick<TranslationContext, 'anyInteger'>,
): Translation {
  const a = left.value;
  const b = right.value;
  const fault = or(left.fault, right.fault);
  switch (operator) {
    case '+':
      return { value: plus(a, b), fault };
    case '-':
      return { value: minus(a, b), fault };
    case '*':
      return { value: times(a, b), fault };
    case '==':
      return { value: truthAsNumber(equal(a, b)), fault };
    case '!=':
      return { value: truthAsNumber(not(equal(a, b))), fault };
    case '<':
      return { value: truthAsNumber(less(a, b)), fault };
    case '<=':
      return { value: truthAsNumber(not(less(b, a))), fault };
    case '>':
      return { value: truthAsNumber(less(b, a)), fault };
    case '>=':
      return { value: truthAsNumber(not(less(a, b))), fault };
    case '&&': {
      const isRightNeeded = isNonZero(a);
      return {
        value: truthAsNumber(and(isRightNeeded, isNonZero(b))),
        fault: or(left.fault, and(isRightNeeded, right.fault)),
      };
    }
    case '||': {
      const isLeftEnough = isNonZero(a);
      return {
        value: truthAsNumber(or(isLeftEnough, isNonZero(b))),
        fault: or(left.fault, and(not(isLeftEnough), right.fault)),
      };
    }
    case '/':
    case '%':
      return { value: divide(operator, a, b, context), fault: or(fault, equal(b, integer(0))) };
    case '&':
    case '|':
    case '^':
    case '<<':
    case '>>':
      return { value: bitwise(operator, a, b, context), fault };
    case '+%':
    case '-%':
    case '*%':
    case '<<%':
    case '>>%':
      return { value: wrappingTerm(operator, a, b) ?? context.anyInteger(), fault };
    case '/%':
    case '%%':
      return {
        value: wrappingTerm(operator, a, b) ?? context.anyInteger(),
        fault: or(fault, equal(b, integer(0))),
      };
    case '<%':
    case '<=%':
    case '>%':
    case '>=%':
      return { value: truthAsNumber(unsignedComparison(operator, a, b)), fault };
    default:
      return translateWide(operator, equal(b, integer(0)), fault, context);
  }
}

/** Returns the translation of an operator on 64-bit values: its result is any integer. */
function translateWide(
  operator: WideOperator,
  isByZero: Term,
  fault: Term,
  { anyInteger }: Pick<TranslationContext, 'anyInteger'>,
): Translation {
  const divides = operator === '/:' || operator === '/:%' || operator === '%:%';
  return { value: anyInteger(), fault: divides ? or(fault, isByZero) : fault };
}

/**
 * Returns C's division, rounded towards zero; SMT-LIB's division rounds down for a positive
 * divisor.
 */
function divide(
  operator: '/' | '%',
  a: Term,
  b: Term,
  { anyInteger }: Pick<TranslationContext, 'anyInteger'>,
): Term {
  if (b.kind !== 'integer' || b.value === 0) return anyInteger();
  const size = Math.abs(b.value);
  const isNegative = less(a, integer(0));
  const opposite = minus(integer(0), a);
  if (operator === '%')
    return ifThenElse(
      isNegative,
      minus(integer(0), floorRemainder(opposite, size)),
      floorRemainder(a, size),
    );
  const down = floorQuotient(a, size);
  const up = minus(integer(0), floorQuotient(opposite, size));
  const quotient = ifThenElse(isNegative, up, down);
  return b.value < 0 ? minus(integer(0), quotient) : quotient;
}

function isWord(term: Term): term is { kind: 'integer'; value: number } {
  return term.kind === 'integer' && (term.value | 0) === term.value;
}

function bitwise(
  operator: BitOperator,
  a: Term,
  b: Term,
  { anyInteger }: Pick<TranslationContext, 'anyInteger'>,
): Term {
  const isShift = operator === '<<' || operator === '>>';
  if (!isShift && isWord(a) && isWord(b)) return integer(applyBinary(operator, a.value, b.value));
  return bitTerm(operator, a, b) ?? anyInteger();
}
