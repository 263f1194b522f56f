import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import {
  conversions,
  isConversion,
  type BinaryOperator,
  type UnaryOperator,
} from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { SharedSymbol } from '@fencewright/model/program/program.js';
import type { RmwExpression } from '@fencewright/model/program/rmw.js';
import {
  bitTerm,
  unsignedComparison,
  wrappedTerm,
  wrappingTerm,
  type BitOperator,
  type UnsignedComparison,
  type ModularOperator,
} from '@fencewright/ground/smt/bits.js';
import {
  and,
  apply,
  equation,
  falsity,
  formatTerm,
  integer,
  not,
  opposite,
  or,
  truth,
  variable,
  zeroOrOne,
  type Term,
  type Variable,
} from '@fencewright/ground/smt/term.js';

/**
 * Returns the solver's variable with the name `key`; `hint`, a name in the program, helps readers
 * of the script. Keys contain no space, so different keys are different variables, whatever names a
 * program has.
 */
export function symbol(key: string, hint = ''): Variable {
  return variable(hint === '' ? key : `${key} ${hint.replace(/[^\w.$@#-]/g, '_')}`);
}

/** A constant of an SMT-LIB script, with its sort. */
export interface SmtDeclaration {
  readonly term: Variable;
  readonly sort: 'Int' | 'Bool' | '(Array Int Int)';
}

/**
 * Returns the declarations as commands of a script. Two declarations of one constant are refused,
 * since a constant must not stand for two things.
 */
export function declare(declarations: readonly SmtDeclaration[]): readonly string[] {
  const names = new Set<string>();
  return declarations.map(({ term, sort }) => {
    if (names.has(term.name))
      throw new InternalError(`a question has ${formatTerm(term)} for two things`);
    names.add(term.name);
    return `(declare-const ${formatTerm(term)} ${sort})`;
  });
}

/**
 * The prelude of every script: C's division, and bitwise operators or operators modulo 2^32,
 * uninterpreted unless `bitTerm` and `wrappingTerm` give terms for them. Facts proved about unknown
 * functions hold for the actual functions.
 */
export const operatorPrelude = `(define-fun quotient ((a Int) (b Int)) Int (ite (>= a 0) (div a b) (- (div (- a) b))))
(define-fun remainder ((a Int) (b Int)) Int (- a (* b (quotient a b))))
(declare-fun bits_and (Int Int) Int)
(declare-fun bits_or (Int Int) Int)
(declare-fun bits_xor (Int Int) Int)
(declare-fun shift_left (Int Int) Int)
(declare-fun shift_right (Int Int) Int)
(declare-fun unsigned_quotient (Int Int) Int)
(declare-fun unsigned_remainder (Int Int) Int)
(declare-fun wrapping_shift_left (Int Int) Int)
(declare-fun unsigned_shift_right (Int Int) Int)`;

const arithmetic = { '+': '+', '-': '-', '*': '*', '/': 'quotient', '%': 'remainder' } as const;

/** The uninterpreted functions that represent bitwise operators in a script. */
const bitFunctions: Readonly<Record<BitOperator, string>> = {
  '&': 'bits_and',
  '|': 'bits_or',
  '^': 'bits_xor',
  '<<': 'shift_left',
  '>>': 'shift_right',
};

function isBitOperator(operator: BinaryOperator): operator is BitOperator {
  return operator in bitFunctions;
}

/**
 * The uninterpreted functions for operators modulo 2^32. Operators that always have a term need no
 * such declaration.
 */
const wrappingFunctions: Readonly<Record<ModularOperator, string>> = {
  '+%': 'wrapping_sum',
  '-%': 'wrapping_difference',
  '*%': 'wrapping_product',
  '/%': 'unsigned_quotient',
  '%%': 'unsigned_remainder',
  '<<%': 'wrapping_shift_left',
  '>>%': 'unsigned_shift_right',
};

function isWrapping(operator: BinaryOperator): operator is ModularOperator {
  return operator in wrappingFunctions;
}

const unsignedComparisons: readonly string[] = [
  '<%',
  '<=%',
  '>%',
  '>=%',
] satisfies UnsignedComparison[];

function isUnsignedComparison(operator: BinaryOperator): operator is UnsignedComparison {
  return unsignedComparisons.includes(operator);
}

