import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { binary, constant, type Expression } from '@fencewright/model/program/expression.js';
import type { Condition } from '../x86/mnemonics.js';

/** The two sides of the last comparison, in place of the flags. */
export interface Flags {
  readonly left: Expression;
  readonly right: Expression;
}

const smallest = constant(-(2 ** 31));

/** The condition that holds if a jump is not taken. */
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
 * Returns the condition of a jump on the compared values. Unsigned comparison: the order of the
 * numbers with their first bit flipped.
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
