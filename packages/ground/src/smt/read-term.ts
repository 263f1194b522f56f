import { formatSExpression, type SExpression } from '../solvers/s-expression.js';
import { apply, falsity, integer, opposite, truth, variable, type Term } from './term.js';

/**
 * Converts an s-expression of a solver to a term, with `let` expanded; parts that terms cannot
 * express become opaque. `undefined` if the term exceeds `mostNodes` symbols and lists.
 */
export function termOfSExpression(expression: SExpression, mostNodes: number): Term | undefined {
  return new TermReader(mostNodes).read(expression, new Map());
}

/** Operators of SMT-LIB 2 whose operands are in a new scope, or are not terms. */
const notApplied = new Set(['exists', 'forall', 'lambda', 'match', '!', '_', 'as']);

/** The term to which `let` binds a name, with the number of its nodes. */
interface BoundTerm {
  readonly term: Term;
  readonly nodes: number;
}

class TermReader {
  #left: number;

  constructor(mostNodes: number) {
    this.#left = mostNodes;
  }

  read(expression: SExpression, values: ReadonlyMap<string, BoundTerm>): Term | undefined {
    if (--this.#left < 0) return undefined;
    if (typeof expression === 'string') return this.#readLeaf(expression, values);
    const [operator, ...operands] = expression;
    if (operator === 'let') return this.#readLet(operands, values);
    if (typeof operator !== 'string' || notApplied.has(operator)) return opaque(expression);
    this.#left--;
    const read: Term[] = [];
    for (const operand of operands) {
      const term = this.read(operand, values);
      if (!term) return undefined;
      read.push(term);
    }
    const [only] = read;
    if (operator === '-' && read.length === 1 && only) return opposite(only);
    return apply(operator, ...read);
  }

  #readLeaf(text: string, values: ReadonlyMap<string, BoundTerm>): Term | undefined {
    const value = values.get(text);
    if (!value) return leaf(text);
    this.#left -= value.nodes;
    return this.#left < 0 ? undefined : value.term;
  }

  #readLet(
    [bindings, body]: readonly SExpression[],
    values: ReadonlyMap<string, BoundTerm>,
  ): Term | undefined {
    if (!Array.isArray(bindings) || body === undefined) return undefined;
    const inner = new Map(values);
    for (const [name, value] of bindings as readonly (readonly [string, SExpression])[]) {
      const before = this.#left;
      const term = this.read(value, values);
      if (!term) return undefined;
      inner.set(name, { term, nodes: before - this.#left });
    }
    return this.read(body, inner);
  }
}

function leaf(text: string): Term {
  if (text === 'true') return truth;
  if (text === 'false') return falsity;
  return /^[0-9]+$/.test(text) ? integer(Number(text)) : variable(text);
}

function opaque(expression: SExpression): Term {
  return { kind: 'opaque', text: formatSExpression(expression) };
}
