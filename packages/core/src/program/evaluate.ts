import { unreachable } from '../base/unreachable.js';
import type { BinaryOperator, Expression, UnaryOperator } from './expression.js';
import type { SharedSymbol } from './program.js';

/**
 * What can go wrong when an instruction is executed; the execution ends there. `address` is a limit of engines whose memory has
 * finitely many cells.
 */
export type FaultKind =
  'overflow' | 'division-by-zero' | 'domain' | 'index' | 'unbounded-choice' | 'address';

/** Thrown by evaluators; caught where the instruction is executed and turned into a value. */
export class ExecutionFault extends Error {
  override readonly name = 'ExecutionFault';
  constructor(readonly kind: FaultKind) {
    super(kind);
  }
}

/** The value of an expression; `registers[base + r]` holds register `r`. Throws `ExecutionFault`. */
export type Evaluator = (registers: ArrayLike<number>, base: number) => number;

function fault(kind: FaultKind): never {
  throw new ExecutionFault(kind);
}

function fit(value: number): number {
  return (value | 0) === value ? value : fault('overflow');
}

/** `operator` applied to 32-bit integers; faults on overflow, instead of wrapping. */
export function applyUnary(operator: UnaryOperator, value: number): number {
  switch (operator) {
    case '-':
      return value === 0 ? 0 : fit(-value);
    case '!':
      return value === 0 ? 1 : 0;
    case '~':
      return ~value;
    default:
      return unreachable(operator);
  }
}

/**
 * `left operator right` on 32-bit integers, C's division (towards zero); faults on overflow, on division by zero and on a shift
 * count outside 0..31. `&&` and `||` are strict here: evaluators take care of the short circuit.
 */
export function applyBinary(operator: BinaryOperator, left: number, right: number): number {
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
      return right < 0 || right > 31 ? fault('overflow') : fit(left * 2 ** right);
    case '>>':
      return right < 0 || right > 31 ? fault('overflow') : left >> right;
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
      return unreachable(operator);
  }
}

/** The evaluator of `expression` in a program with the given symbols. */
export function compileExpression(
  expression: Expression,
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
    case 'address': {
      const base = symbols[expression.symbol]?.base ?? 0;
      return () => base;
    }
    case 'element': {
      const { base: first = 0, length = 0 } = symbols[expression.symbol] ?? {};
      const index = compileExpression(expression.index, symbols);
      return (registers, base) => {
        const i = index(registers, base);
        return i < 0 || i >= length ? fault('index') : first + i;
      };
    }
    case 'unary': {
      const { operator } = expression;
      const operand = compileExpression(expression.operand, symbols);
      return (registers, base) => applyUnary(operator, operand(registers, base));
    }
    case 'binary':
      return compileBinary(
        expression.operator,
        compileExpression(expression.left, symbols),
        compileExpression(expression.right, symbols),
      );
    default:
      return unreachable(expression);
  }
}

function compileBinary(operator: BinaryOperator, left: Evaluator, right: Evaluator): Evaluator {
  switch (operator) {
    case '&&':
      return (registers, base) =>
        left(registers, base) !== 0 && right(registers, base) !== 0 ? 1 : 0;
    case '||':
      return (registers, base) =>
        left(registers, base) !== 0 || right(registers, base) !== 0 ? 1 : 0;
    case '==':
      return (registers, base) => (left(registers, base) === right(registers, base) ? 1 : 0);
    case '!=':
      return (registers, base) => (left(registers, base) !== right(registers, base) ? 1 : 0);
    default:
      return (registers, base) =>
        applyBinary(operator, left(registers, base), right(registers, base));
  }
}

/** The value of an expression without registers, or `undefined` if it has some or faults. */
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
