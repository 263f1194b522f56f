import { constant, selfRegister, type Expression } from './expression.js';
import type { Instruction, RmwOperation } from './instruction.js';

export type ElementExpression = Expression & { readonly kind: 'element' };

/** Puts a value in the place of `self`; `onElement` sees each array access whose index it decides. */
export class SelfReplacement {
  readonly #value: number;
  readonly #onElement: (expression: ElementExpression) => void;

  constructor(value: number, onElement: (expression: ElementExpression) => void = () => undefined) {
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
