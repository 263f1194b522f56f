import {
  and,
  apply,
  equation,
  formatTerm,
  not,
  or,
  truth,
  falsity,
  variable,
  type Term,
} from '@fencewright/ground/smt/term.js';

/**
 * Features inexpressible in Horn clauses, replaced by unknown values: cells of arrays, or bitwise
 * operators and products of unknowns.
 */
export type Forgotten = 'arrays' | 'operators';

/**
 * Rewrites terms for Horn clauses, which know only integers. Names become short names of a clause's
 * variables. A term with arrays, bitwise operators or products of unknowns becomes an unconstrained
 * variable, one for each text. Comparisons of numbers are decided. One object serves one clause.
 */
export class Projection {
  readonly #names: ReadonlySet<string>;
  readonly #variables = new Map<string, string>();
  /** The features of terms that `rewrite` has replaced by unknown values so far. */
  readonly forgotten = new Set<Forgotten>();

  /** Creates the projection for one clause; `names` are the symbols of integer terms. */
  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  /** The variables of the clause that the rewritten terms use so far. */
  get variables(): readonly string[] {
    return [...this.#variables.values()];
  }

  /**
   * Returns the term in the form that Horn clauses allow, over the clause's variables; `true` or
   * `false` if its value is known.
   */
  rewrite(term: Term): Term {
    if (term.kind === 'variable')
      return this.#names.has(term.name) ? this.#variableFor(term) : term;
    if (term.kind !== 'apply') return term;
    const { operator, operands } = term;
    if (!isKnown(operator, operands)) {
      this.forgotten.add(operator === 'select' ? 'arrays' : 'operators');
      return this.#variableFor(term);
    }
    return simplified(
      operator,
      operands.map((operand) => this.rewrite(operand)),
    );
  }

  #variableFor(term: Term): Term {
    const key = formatTerm(term);
    const name = this.#variables.get(key) ?? `v${this.#variables.size}`;
    this.#variables.set(key, name);
    return variable(name);
  }
}

const known = new Set(['and', 'or', 'not', '=>', '=', '<', '<=', '>', '>=', 'ite', '+', '-']);
const divisions = new Set(['quotient', 'remainder', 'div', 'mod']);

function isKnown(operator: string, operands: readonly Term[]): boolean {
  if (known.has(operator)) return true;
  if (operator === '*') return operands.filter(({ kind }) => kind !== 'integer').length <= 1;
  const divisor = operands[1];
  return divisions.has(operator) && divisor?.kind === 'integer' && divisor.value !== 0;
}

/**
 * Returns an equal term for `operator` applied to the operands, simplified where the operands
 * decide.
 */
function simplified(operator: string, operands: readonly Term[]): Term {
  const [first, second, third] = operands;
  if (operator === 'and') return and(...operands);
  if (operator === 'or') return or(...operands);
  if (operator === 'not' && first) return not(first);
  if (operator === 'ite' && first?.kind === 'truth' && second && third)
    return first.value ? second : third;
  const isPair = operands.length === 2 && first && second;
  if (operator === '=' && isPair) return equation(first, second);
  const relation = isPair && relations.get(operator);
  if (relation && first.kind === 'integer' && second.kind === 'integer')
    return relation(first.value, second.value) ? truth : falsity;
  return apply(operator, ...operands);
}

const relations: ReadonlyMap<string, (a: number, b: number) => boolean> = new Map([
  ['<', (a: number, b: number) => a < b],
  ['<=', (a: number, b: number) => a <= b],
  ['>', (a: number, b: number) => a > b],
  ['>=', (a: number, b: number) => a >= b],
]);
