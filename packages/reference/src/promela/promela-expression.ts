import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { FaultKind } from '@fencewright/model/program/evaluate.js';
import {
  conversions,
  isWide,
  type BinaryOperator,
  type UnaryOperator,
  type WrappingOperator,
} from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { SharedSymbol } from '@fencewright/model/program/program.js';
import type { RmwExpression } from '@fencewright/model/program/rmw.js';

/**
 * A condition for evaluating an expression: the evaluation faults if the condition does not hold.
 */
export interface Check {
  readonly fault: FaultKind;
  readonly holds: string;
}

/**
 * An expression in Promela. The checks are in the order of evaluation; each check is safe to
 * evaluate if all earlier checks hold.
 */
export interface PromelaExpression {
  readonly text: string;
  readonly checks: readonly Check[];
  /** The least possible value of the expression, unless the evaluation always faults. */
  readonly low: number;
  /** The greatest possible value of the expression, unless the evaluation always faults. */
  readonly high: number;
}

/** The Promela expressions for the values of registers, and the symbols of the program. */
export interface ExpressionScope {
  readonly symbols: readonly SharedSymbol[];
  readonly register: (register: RegisterId) => PromelaExpression;
  /** The expression for the value that the read-modify-write has read. */
  readonly old?: PromelaExpression;
}

const least = -(2 ** 31);
const greatest = 2 ** 31 - 1;

/**
 * Returns a number as text in Promela, whose parser accepts no sign and no number beyond 31 bits.
 */
export function promelaNumber(value: number): string {
  if (value === least) return `(-${greatest} - 1)`;
  return value < 0 ? `(-${-value})` : String(value);
}

/** Returns an expression for a text of Promela, with the bounds of its value if known. */
export function promelaValue(text: string, low = least, high = greatest): PromelaExpression {
  return { text, checks: [], low, high };
}

/** Returns the condition that the value is not 0. */
export function nonZeroCondition({ text, low, high }: PromelaExpression): string {
  return low >= 0 && high <= 1 ? text : `(${text} != 0)`;
}

function constantOf(value: number): PromelaExpression {
  return { text: promelaNumber(value), checks: [], low: value, high: value };
}

function truth(text: string, checks: readonly Check[]): PromelaExpression {
  return { text, checks, low: 0, high: 1 };
}

/** Returns the condition, in 32-bit arithmetic, that `left operator right` lies within 32 bits. */
function fits(operator: '+' | '-' | '*', left: string, right: string): string {
  const [low, high] = [promelaNumber(least), promelaNumber(greatest)];
  switch (operator) {
    case '+':
      return `(${right} >= 0 -> ${left} <= ${high} - ${right} : ${left} >= ${low} - ${right})`;
    case '-':
      return `(${right} >= 0 -> ${left} >= ${low} + ${right} : ${left} <= ${high} + ${right})`;
    case '*': {
      const positive = `(${left} <= ${high} / ${right} && ${left} >= ${low} / ${right})`;
      const negative = `(${left} >= ${high} / ${right} && ${left} <= ${low} / ${right})`;
      // The smallest number has no positive counterpart; dividing by -1 would itself overflow.
      const minus = `(${right} == -1 -> ${left} != ${low} : ${negative})`;
      return `(${right} == 0 -> 1 : (${right} > 0 -> ${positive} : ${minus}))`;
    }
  }
}

function bounds(
  operator: '+' | '-' | '*',
  left: PromelaExpression,
  right: PromelaExpression,
): readonly [low: number, high: number] {
  switch (operator) {
    case '+':
      return [left.low + right.low, left.high + right.high];
    case '-':
      return [left.low - right.high, left.high - right.low];
    case '*': {
      const corners = [left.low, left.high].flatMap((a) => [a * right.low, a * right.high]);
      return [Math.min(...corners), Math.max(...corners)];
    }
  }
}

function arithmetic(
  operator: '+' | '-' | '*',
  left: PromelaExpression,
  right: PromelaExpression,
): PromelaExpression {
  const checks = [...left.checks, ...right.checks];
  const text = `(${left.text} ${operator} ${right.text})`;
  const [low, high] = bounds(operator, left, right);
  if (low >= least && high <= greatest) return { text, checks, low: low + 0, high: high + 0 };
  const check: Check = { fault: 'overflow', holds: fits(operator, left.text, right.text) };
  return { ...promelaValue(text), checks: [...checks, check] };
}

