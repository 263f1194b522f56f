import { InternalError, unreachable } from '@fencewright/ground/base/unreachable.js';
import {
  conversions,
  innerOf,
  isConversion,
  type BinaryOperator,
  type Expression,
  type UnaryOperator,
  type WideOperator,
  type WrappingOperator,
} from './expression.js';
import type { SharedSymbol } from './program.js';
import { rmwMeaning, resultIf, type RmwExpression, type RmwOperation } from './rmw.js';
import { integerOfValue, isWord, valueOfInteger } from './wide-values.js';

/**
 * The kinds of faults of an instruction, at which the execution ends. `overflow` is of 32 bits, and
 * `wide-overflow` of 64. `no-code`: the result is a 64-bit number that the engines cannot
 * represent. `address` is a limit of engines whose memory has finitely many cells.
 */
export type FaultKind =
  | 'overflow'
  | 'wide-overflow'
  | 'no-code'
  | 'division-by-zero'
  | 'domain'
  | 'index'
  | 'unbounded-choice'
  | 'address';

/** Thrown by evaluators if evaluation faults, and caught where the instruction is executed. */
export class ExecutionFault extends Error {
  override readonly name = 'ExecutionFault';
  constructor(readonly kind: FaultKind) {
    super(kind);
  }
}

/**
 * Returns the value of an expression; `registers[base + r]` holds register `r`, and `old` is the
 * value read by a read-modify-write. Throws `ExecutionFault`.
 */
export type Evaluator = (registers: ArrayLike<number>, base: number, old?: number) => number;

function fault(kind: FaultKind): never {
  throw new ExecutionFault(kind);
}

function fit(value: number): number {
  return (value | 0) === value ? value : fault('overflow');
}

/**
 * Checks the shift count of a 32-bit operation and returns it; throws `ExecutionFault` if out of
 * range.
 */
function shiftCount(value: number): number {
  return value < 0 || value > 31 ? fault('overflow') : value;
}

/**
 * `operator` applied to a value. Minus is a 32-bit operation, and faults on overflow and on wider
 * values; all other operators are defined for all values.
 */
export function applyUnary(operator: UnaryOperator, value: number): number {
  if (!isWord(value)) return applyUnaryToWide(operator, value);
  switch (operator) {
    case '-':
      return value === 0 ? 0 : fit(-value);
    case '!':
      return value === 0 ? 1 : 0;
    case '~':
      return ~value;
    case 'i8':
      return (value << 24) >> 24;
    case 'u8':
      return value & 0xff;
    case 'i16':
      return (value << 16) >> 16;
    case 'u16':
      return value & 0xffff;
    case 'i32':
      return value;
    case 'u32':
      return value >>> 0;
    default:
      return unreachable(operator);
  }
}

/**
 * Returns the result of `operator` applied to a value of more than 32 bits, computed in 64 bits;
 * faults if the operator is only for 32 bits.
 */
function applyUnaryToWide(operator: UnaryOperator, value: number): number {
  if (operator === '!') return 0;
  if (operator === '-') return fault('overflow');
  const integer = integerOfValue(value);
  if (operator === '~') return valueOf(~integer);
  if (!isConversion(operator)) return unreachable(operator);
  const { bits, isSigned } = conversions[operator];
  return valueOf(isSigned ? BigInt.asIntN(bits, integer) : BigInt.asUintN(bits, integer));
}

/**
 * Returns the value for an integer modulo 2^64; throws `ExecutionFault` if the integer cannot be
 * represented.
 */
function valueOf(integer: bigint): number {
  return valueOfInteger(integer) ?? fault('no-code');
}

/**
 * `left operator right`, with C's division (towards zero); faults on division by zero, on a shift
 * count outside 0..31 (or 0..63 for 64 bits), on overflow unless the operator wraps, and on results
 * without a code (`no-code`). Comparisons and `& | ^ %` accept all values; other 32-bit operators
 * fault on wider operands. `&&` and `||` are strict here: evaluators implement short-circuit
 * evaluation.
 */
export function applyBinary(operator: BinaryOperator, left: number, right: number): number {
  if (!isWord(left) || !isWord(right)) return applyBinaryToWide(operator, left, right);
  switch (operator) {
    case '+':
      return fit(left + right);
    case '-':
      return fit(left - right);
    case '*':
      return fit(left * right + 0);
    case '/':
      return right === 0 ? fault('division-by-zero') : fit(Math.trunc(left / right) + 0);
    case '%':
      return right === 0 ? fault('division-by-zero') : (left % right) + 0;
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '<<':
      return fit(left * 2 ** shiftCount(right));
    case '>>':
      return left >> shiftCount(right);
    case '==':
      return left === right ? 1 : 0;
    case '!=':
      return left !== right ? 1 : 0;
    case '<':
      return left < right ? 1 : 0;
    case '<=':
      return left <= right ? 1 : 0;
    case '>':
      return left > right ? 1 : 0;
    case '>=':
      return left >= right ? 1 : 0;
    case '&&':
      return left !== 0 && right !== 0 ? 1 : 0;
    case '||':
      return left !== 0 || right !== 0 ? 1 : 0;
    default:
      return applyWrapping(operator, left, right);
  }
}

