import { unreachable } from '../base/unreachable.js';
import type { RegisterId, SymbolId } from './ids.js';

/** Stands for `self`, the number of a thread's copy, in code that is shared by copies. */
export const selfRegister: RegisterId = -2;

/** C's unary operators: minus, logical not, bitwise complement. */
export type UnaryOperator = '-' | '!' | '~';

/** C's binary operators; comparisons and `&&`, `||` give 0 or 1, the latter two evaluate the right side only when needed. */
export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '&'
  | '|'
  | '^'
  | '<<'
  | '>>'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '&&'
  | '||';

/**
 * An expression over the registers of one thread: it never reads memory.
 * `address` is the address of a shared variable (the first cell of an array), `element` that of `symbol[index]`,
 * which faults when the index leaves the array.
 */
export type Expression =
  | { readonly kind: 'constant'; readonly value: number }
  | { readonly kind: 'register'; readonly register: RegisterId }
  | { readonly kind: 'address'; readonly symbol: SymbolId }
  | {
      readonly kind: 'element';
      readonly symbol: SymbolId;
      readonly index: Expression;
    }
  | {
      readonly kind: 'unary';
      readonly operator: UnaryOperator;
      readonly operand: Expression;
    }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    };

/** The constant expression for `value`. */
export function constant(value: number): Expression {
  return { kind: 'constant', value };
}

/** The expression that gives the value of `register`. */
export function registerValue(register: RegisterId): Expression {
  return { kind: 'register', register };
}

/** The expression `left operator right`. */
export function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator, left, right };
}

/** The expression `operator operand`. */
export function unary(operator: UnaryOperator, operand: Expression): Expression {
  return { kind: 'unary', operator, operand };
}

/** Calls `visit` for every register that occurs in the expression, from left to right, repetitions included. */
export function forEachRegister(
  expression: Expression,
  visit: (register: RegisterId) => void,
): void {
  switch (expression.kind) {
    case 'constant':
    case 'address':
      return;
    case 'register':
      visit(expression.register);
      return;
    case 'element':
      forEachRegister(expression.index, visit);
      return;
    case 'unary':
      forEachRegister(expression.operand, visit);
      return;
    case 'binary':
      forEachRegister(expression.left, visit);
      forEachRegister(expression.right, visit);
      return;
    default:
      unreachable(expression);
  }
}
