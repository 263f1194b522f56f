import type { Automata, Expression, Instruction, Operation, SharedSymbol } from './automata.js';
import { Endless } from './budget.js';
import { binaryOperations, Fault, fetchOperations, unaryOperations } from './operators.js';
import { unreachable } from './unreachable.js';

const least = -(2n ** 31n);
const greatest = 2n ** 31n - 1n;

/** Returns the value as a 32-bit integer; throws `Fault` if the value does not fit. */
function fit(value: bigint): number {
  if (value < least || value > greatest) throw new Fault('overflow');
  return Number(value);
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
      return fit(unaryOperations[expression.operator](BigInt(value(expression.operand))));
    case 'binary': {
      const { operator } = expression;
      const left = value(expression.left);
      // If the left side decides, the right side is not evaluated and cannot fault.
      if (operator === '&&' && left === 0) return 0;
      if (operator === '||' && left !== 0) return 1;
      return fit(binaryOperations[operator](BigInt(left), BigInt(value(expression.right))));
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

/** The maximum number of values of a `havoc` for which the verifier executes the `havoc`. */
const maxChoices = 4096;

/**
 * Returns the values that a `havoc` may choose; `value` evaluates the condition for a choice. If
 * the condition faults for a choice, `onFault` is called and the choice is left out: only the
 * executions with the faulting choice end. Throws `Endless`, which is no fault, for more than
 * `maxChoices` values.
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