function applyWrapping(
  operator: WrappingOperator | WideOperator,
  left: number,
  right: number,
): number {
  switch (operator) {
    case '+%':
      return (left + right) | 0;
    case '-%':
      return (left - right) | 0;
    case '*%':
      return Math.imul(left, right);
    case '/%':
      // The quotient is below 2^53, where rounding reaches no other integer.
      return right === 0 ? fault('division-by-zero') : ((left >>> 0) / (right >>> 0)) | 0;
    case '%%':
      return right === 0 ? fault('division-by-zero') : ((left >>> 0) % (right >>> 0)) | 0;
    case '<<%':
      return left << shiftCount(right);
    case '>>%':
      return (left >>> shiftCount(right)) | 0;
    case '<%':
      return left >>> 0 < right >>> 0 ? 1 : 0;
    case '<=%':
      return left >>> 0 <= right >>> 0 ? 1 : 0;
    case '>%':
      return left >>> 0 > right >>> 0 ? 1 : 0;
    case '>=%':
      return left >>> 0 >= right >>> 0 ? 1 : 0;
    case '+:':
    case '+:%':
      return left + right;
    case '-:':
    case '-:%':
      return left - right;
    default:
      return applyWide(operator, integerOfValue(left), integerOfValue(right));
  }
}

/** The result of `applyBinary` if an operand has more than 32 bits. */
function applyBinaryToWide(operator: BinaryOperator, left: number, right: number): number {
  switch (operator) {
    case '==':
      return left === right ? 1 : 0;
    case '!=':
      return left !== right ? 1 : 0;
    case '&&':
      return left !== 0 && right !== 0 ? 1 : 0;
    case '||':
      return left !== 0 || right !== 0 ? 1 : 0;
    case '+':
    case '-':
    case '*':
    case '/':
    case '<<':
    case '>>':
    case '+%':
    case '-%':
    case '*%':
    case '/%':
    case '%%':
    case '<<%':
    case '>>%':
    case '<%':
    case '<=%':
    case '>%':
    case '>=%':
      return fault('overflow');
    default:
      return applyWide(operator, integerOfValue(left), integerOfValue(right));
  }
}

/**
 * Returns the 64-bit result of an operator that has an exact result for all operands; throws
 * `ExecutionFault` if the result has no code.
 */
function applyWide(
  operator: WideOperator | '&' | '|' | '^' | '%' | '<' | '<=' | '>' | '>=',
  left: bigint,
  right: bigint,
): number {
  const unsigned = (integer: bigint): bigint => BigInt.asUintN(64, integer);
  switch (operator) {
    case '&':
      return valueOf(left & right);
    case '|':
      return valueOf(left | right);
    case '^':
      return valueOf(left ^ right);
    case '%':
      return valueOf(left % divisor(right));
    case '<':
      return left < right ? 1 : 0;
    case '<=':
      return left <= right ? 1 : 0;
    case '>':
      return left > right ? 1 : 0;
    case '>=':
      return left >= right ? 1 : 0;
    case '+:':
      return fitWide(left + right);
    case '-:':
      return fitWide(left - right);
    case '*:':
      return fitWide(left * right);
    case '/:':
      return fitWide(left / divisor(right));
    case '>>:':
      return valueOf(left >> wideShiftCount(right));
    case '+:%':
      return valueOf(left + right);
    case '-:%':
      return valueOf(left - right);
    case '*:%':
      return valueOf(left * right);
    case '/:%':
      return valueOf(unsigned(left) / unsigned(divisor(right)));
    case '%:%':
      return valueOf(unsigned(left) % unsigned(divisor(right)));
    case '<<:%':
      return valueOf(left << wideShiftCount(right));
    case '>>:%':
      return valueOf(unsigned(left) >> wideShiftCount(right));
    case '<:%':
      return unsigned(left) < unsigned(right) ? 1 : 0;
    case '<=:%':
      return unsigned(left) <= unsigned(right) ? 1 : 0;
    case '>:%':
      return unsigned(left) > unsigned(right) ? 1 : 0;
    case '>=:%':
      return unsigned(left) >= unsigned(right) ? 1 : 0;
    default:
      return unreachable(operator);
  }
}

function divisor(value: bigint): bigint {
  return value === 0n ? fault('division-by-zero') : value;
}

function fitWide(integer: bigint): number {
  return BigInt.asIntN(64, integer) === integer ? valueOf(integer) : fault('wide-overflow');
}

/**
 * Checks the shift count of a 64-bit operation and returns it; throws `ExecutionFault` if out of
 * range.
 */
function wideShiftCount(value: bigint): bigint {
  return value < 0n || value > 63n ? fault('wide-overflow') : value;
}

