import {
  formatSExpression,
  parseSExpressions,
  type SExpression,
} from '../../solvers/s-expression.js';

/** Cells of arrays, and operators that Horn clauses do without. */
export type Forgotten = 'arrays' | 'operators';

/**
 * Rewrites terms for Horn clauses, which know integers and nothing else: names get short ones that are variables of a clause, and what needs arrays,
 * operators on bits or products of unknowns becomes a variable of which nothing is known, the same one for the same text. Comparisons of
 * numbers are decided. One object is for one clause.
 */
export class Projection {
  readonly #names: ReadonlySet<string>;
  readonly #variables = new Map<string, string>();
  /** What was replaced by unknown values. */
  readonly forgotten = new Set<Forgotten>();

  /** `names` are the symbols, without bars, that stand for integers. */
  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  /** The variables that have been used so far. */
  get variables(): readonly string[] {
    return [...this.#variables.values()];
  }

  /** The term over the variables of the clause; `true` and `false` where that is known. */
  rewrite(term: string): string {
    const [expression = 'true'] = parseSExpressions(term);
    return formatSExpression(this.#rewrite(expression));
  }

  #variableFor(key: string): string {
    const name = this.#variables.get(key) ?? `v${this.#variables.size}`;
    this.#variables.set(key, name);
    return name;
  }

  #rewrite(term: SExpression): SExpression {
    if (typeof term === 'string') return this.#names.has(term) ? this.#variableFor(term) : term;
    const [operator, ...operands] = term;
    if (typeof operator !== 'string') return term;
    if (!isKnown(operator, operands)) {
      this.forgotten.add(operator === 'select' ? 'arrays' : 'operators');
      return this.#variableFor(formatSExpression(term));
    }
    return simplify(
      operator,
      operands.map((operand) => this.#rewrite(operand)),
    );
  }
}

const known = new Set(['and', 'or', 'not', '=>', '=', '<', '<=', '>', '>=', 'ite', '+', '-']);

function isKnown(operator: string, operands: readonly SExpression[]): boolean {
  if (known.has(operator)) return true;
  if (operator === '*') return operands.filter((operand) => !isNumeral(operand)).length <= 1;
  const isDivision = ['quotient', 'remainder', 'div', 'mod'].includes(operator);
  return isDivision && toNumber(operands[1]) !== undefined && toNumber(operands[1]) !== 0;
}

/** The number that a numeral denotes. */
export function toNumber(term: SExpression | undefined): number | undefined {
  if (typeof term === 'string') return /^[0-9]+$/.test(term) ? Number(term) : undefined;
  const value = term?.length === 2 && term[0] === '-' ? toNumber(term[1]) : undefined;
  return value === undefined ? undefined : -value;
}

function isNumeral(term: SExpression): boolean {
  return toNumber(term) !== undefined;
}

/** The term, or a simpler one that is equal. */
function simplify(operator: string, operands: readonly SExpression[]): SExpression {
  const [first = 'true', second = 'true', third = 'true'] = operands;
  switch (operator) {
    case 'not':
      return first === 'true' ? 'false' : first === 'false' ? 'true' : ['not', first];
    case 'and':
    case 'or': {
      const [neutral, absorbing] = operator === 'and' ? ['true', 'false'] : ['false', 'true'];
      if (operands.includes(absorbing)) return absorbing;
      const kept = operands.filter((operand) => operand !== neutral);
      return kept.length === 0 ? neutral : kept.length === 1 ? kept[0]! : [operator, ...kept];
    }
    case 'ite':
      return first === 'true' ? second : first === 'false' ? third : [operator, ...operands];
    case '=':
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const decided = operands.length === 2 ? compare(operator, first, second) : undefined;
      return decided === undefined ? [operator, ...operands] : String(decided);
    }
    default:
      return [operator, ...operands];
  }
}

function compare(operator: string, left: SExpression, right: SExpression): boolean | undefined {
  const [a, b] = [toNumber(left), toNumber(right)];
  if (a === undefined || b === undefined)
    return operator === '=' && formatSExpression(left) === formatSExpression(right)
      ? true
      : undefined;
  switch (operator) {
    case '=':
      return a === b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    default:
      return a >= b;
  }
}
