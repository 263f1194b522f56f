import {
  and,
  apply,
  equation,
  falsity,
  integer,
  isSameTerm,
  not,
  or,
  truth,
  type Term,
} from './term.js';

// Terms over integers, simplified during construction, so that known values are recognised.

/**
 * Returns the number computed by `operate`, as a term, if both operands are numbers and the result
 * is exact; otherwise `undefined`.
 */
function fold(
  a: Term,
  b: Term,
  operate: (left: number, right: number) => number,
): Term | undefined {
  if (a.kind !== 'integer' || b.kind !== 'integer') return undefined;
  const value = operate(a.value, b.value);
  return Number.isSafeInteger(value) ? integer(value + 0) : undefined;
}

function isInteger(term: Term, value: number): boolean {
  return term.kind === 'integer' && term.value === value;
}

export function plus(a: Term, b: Term): Term {
  if (isInteger(a, 0)) return b;
  if (isInteger(b, 0)) return a;
  return fold(a, b, (x, y) => x + y) ?? apply('+', a, b);
}

export function minus(a: Term, b: Term): Term {
  if (isInteger(b, 0)) return a;
  return fold(a, b, (x, y) => x - y) ?? apply('-', a, b);
}

export function times(a: Term, b: Term): Term {
  if (isInteger(a, 1)) return b;
  if (isInteger(b, 1)) return a;
  return fold(a, b, (x, y) => x * y) ?? apply('*', a, b);
}

/** The term for the quotient rounded down; `divisor` is positive. */
export function floorQuotient(a: Term, divisor: number): Term {
  if (divisor === 1) return a;
  return (
    fold(a, integer(divisor), (x, y) => Math.floor(x / y)) ?? apply('div', a, integer(divisor))
  );
}

/** The term for the remainder in `0 .. divisor - 1`; `divisor` is positive. */
export function floorRemainder(a: Term, divisor: number): Term {
  if (divisor === 1) return integer(0);
  const folded = fold(a, integer(divisor), (x, y) => x - y * Math.floor(x / y));
  return folded ?? apply('mod', a, integer(divisor));
}

export function ifThenElse(condition: Term, then: Term, otherwise: Term): Term {
  if (condition.kind === 'truth') return condition.value ? then : otherwise;
  return isSameTerm(then, otherwise) ? then : apply('ite', condition, then, otherwise);
}

/**
 * Returns the condition and the two numbers of an if-then-else term with numbers as alternatives;
 * `undefined` for other terms.
 */
export function choiceOf(
  term: Term,
): { readonly condition: Term; readonly then: number; readonly otherwise: number } | undefined {
  if (term.kind !== 'apply' || term.operator !== 'ite') return undefined;
  const [condition, then, otherwise] = term.operands;
  if (condition === undefined || then?.kind !== 'integer' || otherwise?.kind !== 'integer')
    return undefined;
  return { condition, then: then.value, otherwise: otherwise.value };
}

export function equal(a: Term, b: Term): Term {
  if (a.kind === 'integer' && b.kind !== 'integer') return equal(b, a);
  const choice = choiceOf(a);
  if (choice && b.kind === 'integer')
    return or(
      choice.then === b.value ? choice.condition : falsity,
      choice.otherwise === b.value ? not(choice.condition) : falsity,
    );
  return equation(a, b);
}

/**
 * The term `a < b`; all order relations are expressed by `less`, so that a condition and its
 * negation are recognised as opposites.
 */
export function less(a: Term, b: Term): Term {
  if (a.kind === 'integer' && b.kind === 'integer') return a.value < b.value ? truth : falsity;
  return isSameTerm(a, b) ? falsity : apply('<', a, b);
}

/** The integer term that is 1 if the condition holds, otherwise 0. */
export function truthAsNumber(condition: Term): Term {
  return ifThenElse(condition, integer(1), integer(0));
}

/** The condition that an integer term is not 0. */
export function isNonZero(term: Term): Term {
  return not(equal(term, integer(0)));
}

/** The term with variables replaced by terms, simplified as during construction. */
export function substitute(term: Term, values: ReadonlyMap<string, Term>): Term {
  if (term.kind === 'variable') return values.get(term.name) ?? term;
  if (term.kind !== 'apply') return term;
  const operands = term.operands.map((operand) => substitute(operand, values));
  const [a, b, c] = operands;
  if (a && term.operator === 'not') return not(a);
  if (term.operator === 'and') return and(...operands);
  if (term.operator === 'or') return or(...operands);
  if (a && b && c && term.operator === 'ite') return ifThenElse(a, b, c);
  if (a && b && operands.length === 2) {
    const make = { '+': plus, '-': minus, '*': times, '=': equal, '<': less }[term.operator];
    if (make) return make(a, b);
  }
  return { ...term, operands };
}
