import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { binary, constant, type Expression } from '@fencewright/model/program/expression.js';
import type { Condition } from '../x86/mnemonics.js';

/** The two values last compared, in place of the flags. */
export interface Flags {
  readonly left: Expression;
  readonly right: Expression;
}

const smallest = constant(-(2 ** 31));

/** The condition under which a jump is not taken, by the jump's condition. */
export const negations: Readonly<Record<Condition, Condition>> = {
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
export function conditionOf(condition: Condition, { left, right }: Flags): Expression {
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