function division(
  operator: '/' | '%',
  left: PromelaExpression,
  right: PromelaExpression,
): PromelaExpression {
  const { text } = right;
  const checks = [...left.checks, ...right.checks];
  if (right.low <= 0 && right.high >= 0)
    checks.push({ fault: 'division-by-zero', holds: `(${text} != 0)` });
  const byMinusOne = right.low <= -1 && right.high >= -1;
  const plain = `(${left.text} ${operator} ${text})`;
  // In C, dividing the smallest number by -1 is undefined, for quotient and remainder.
  if (operator === '%')
    return { ...promelaValue(byMinusOne ? `(${text} == -1 -> 0 : ${plain})` : plain), checks };
  if (byMinusOne && left.low === least)
    checks.push({
      fault: 'overflow',
      holds: `(${text} != -1 || ${left.text} != ${promelaNumber(least)})`,
    });
  return { ...promelaValue(plain), checks };
}

function shift(
  operator: '<<' | '>>',
  left: PromelaExpression,
  right: PromelaExpression,
): PromelaExpression {
  const checks = [...left.checks, ...right.checks];
  if (right.low < 0 || right.high > 31)
    checks.push({ fault: 'overflow', holds: `(${right.text} >= 0 && ${right.text} <= 31)` });
  const text = `(${left.text} ${operator} ${right.text})`;
  if (operator === '<<')
    checks.push({ fault: 'overflow', holds: `((${text} >> ${right.text}) == ${left.text})` });
  return { ...promelaValue(text), checks };
}

/** Returns the checks of an operand that is evaluated only if `decided` does not hold. */
export function unless(decided: string, checks: readonly Check[]): readonly Check[] {
  return checks.map(({ fault, holds }) => ({ fault, holds: `(${decided} || ${holds})` }));
}

/** Returns a conditional expression, of which only the chosen branch is evaluated. */
function conditional(
  condition: PromelaExpression,
  then: PromelaExpression,
  otherwise: PromelaExpression,
): PromelaExpression {
  const isThen = nonZeroCondition(condition);
  return {
    text: `(${isThen} -> ${then.text} : ${otherwise.text})`,
    checks: [
      ...condition.checks,
      ...unless(`!${isThen}`, then.checks),
      ...unless(isThen, otherwise.checks),
    ],
    low: Math.min(then.low, otherwise.low),
    high: Math.max(then.high, otherwise.high),
  };
}

/**
 * Returns a conjunction or disjunction, whose right side is evaluated only if the left side does
 * not decide.
 */
function connective(
  operator: '&&' | '||',
  left: PromelaExpression,
  right: PromelaExpression,
): PromelaExpression {
  const decided = operator === '&&' ? `!${nonZeroCondition(left)}` : nonZeroCondition(left);
  const checks = unless(decided, right.checks);
  return truth(`(${nonZeroCondition(left)} ${operator} ${nonZeroCondition(right)})`, [
    ...left.checks,
    ...checks,
  ]);
}

/** Returns the number of the given width that equals the operand modulo 2^width. */
function conversion(
  { text, checks, low, high }: PromelaExpression,
  { bits, isSigned }: { readonly bits: number; readonly isSigned: boolean },
): PromelaExpression {
  const all = 2 ** bits;
  const [first, last] = isSigned ? [-all / 2, all / 2 - 1] : [0, all - 1];
  if (low >= first && high <= last) return { text, checks, low, high };
  const masked = `(${text} & ${all - 1})`;
  const signed = `((${masked} ^ ${all / 2}) - ${all / 2})`;
  return { text: isSigned ? signed : masked, checks, low: first, high: last };
}

/** Returns the comparison of the unsigned numbers with the same 32 bits. */
function unsignedComparison(
  operator: '<' | '<=' | '>' | '>=',
  left: string,
  right: string,
): string {
  const turn = (text: string): string => `(${text} ^ ${promelaNumber(least)})`;
  return `(${turn(left)} ${operator} ${turn(right)})`;
}

/** Returns `text >> count` with zeros shifted in. */
function shiftedRight(text: string, count: string): string {
  return `((${text} >> ${count}) & ~((-2) << (31 - ${count})))`;
}

/**
 * Returns the unsigned quotient by signed division: half of the left side is divided by a divisor
 * below 2^31, which gives a quotient one too small if the remainder is not below the divisor.
 */
function unsignedQuotient(left: string, right: string): string {
  const estimate = `((${shiftedRight(left, '1')} / ${right}) << 1)`;
  const isSmall = unsignedComparison('>=', `(${left} - ${estimate} * ${right})`, right);
  const byLarge = unsignedComparison('>=', left, right);
  return `(${right} < 0 -> ${byLarge} : ${estimate} + ${isSmall})`;
}

/**
 * Returns an operator modulo 2^32. Promela's integers are integers of the C compiler, which must be
 * told to wrap (`-fwrapv`).
 */
