import type {
  Automata,
  Expression,
  Instruction,
  Operation,
  SharedSymbol,
  UnaryOperator,
} from './automata.js';
import { Endless } from './budget.js';
import { fetchOperations } from './fetch-operations.js';
import { unreachable } from './unreachable.js';

type FaultKind = 'overflow' | 'division by zero' | 'domain' | 'index';

/**
 * Thrown at an instruction without a result, such as a division by zero; the execution ends at the
 * instruction.
 */
export class Fault extends Error {
  override readonly name = 'Fault';
  constructor(readonly kind: FaultKind) {
    super(kind);
  }
}

const least = -(2n ** 31n);
const greatest = 2n ** 31n - 1n;

/** Returns the value as a 32-bit integer; throws `Fault` if the value does not fit. */
function fit(value: bigint): number {
  if (value < least || value > greatest) throw new Fault('overflow');
  return Number(value);
}

function divisor(value: bigint): bigint {
  if (value === 0n) throw new Fault('division by zero');
  return value;
}

function shiftCount(value: bigint): bigint {
  if (value < 0n || value > 31n) throw new Fault('overflow');
  return value;
}

function unaryValue(operator: UnaryOperator, value: number): number {
  switch (operator) {
    case '-':
      return fit(-BigInt(value));
    case '!':
      return value === 0 ? 1 : 0;
    case '~':
      return fit(-BigInt(value) - 1n);
    case 'i8':
      return Number(BigInt.asIntN(8, BigInt(value)));
    case 'u8':
      return Number(BigInt.asUintN(8, BigInt(value)));
    case 'i16':
      return Number(BigInt.asIntN(16, BigInt(value)));
    case 'u16':
      return Number(BigInt.asUintN(16, BigInt(value)));
    default:
      return unreachable(operator);
  }
}

type Modular = '+%' | '-%' | '*%' | '/%' | '%%' | '<<%' | '>>%' | '<%' | '<=%' | '>%' | '>=%';
type Strict = Exclude<Extract<Expression, { kind: 'binary' }>['operator'], '&&' | '||'>;

/**
 * Applies an operator. Division rounds towards zero, as in C; a remainder has the sign of the left
 * side.
 */
function binaryValue(operator: Strict, a: bigint, b: bigint): number {
  switch (operator) {
    case '+':
      return fit(a + b);
    case '-':
      return fit(a - b);
    case '*':
      return fit(a * b);
    case '/':
      return fit(a / divisor(b));
    case '%':
      return fit(a % divisor(b));
    case '&':
      return fit(a & b);
    case '|':
      return fit(a | b);
    case '^':
      return fit(a ^ b);
    case '<<':
      return fit(a << shiftCount(b));
    case '>>':
      return fit(a >> shiftCount(b));
    case '==':
      return a === b ? 1 : 0;
    case '!=':
      return a !== b ? 1 : 0;
    case '<':
      return a < b ? 1 : 0;
    case '<=':
      return a <= b ? 1 : 0;
    case '>':
      return a > b ? 1 : 0;
    case '>=':
      return a >= b ? 1 : 0;
    default:
      return moduloWord(operator, natural(a), natural(b));
  }
}

/** Returns the integer in 0 to 2^32 - 1 with the same 32 bits as `value`. */
function natural(value: bigint): bigint {
  return BigInt.asUintN(32, value);
}

/** Applies an operator modulo 2^32 to integers in 0 to 2^32 - 1; returns a signed 32-bit number. */
function moduloWord(operator: Modular, a: bigint, b: bigint): number {
  const word = (value: bigint): number => Number(BigInt.asIntN(32, value));
  switch (operator) {
    case '+%':
      return word(a + b);
    case '-%':
      return word(a - b);
    case '*%':
      return word(a * b);
    case '/%':
      return word(a / divisor(b));
    case '%%':
      return word(a % divisor(b));
    case '<<%':
      return word(a << shiftCount(b));
    case '>>%':
      return word(a >> shiftCount(b));
    case '<%':
      return a < b ? 1 : 0;
    case '<=%':
      return a <= b ? 1 : 0;
    case '>%':
      return a > b ? 1 : 0;
    case '>=%':
      return a >= b ? 1 : 0;
    default:
      return unreachable(operator);
  }
}

/**
 * Returns the value of an expression in a thread with the given registers. Throws `Fault`. `self`
 * is the number of the thread's copy.
 */
export function evaluate(
  expression: Expression,
  registers: readonly number[],
  symbols: readonly SharedSymbol[],
  self = 0,
): number {
  const value = (part: Expression): number => evaluate(part, registers, symbols, self);
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'register':
      return registers[expression.register]!;
    case 'self':
      return self;
    case 'address':
      return symbols[expression.symbol]!.base;
    case 'element': {
      const { base, length } = symbols[expression.symbol]!;
      const index = value(expression.index);
      if (index < 0 || index >= length) throw new Fault('index');
      return base + index;
    }
    case 'unary':
      return unaryValue(expression.operator, value(expression.operand));
    case 'binary': {
      const { operator } = expression;
      const left = value(expression.left);
      // If the left side decides, the right side is not evaluated and cannot fault.
      if (operator === '&&') return left !== 0 && value(expression.right) !== 0 ? 1 : 0;
      if (operator === '||') return left !== 0 || value(expression.right) !== 0 ? 1 : 0;
      return binaryValue(operator, BigInt(left), BigInt(value(expression.right)));
    }
    default:
      return unreachable(expression);
  }
}

/**
 * Returns the value that an rmw writes on reading `old`; `undefined` for a failing
 * compare-and-swap. Throws `Fault`.
 */
export function writtenBy(
  operation: Operation,
  old: number,
  value: (expression: Expression) => number,
): number | undefined {
  switch (operation.kind) {
    case 'xchg':
      return value(operation.value);
    case 'cas':
      return old === value(operation.expected) ? value(operation.desired) : undefined;
    case 'fetch':
      return fit(
        fetchOperations[operation.operator](BigInt(old), BigInt(value(operation.operand))),
      );
    default:
      return unreachable(operation);
  }
}

/** Returns `value` if memory may hold the value, else throws `Fault`. */
export function storable(value: number, { domain }: Pick<Automata, 'domain'>): number {
  if (domain && (value < domain.low || value > domain.high)) throw new Fault('domain');
  return value;
}

/** Maximal number of values of one `havoc` that are tried one by one. */
const maxChoices = 4096;

/**
 * Returns the values that a `havoc` may choose; `value` evaluates the condition for a choice. If
 * the condition faults, only the executions with that choice end there: `onFault` is called, and
 * the other values remain. Throws `Endless` if there are more than `maxChoices`: no execution ends
 * there.
 */
export function choices(
  instruction: Extract<Instruction, { kind: 'havoc' }>,
  { domain }: Pick<Automata, 'domain'>,
  value: (condition: Expression, choice: number) => number,
  onFault: (fault: Fault) => void,
): readonly number[] {
  const range = instruction.range ?? domain;
  if (!range || range.high - range.low >= maxChoices)
    throw new Endless(`a choice among more than ${maxChoices} values`);
  const { low, high } = range;
  const { where } = instruction;
  const all = Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i);
  if (!where) return all;
  return all.filter((choice) => {
    try {
      return value(where, choice) !== 0;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      onFault(error);
      return false;
    }
  });
}
