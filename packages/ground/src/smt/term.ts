/**
 * A term of SMT-LIB 2: over unbounded integers and maps from integers to integers, or a condition
 * on them. Truth values are no integers.
 */
export type Term =
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'truth'; readonly value: boolean }
  /** A declared constant, or a bound variable. */
  | { readonly kind: 'variable'; readonly name: string }
  /** An operator of SMT-LIB 2, or a declared or defined function. */
  | { readonly kind: 'apply'; readonly operator: string; readonly operands: readonly Term[] }
  /** A solver's text that is not parsed, for quantified formulas. */
  | { readonly kind: 'opaque'; readonly text: string };

export type Variable = Term & { readonly kind: 'variable' };

export const truth: Term = { kind: 'truth', value: true };
export const falsity: Term = { kind: 'truth', value: false };

/** The integer `value`. */
export function integer(value: number): Term {
  return { kind: 'integer', value };
}

/** Returns the variable called `name`; the name must not contain a bar or a backslash. */
export function variable(name: string): Variable {
  return { kind: 'variable', name };
}

/** The operator applied to the operands, without simplification. */
export function apply(operator: string, ...operands: Term[]): Term {
  return { kind: 'apply', operator, operands };
}

/** The term `-a`; for a positive number the negative number, which has an identical text. */
export function opposite(a: Term): Term {
  return a.kind === 'integer' && a.value > 0 ? integer(-a.value) : apply('-', a);
}

/** The integer term that is 1 if the condition holds, otherwise 0; not simplified. */
export function zeroOrOne(condition: Term): Term {
  return apply('ite', condition, integer(1), integer(0));
}

/** The condition that the given condition holds for every integer value of the variable. */
export function forAll({ name }: Variable, condition: Term): Term {
  return apply(`forall ((|${name}| Int))`, condition);
}

/** The map with value 0 everywhere. */
export const zeroMap: Term = apply('(as const (Array Int Int))', integer(0));

/** Formats a term in SMT-LIB 2. */
export function formatTerm(term: Term): string {
  switch (term.kind) {
    case 'integer':
      return term.value < 0 ? `(- ${-term.value})` : String(term.value);
    case 'truth':
      return String(term.value);
    case 'variable':
      return `|${term.name}|`;
    case 'opaque':
      return term.text;
    case 'apply':
      return `(${term.operator} ${term.operands.map(formatTerm).join(' ')})`;
  }
}

/** Whether two terms are written alike; terms that are written differently may still be equal. */
export function isSameTerm(a: Term, b: Term): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case 'integer':
    case 'truth':
      return a.kind === b.kind && a.value === b.value;
    case 'variable':
      return a.kind === b.kind && a.name === b.name;
    case 'opaque':
      return a.kind === b.kind && a.text === b.text;
    case 'apply':
      return (
        a.kind === b.kind &&
        a.operator === b.operator &&
        a.operands.length === b.operands.length &&
        a.operands.every((operand, i) => isSameTerm(operand, b.operands[i]!))
      );
  }
}

/** Whether the term is literally `true`. */
export function isTrue(term: Term): boolean {
  return term.kind === 'truth' && term.value;
}

/** Whether the term is literally `false`. */
export function isFalse(term: Term): boolean {
  return term.kind === 'truth' && !term.value;
}

/** Calls `visit` with the name of each variable, once for each occurrence. */
export function forEachVariable(term: Term, visit: (name: string) => void): void {
  if (term.kind === 'variable') visit(term.name);
  else if (term.kind === 'apply') for (const each of term.operands) forEachVariable(each, visit);
}

/**
 * The condition `a = b`; literally `true` or `false` if both are numbers, `true` if they are
 * written alike.
 */
export function equation(a: Term, b: Term): Term {
  if (a.kind === 'integer' && b.kind === 'integer') return a.value === b.value ? truth : falsity;
  return isSameTerm(a, b) ? truth : apply('=', a, b);
}

/** Returns the negation of a condition. */
export function not(a: Term): Term {
  if (a.kind === 'truth') return a.value ? falsity : truth;
  if (a.kind === 'apply' && a.operator === 'not') return a.operands[0] ?? a;
  return apply('not', a);
}

/** The conjunction of conditions; conditions that are literally `true` are left out. */
export function and(...conditions: readonly Term[]): Term {
  const needed = conditions.filter((c) => c.kind !== 'truth' || !c.value);
  if (needed.some(({ kind }) => kind === 'truth')) return falsity;
  const [only, ...others] = needed;
  if (!only) return truth;
  return others.length === 0 ? only : apply('and', ...needed);
}

/** The disjunction of conditions; conditions that are literally `false` are left out. */
export function or(...conditions: readonly Term[]): Term {
  const needed = conditions.filter((c) => c.kind !== 'truth' || c.value);
  if (needed.some(({ kind }) => kind === 'truth')) return truth;
  const [only, ...others] = needed;
  if (!only) return falsity;
  return others.length === 0 ? only : apply('or', ...needed);
}
