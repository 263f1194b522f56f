import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { binary, constant, type Expression } from '@fencewright/model/program/expression.js';
import type { Condition } from '../../../core/src/x86/mnemonics.js';

/** What the last comparison compared: flags are kept as its two sides. */
export interface Flags {
  readonly left: Expression;
  readonly right: Expression;
}

const smallest = constant(-(2 ** 31));

/** What holds where a jump is not taken. */
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
 * The condition of a jump on what was compared. Without signs: the order of the numbers with their
 * first bit flipped.
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