/** Whether the operator's result is a number, not a truth value. */
function givesNumber(
  operator: BinaryOperator,
): operator is keyof typeof arithmetic | BitOperator | ModularOperator {
  return operator in arithmetic || isBitOperator(operator) || isWrapping(operator);
}

/** The outermost operator of an expression of a program or an invariant, or its value as a term. */
export type OperatorNode<E> =
  | { readonly kind: 'value'; readonly term: Term }
  /** A truth value, whose value as a number is 1 or 0: `term` is a `Bool`. */
  | { readonly kind: 'truth'; readonly term: Term }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: E }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: E;
      readonly right: E;
    }
  | {
      readonly kind: 'conditional';
      readonly condition: E;
      readonly then: E;
      readonly otherwise: E;
    };

/**
 * Returns the integer term for an expression; `open` returns the outermost node of an expression.
 */
export function integerTerm<E>(expression: E, open: (expression: E) => OperatorNode<E>): Term {
  const node = open(expression);
  switch (node.kind) {
    case 'value':
      return node.term;
    case 'truth':
      return zeroOrOne(node.term);
    case 'unary': {
      const { operator, operand } = node;
      if (operator === '!') return zeroOrOne(conditionTerm(expression, open));
      const inner = integerTerm(operand, open);
      if (isConversion(operator)) return wrappedTerm(inner, conversions[operator]);
      return operator === '-' ? opposite(inner) : apply('-', apply('+', inner, integer(1)));
    }
    case 'binary': {
      const { operator } = node;
      if (!givesNumber(operator)) return zeroOrOne(conditionTerm(expression, open));
      const [left, right] = [integerTerm(node.left, open), integerTerm(node.right, open)];
      if (isBitOperator(operator))
        return bitTerm(operator, left, right) ?? apply(bitFunctions[operator], left, right);
      if (isWrapping(operator))
        return (
          wrappingTerm(operator, left, right) ?? apply(wrappingFunctions[operator], left, right)
        );
      return apply(arithmetic[operator], left, right);
    }
    case 'conditional': {
      const [then, otherwise] = [integerTerm(node.then, open), integerTerm(node.otherwise, open)];
      return apply('ite', conditionTerm(node.condition, open), then, otherwise);
    }
  }
}

/**
 * Returns the `Bool` term that an expression is not 0; `open` returns the outermost node of an
 * expression.
 */
export function conditionTerm<E>(expression: E, open: (expression: E) => OperatorNode<E>): Term {
  const node = open(expression);
  if (node.kind === 'unary' && node.operator === '!') return not(conditionTerm(node.operand, open));
  if (node.kind === 'truth') return node.term;
  if (node.kind === 'value' && node.term.kind === 'integer')
    return node.term.value === 0 ? falsity : truth;
  if (node.kind === 'binary') {
    const { operator, left, right } = node;
    if (operator === '&&') return and(conditionTerm(left, open), conditionTerm(right, open));
    if (operator === '||') return or(conditionTerm(left, open), conditionTerm(right, open));
    if (givesNumber(operator)) return not(equation(integerTerm(expression, open), integer(0)));
    const [a, b] = [integerTerm(left, open), integerTerm(right, open)];
    if (operator === '==') return equation(a, b);
    if (operator === '!=') return not(equation(a, b));
    if (isUnsignedComparison(operator)) return unsignedComparison(operator, a, b);
    return apply(operator, a, b);
  }
  return not(equation(integerTerm(expression, open), integer(0)));
}

/**
 * Returns a function that opens an expression's outermost node; `read` returns the term of a
 * thread's register, `old` is the term of the value that an rmw has read.
 */
export function programNodes(
  symbols: readonly SharedSymbol[],
  read: (register: RegisterId) => Term,
  old?: Term,
): (expression: RmwExpression) => OperatorNode<RmwExpression> {
  return (expression) => {
    switch (expression.kind) {
      case 'constant':
        return { kind: 'value', term: integer(expression.value) };
      case 'register':
        return { kind: 'value', term: read(expression.register) };
      case 'old':
        if (old === undefined) throw new InternalError('an old value where nothing was read');
        return { kind: 'value', term: old };
      case 'address':
        return { kind: 'value', term: integer(at(symbols, expression.symbol).base) };
      case 'element': {
        const base = { kind: 'constant', value: at(symbols, expression.symbol).base } as const;
        return { kind: 'binary', operator: '+', left: base, right: expression.index };
      }
      case 'unary':
      case 'binary':
      case 'conditional':
        return expression;
    }
  };
}
