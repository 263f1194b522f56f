import { constantValue } from '../../program/evaluate.js';
import type { Expression } from '../../program/expression.js';
import { constant } from '../../program/expression.js';
import type { Instruction, RmwOperation } from '../../program/instruction.js';
import { copyOf } from '../../program/parameterized-program.js';
import type { SharedSymbol } from '../../program/program.js';
import { indexOutOfBounds } from '../../source/diagnostic.js';
import type { Span } from '../../source/span.js';
import type { LoweredThread } from './lowered-thread.js';
import type { ProblemList } from './problem-list.js';
import { selfRegister } from './scope.js';

type ElementExpression = Expression & { readonly kind: 'element' };

/** Puts a value in the place of `self`; `onElement` sees each array access whose index it decides. */
class SelfReplacement {
  readonly #value: number;
  readonly #onElement: (expression: ElementExpression) => void;

  constructor(value: number, onElement: (expression: ElementExpression) => void) {
    this.#value = value;
    this.#onElement = onElement;
  }

  expression(expression: Expression): Expression {
    switch (expression.kind) {
      case 'constant':
      case 'address':
        return expression;
      case 'register':
        return expression.register === selfRegister ? constant(this.#value) : expression;
      case 'element': {
        const replaced = { ...expression, index: this.expression(expression.index) };
        this.#onElement(replaced);
        return replaced;
      }
      case 'unary':
        return { ...expression, operand: this.expression(expression.operand) };
      case 'binary':
        return {
          ...expression,
          left: this.expression(expression.left),
          right: this.expression(expression.right),
        };
    }
  }

  instruction(instruction: Instruction): Instruction {
    switch (instruction.kind) {
      case 'store':
        return {
          ...instruction,
          address: this.expression(instruction.address),
          value: this.expression(instruction.value),
        };
      case 'load':
        return { ...instruction, address: this.expression(instruction.address) };
      case 'rmw':
        return {
          ...instruction,
          address: this.expression(instruction.address),
          operation: this.#operation(instruction.operation),
        };
      case 'assign':
        return { ...instruction, value: this.expression(instruction.value) };
      case 'assume':
      case 'assert':
        return { ...instruction, condition: this.expression(instruction.condition) };
      case 'havoc':
        return instruction.where
          ? { ...instruction, where: this.expression(instruction.where) }
          : instruction;
      case 'fence':
      case 'lock':
      case 'unlock':
      case 'skip':
        return instruction;
    }
  }

  #operation(operation: RmwOperation): RmwOperation {
    switch (operation.kind) {
      case 'xchg':
        return { ...operation, value: this.expression(operation.value) };
      case 'cas':
        return {
          ...operation,
          expected: this.expression(operation.expected),
          desired: this.expression(operation.desired),
        };
      case 'fetch':
        return { ...operation, operand: this.expression(operation.operand) };
    }
  }
}

/** The copies 0 to `count - 1` of a thread, `self` replaced by the number of each. Reports indices that leave their arrays. */
export function copyThread(
  lowered: LoweredThread,
  count: number,
  symbols: readonly SharedSymbol[],
  problems: ProblemList,
): readonly LoweredThread[] {
  const reported = new Set<string>();
  const checkIndex = ({ symbol, index }: ElementExpression, span: Span | undefined): void => {
    const { name = '', length = 0 } = symbols[symbol] ?? {};
    const value = constantValue(index, symbols);
    if (value === undefined || (value >= 0 && value < length) || !span) return;
    const key = `${span.start.line}:${span.start.column}:${value}`;
    if (reported.has(key)) return;
    reported.add(key);
    problems.add(indexOutOfBounds(span, name, value, length));
  };
  return Array.from({ length: count }, (_, copy) => {
    const { thread } = lowered;
    const transitions = thread.transitions.map((transition) => {
      const { span } = transition.origin;
      const replacement = new SelfReplacement(copy, (element) => checkIndex(element, span));
      return { ...transition, instruction: replacement.instruction(transition.instruction) };
    });
    return { ...lowered, thread: copyOf({ ...thread, transitions }, copy) };
  });
}