/** Compiles an expression to a function that evaluates it, in a program with the given symbols. */
export function compileExpression(
  expression: RmwExpression,
  symbols: readonly SharedSymbol[],
): Evaluator {
  switch (expression.kind) {
    case 'constant': {
      const { value } = expression;
      return () => value;
    }
    case 'register': {
      const { register } = expression;
      return (registers, base) => registers[base + register] ?? 0;
    }
    case 'old':
      return (_registers, _base, old) => old ?? nothingRead();
    case 'address': {
      const { base } = symbols[expression.symbol]!;
      return () => base;
    }
    case 'element': {
      const { base: first, length } = symbols[expression.symbol]!;
      const index = compileExpression(expression.index, symbols);
      return (registers, base) => {
        const i = index(registers, base);
        return i < 0 || i >= length || !isWord(i) ? fault('index') : first + i;
      };
    }
    case 'unary': {
      const { operator } = expression;
      const operand = compileExpression(expression.operand, symbols);
      return (registers, base, old) => applyUnary(operator, operand(registers, base, old));
    }
    case 'binary':
      return compileBinary(
        expression.operator,
        compileExpression(expression.left, symbols),
        compileExpression(expression.right, symbols),
      );
    case 'conditional': {
      const condition = compileExpression(expression.condition, symbols);
      const then = compileExpression(expression.then, symbols);
      const otherwise = compileExpression(expression.otherwise, symbols);
      return (registers, base, old) =>
        (condition(registers, base, old) === 0 ? otherwise : then)(registers, base, old);
    }
    default:
      return unreachable(expression);
  }
}

function nothingRead(): never {
  throw new InternalError('an old value where nothing was read');
}

function compileBinary(operator: BinaryOperator, left: Evaluator, right: Evaluator): Evaluator {
  switch (operator) {
    case '&&':
      return (registers, base, old) =>
        left(registers, base, old) !== 0 && right(registers, base, old) !== 0 ? 1 : 0;
    case '||':
      return (registers, base, old) =>
        left(registers, base, old) !== 0 || right(registers, base, old) !== 0 ? 1 : 0;
    case '==':
      return (registers, base, old) =>
        left(registers, base, old) === right(registers, base, old) ? 1 : 0;
    case '!=':
      return (registers, base, old) =>
        left(registers, base, old) !== right(registers, base, old) ? 1 : 0;
    default:
      return (registers, base, old) =>
        applyBinary(operator, left(registers, base, old), right(registers, base, old));
  }
}

/**
 * Functions from the value `old` that a read-modify-write reads to the stored value and the new
 * value of its register. They throw `ExecutionFault`.
 */
export interface RmwEvaluator {
  /** Returns the value that the rmw stores; `undefined` if nothing is stored. */
  readonly written: (old: number, registers: ArrayLike<number>, base: number) => number | undefined;
  /**
   * Returns the new value of the register into which the rmw reads, given whether a value is
   * stored.
   */
  readonly result: (
    isStored: boolean,
    old: number,
    registers: ArrayLike<number>,
    base: number,
  ) => number;
}

/**
 * Compiles a read-modify-write to functions for its effects, in a program with the given symbols.
 */
export function compileRmw(
  operation: RmwOperation,
  symbols: readonly SharedSymbol[],
): RmwEvaluator {
  const compile = (expression: RmwExpression): Evaluator => compileExpression(expression, symbols);
  const meaning = rmwMeaning(operation);
  const value = compile(meaning.written);
  const condition = meaning.condition && compile(meaning.condition);
  const stored = compile(resultIf(true, meaning));
  const loaded = compile(resultIf(false, meaning));
  return {
    written: condition
      ? (old, registers, base) =>
          condition(registers, base, old) === 0 ? undefined : value(registers, base, old)
      : (old, registers, base) => value(registers, base, old),
    result: (isStored, old, registers, base) => (isStored ? stored : loaded)(registers, base, old),
  };
}

/**
 * The value of an expression, given the values `valueOf` of its leaves. Throws `ExecutionFault`.
 */
export function evaluateExpression<Leaf>(
  expression: Expression<Leaf>,
  valueOf: (leaf: Leaf) => number,
): number {
  const inner = innerOf(expression);
  switch (inner?.kind) {
    case 'constant':
      return inner.value;
    case 'unary':
      return applyUnary(inner.operator, evaluateExpression(inner.operand, valueOf));
    case 'binary': {
      const left = evaluateExpression(inner.left, valueOf);
      if (inner.operator === '&&' && left === 0) return 0;
      if (inner.operator === '||' && left !== 0) return 1;
      return applyBinary(inner.operator, left, evaluateExpression(inner.right, valueOf));
    }
    case undefined:
      return valueOf(expression as Leaf);
  }
}

/**
 * The value of an expression without registers; `undefined` if the expression has registers or
 * faults.
 */
export function constantValue(
  expression: Expression,
  symbols: readonly SharedSymbol[],
): number | undefined {
  let closed = true;
  const registers = new Proxy([] as number[], {
    get: () => {
      closed = false;
      return 0;
    },
  });
  try {
    const value = compileExpression(expression, symbols)(registers, 0);
    return closed ? value : undefined;
  } catch (error) {
    if (error instanceof ExecutionFault) return undefined;
    throw error;
  }
}
