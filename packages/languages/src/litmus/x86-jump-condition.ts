import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { binary, constant, type Expression } from '@fencewright/model/program/expression.js';
import type { X86Condition } from '../x86/mnemonics.js';

/**
 * The two values that the last flag-setting instruction compared; they take the place of the flags.
 */
export interface ComparedValues {
  readonly left: Expression;
  readonly right: Expression;
}

const smallest = constant(-(2 ** 31));

/** By condition of a jump, the condition under which the jump is not taken. */
export const negations: Readonly<Record<X86Condition, X86Condition>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '<=': '>',
  '>': '<=',
  'u<': 'u>=',
  'u>=': 'u<',
  'u<=': 'u>',
  'u>': 'u<=',
};

/**
 * Returns the condition of a jump, as an expression over the compared values. An unsigned
 * comparison compares the numbers with their highest bit flipped.
 */
export function conditionOf(condition: X86Condition, { left, right }: ComparedValues): Expression {
  const flip = (side: Expression) => binary('^', side, smallest);
  switch (condition) {
    case 'u<':
      return binary('<', flip(left), flip(right));
    case 'u<=':
      return binary('<=', flip(left), flip(right));
    case 'u>':
      return binary('>', flip(left), flip(right));
    case 'u>=':
      return binary('>=', flip(left), flip(right));
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return binary(condition, left, right);
    default:
      return unreachable(condition);
  }
}