function promelaWrapping(
  operator: WrappingOperator,
  left: PromelaExpression,
  right: PromelaExpression,
): PromelaExpression {
  const checks = [...left.checks, ...right.checks];
  const [a, b] = [left.text, right.text];
  switch (operator) {
    case '+%':
      return { ...promelaValue(`(${a} + ${b})`), checks };
    case '-%':
      return { ...promelaValue(`(${a} - ${b})`), checks };
    case '*%':
      return { ...promelaValue(`(${a} * ${b})`), checks };
    case '/%':
    case '%%': {
      checks.push({ fault: 'division-by-zero', holds: `(${b} != 0)` });
      const quotient = unsignedQuotient(a, b);
      const text = operator === '/%' ? quotient : `(${a} - ${quotient} * ${b})`;
      return { ...promelaValue(text), checks };
    }
    case '<<%':
    case '>>%': {
      checks.push({ fault: 'overflow', holds: `(${b} >= 0 && ${b} <= 31)` });
      const text = operator === '<<%' ? `(${a} << ${b})` : shiftedRight(a, b);
      return { ...promelaValue(text), checks };
    }
    case '<%':
      return truth(unsignedComparison('<', a, b), checks);
    case '<=%':
      return truth(unsignedComparison('<=', a, b), checks);
    case '>%':
      return truth(unsignedComparison('>', a, b), checks);
    case '>=%':
      return truth(unsignedComparison('>=', a, b), checks);
  }
}

/** Returns `left operator right` with C's values and the faults of the program model. */
function promelaBinary(
  operator: BinaryOperator,
  left: PromelaExpression,
  right: PromelaExpression,
): PromelaExpression {
  const checks = [...left.checks, ...right.checks];
  const text = `(${left.text} ${operator} ${right.text})`;
  switch (operator) {
    case '+':
    case '-':
    case '*':
      return arithmetic(operator, left, right);
    case '/':
    case '%':
      return division(operator, left, right);
    case '<<':
    case '>>':
      return shift(operator, left, right);
    case '&': {
      const masks = [left, right].filter(({ low }) => low >= 0).map(({ high }) => high);
      return masks.length > 0
        ? { text, checks, low: 0, high: Math.min(...masks) }
        : { ...promelaValue(text), checks };
    }
    case '|':
    case '^':
      return { ...promelaValue(text), checks };
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return truth(text, checks);
    case '&&':
    case '||':
      return connective(operator, left, right);
    default:
      if (isWide(operator)) throw new InternalError(`${operator} in Promela`);
      return promelaWrapping(operator, left, right);
  }
}

function promelaUnary(operator: UnaryOperator, operand: PromelaExpression): PromelaExpression {
  switch (operator) {
    case '-':
      return arithmetic('-', constantOf(0), operand);
    case '!':
      return truth(`(${operand.text} == 0)`, operand.checks);
    case '~':
      return { ...promelaValue(`(~${operand.text})`), checks: operand.checks };
    default:
      return conversion(operand, conversions[operator]);
  }
}

/**
 * Returns the expression in Promela, which has C's operators, with the conditions for evaluation
 * without fault.
 */
export function toPromelaExpression(
  expression: RmwExpression,
  scope: ExpressionScope,
): PromelaExpression {
  switch (expression.kind) {
    case 'constant':
      return constantOf(expression.value);
    case 'register':
      return scope.register(expression.register);
    case 'address':
      return constantOf(at(scope.symbols, expression.symbol).base);
    case 'element': {
      const { base = 0, length = 0 } = scope.symbols[expression.symbol] ?? {};
      const index = toPromelaExpression(expression.index, scope);
      const isInside = index.low >= 0 && index.high < length;
      const holds = `(${index.text} >= 0 && ${index.text} < ${length})`;
      return {
        text: `(${base} + ${index.text})`,
        checks: isInside ? index.checks : [...index.checks, { fault: 'index', holds }],
        low: base + Math.max(0, index.low),
        high: base + Math.min(length - 1, index.high),
      };
    }
    case 'unary':
      return promelaUnary(expression.operator, toPromelaExpression(expression.operand, scope));
    case 'binary':
      return promelaBinary(
        expression.operator,
        toPromelaExpression(expression.left, scope),
        toPromelaExpression(expression.right, scope),
      );
    case 'old':
      if (scope.old) return scope.old;
      throw new InternalError('an old value where nothing was read');
    case 'conditional':
      return conditional(
        toPromelaExpression(expression.condition, scope),
        toPromelaExpression(expression.then, scope),
        toPromelaExpression(expression.otherwise, scope),
      );
  }
}
