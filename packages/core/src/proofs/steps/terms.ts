import type { BinaryOperator, UnaryOperator } from '../../program/expression.js';
import type { RegisterId } from '../../program/ids.js';
import type { SharedSymbol } from '../../program/program.js';
import type { RmwExpression } from '../../program/rmw.js';
import { InternalError } from '../../base/unreachable.js';
import { bitTerm } from './bit-terms.js';

/**
 * Terms of SMT-LIB 2 as text, over unbounded integers. Truth values of programs are the integers 0 and 1; conditions are `Bool`.
 */

/** A number. */
export function numeral(value: number): string {
  return value < 0 ? `(- ${-value})` : String(value);
}

/**
 * A symbol that is told from others by `key`; `hint` is a name of the program for who reads the script. No key has a space in it, so that
 * different keys are different symbols, whatever names a program has.
 */
export function symbol(key: string, hint = ''): string {
  return hint === '' ? `|${key}|` : `|${key} ${hint.replace(/[^\w.$@#-]/g, '_')}|`;
}

/** A constant of a script. */
export interface Declaration {
  readonly term: string;
  readonly sort: 'Int' | 'Bool' | '(Array Int Int)';
}

/** The declarations as commands. A constant that is declared twice would make one of two things: that is refused. */
export function declare(declarations: readonly Declaration[]): readonly string[] {
  const terms = declarations.map(({ term }) => term);
  const twice = terms.find((term, i) => terms.indexOf(term) !== i);
  if (twice !== undefined) throw new InternalError(`a question has ${twice} for two things`);
  return declarations.map(({ term, sort }) => `(declare-const ${term} ${sort})`);
}

export function conjunction(terms: readonly string[]): string {
  if (terms.includes('false')) return 'false';
  const kept = terms.filter((term) => term !== 'true');
  return kept.length === 0 ? 'true' : kept.length === 1 ? kept[0]! : `(and ${kept.join(' ')})`;
}

export function disjunction(terms: readonly string[]): string {
  if (terms.includes('true')) return 'true';
  const kept = terms.filter((term) => term !== 'false');
  return kept.length === 0 ? 'false' : kept.length === 1 ? kept[0]! : `(or ${kept.join(' ')})`;
}

export function negation(term: string): string {
  return term === 'true' ? 'false' : term === 'false' ? 'true' : `(not ${term})`;
}

export function equality(a: string, b: string): string {
  if (a === b) return 'true';
  return isNatural(a) && isNatural(b) ? 'false' : `(= ${a} ${b})`;
}

function isNatural(term: string): boolean {
  return /^(0|[1-9][0-9]*)$/.test(term);
}

/**
 * What every script starts with: C's division, and operators on bits, of which nothing is known where `bitTerm` has no arithmetic for them. What is
 * proved of unknown functions holds of the real ones.
 */
export const operatorPrelude = `(define-fun quotient ((a Int) (b Int)) Int (ite (>= a 0) (div a b) (- (div (- a) b))))
(define-fun remainder ((a Int) (b Int)) Int (- a (* b (quotient a b))))
(declare-fun bits_and (Int Int) Int)
(declare-fun bits_or (Int Int) Int)
(declare-fun bits_xor (Int Int) Int)
(declare-fun shift_left (Int Int) Int)
(declare-fun shift_right (Int Int) Int)`;

const arithmetic: Partial<Record<BinaryOperator, string>> = {
  '+': '+',
  '-': '-',
  '*': '*',
  '/': 'quotient',
  '%': 'remainder',
  '&': 'bits_and',
  '|': 'bits_or',
  '^': 'bits_xor',
  '<<': 'shift_left',
  '>>': 'shift_right',
};

const comparisons: Partial<Record<BinaryOperator, string>> = {
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

/** A node of an expression: of a program's, or of an invariant's. */
export type Node<E> =
  | { readonly kind: 'value'; readonly term: string }
  /** 1 or 0, `term` being a `Bool`. */
  | { readonly kind: 'truth'; readonly term: string }
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

/** The integer that an expression denotes; `open` shows its outermost node. */
export function integerTerm<E>(expression: E, open: (expression: E) => Node<E>): string {
  const node = open(expression);
  switch (node.kind) {
    case 'value':
      return node.term;
    case 'truth':
      return `(ite ${node.term} 1 0)`;
    case 'unary': {
      const { operator, operand } = node;
      if (operator === '!') return `(ite ${conditionTerm(expression, open)} 1 0)`;
      const inner = integerTerm(operand, open);
      return operator === '-' ? `(- ${inner})` : `(- (+ ${inner} 1))`;
    }
    case 'binary': {
      const name = arithmetic[node.operator];
      if (name === undefined) return `(ite ${conditionTerm(expression, open)} 1 0)`;
      const [left, right] = [integerTerm(node.left, open), integerTerm(node.right, open)];
      return bitTerm(node.operator, left, right) ?? `(${name} ${left} ${right})`;
    }
    case 'conditional': {
      const [then, otherwise] = [integerTerm(node.then, open), integerTerm(node.otherwise, open)];
      return `(ite ${conditionTerm(node.condition, open)} ${then} ${otherwise})`;
    }
  }
}

/** Whether an expression is not 0, as a `Bool`. */
export function conditionTerm<E>(expression: E, open: (expression: E) => Node<E>): string {
  const node = open(expression);
  if (node.kind === 'unary' && node.operator === '!')
    return negation(conditionTerm(node.operand, open));
  if (node.kind === 'truth') return node.term;
  if (node.kind === 'value') {
    if (node.term === '0') return 'false';
    if (isNatural(node.term)) return 'true';
  }
  if (node.kind === 'binary') {
    const { operator, left, right } = node;
    if (operator === '&&')
      return conjunction([conditionTerm(left, open), conditionTerm(right, open)]);
    if (operator === '||')
      return disjunction([conditionTerm(left, open), conditionTerm(right, open)]);
    const [a, b] = [integerTerm(left, open), integerTerm(right, open)];
    if (operator === '==') return equality(a, b);
    if (operator === '!=') return negation(equality(a, b));
    const name = comparisons[operator];
    if (name !== undefined) return `(${name} ${a} ${b})`;
  }
  return negation(equality(integerTerm(expression, open), '0'));
}

/** Shows the nodes of expressions over the registers of a thread; `read` gives a register's term, `old` is what an rmw has read. */
export function programNodes(
  symbols: readonly SharedSymbol[],
  read: (register: RegisterId) => string,
  old?: string,
): (expression: RmwExpression) => Node<RmwExpression> {
  return (expression) => {
    switch (expression.kind) {
      case 'constant':
        return { kind: 'value', term: numeral(expression.value) };
      case 'register':
        return { kind: 'value', term: read(expression.register) };
      case 'old':
        if (old === undefined) throw new InternalError('an old value where nothing was read');
        return { kind: 'value', term: old };
      case 'address':
        return { kind: 'value', term: numeral(symbols[expression.symbol]?.base ?? 0) };
      case 'element': {
        const base = { kind: 'constant', value: symbols[expression.symbol]?.base ?? 0 } as const;
        return { kind: 'binary', operator: '+', left: base, right: expression.index };
      }
      case 'unary':
      case 'binary':
      case 'conditional':
        return expression;
    }
  };
}
