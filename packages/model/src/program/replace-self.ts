import { constant, mapParts, selfRegister, type Expression } from './expression.js';
import type { Instruction } from './instruction.js';
import { mapInstruction } from './rewrite.js';

export type ElementExpression = Expression & { readonly kind: 'element' };

/**
 * Replaces the pseudo-register `self` in instructions by a value; `onElement` receives each array
 * access whose index depends on `self`.
 */
export class SelfReplacement {
  readonly #value: number;
  readonly #onElement: (expression: ElementExpression) => void;

  constructor(value: number, onElement: (expression: ElementExpression) => void = () => undefined) {
    this.#value = value;
    this.#onElement = onElement;
  }

  expression(expression: Expression): Expression {
    if (expression.kind === 'register')
      return expression.register === selfRegister ? constant(this.#value) : expression;
    const replaced = mapParts(expression, (part) => this.expression(part));
    if (replaced.kind === 'element') this.#onElement(replaced);
    return replaced;
  }

  instruction(instruction: Instruction): Instruction {
    return mapInstruction(instruction, (expression) => this.expression(expression));
  }
}
