import { hasPart } from '@fencewright/model/program/expression.js';
import type { InvariantExpression } from '@fencewright/model/program/program.js';
import { termOfSExpression } from '@fencewright/ground/smt/read-term.js';
import { and, formatTerm, not, or, truth, type Term } from '@fencewright/ground/smt/term.js';
import { parseSmtModel, type SmtDefinition } from '@fencewright/ground/solvers/smt-model.js';
import type { PairEnd, PairParameter, PairPredicate } from './horn-clauses.js';
import { comparison, type Comparator } from './linear-form.js';
import type { ProofProgram } from '../steps/proof-program.js';

/**
 * A claim that a solver's solution makes about two threads at two locations; the binders of `claim`
 * are these threads, in the order of `ends`.
 */
export interface PairLemma {
  readonly ends: readonly [PairEnd, PairEnd];
  readonly claim: InvariantExpression;
}

/** The maximum size of a term with its abbreviations expanded; larger terms are left out. */
const mostNodes = 400;

/**
 * Translates a solver's interpretation of the predicates into the language of invariants: a lemma
 * for each part of a conjunction. Inexpressible parts are left out. No lemma is trusted: lemmas are
 * candidates.
 */
export function readSolution(
  program: ProofProgram,
  predicates: readonly PairPredicate[],
  model: string,
): readonly PairLemma[] {
  const definitions = parseSmtModel(model);
  return predicates.flatMap((predicate) => {
    const definition = definitions.get(predicate.name);
    if (!definition) return [];
    const reader = new SolutionReader(program, predicate, definition);
    return reader.claims().map((claim) => ({ ends: predicate.ends, claim }));
  });
}

/** A logical formula with negation only at comparisons. */
type Formula =
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'all' | 'some'; readonly parts: readonly Formula[] }
  | { readonly kind: 'claim'; readonly claim: InvariantExpression };

class Inexpressible extends Error {}

class SolutionReader {
  readonly #program: ProofProgram;
  readonly #arguments: ReadonlyMap<string, InvariantExpression>;
  /** The body of the predicate's definition in the solution; absent if too large. */
  readonly #body: Term | undefined;

  constructor(
    program: ProofProgram,
    { parameters }: PairPredicate,
    { parameters: names, body }: SmtDefinition,
  ) {
    this.#program = program;
    this.#body = termOfSExpression(body, mostNodes);
    this.#arguments = new Map(
      parameters.flatMap((parameter, i) => {
        const value = this.#argument(parameter);
        const name = names[i]?.name;
        return name !== undefined && value ? [[name, value] as const] : [];
      }),
    );
  }

  claims(): readonly InvariantExpression[] {
    if (!this.#body) return [];
    return conjuncts(this.#body, true).flatMap(({ term, holds }) => {
      try {
        const claim = toClaim(this.#formula(term, holds));
        return claim.kind === 'constant' && claim.value !== 0 ? [] : [claim];
      } catch (error) {
        if (error instanceof Inexpressible) return [];
        throw error;
      }
    });
  }

  /**
   * Returns the expression for a parameter of a predicate; `undefined` if the parameter is a part
   * of memory that belongs to no shared variable.
   */
  #argument(parameter: PairParameter): InvariantExpression | undefined {
    if (parameter.kind === 'register')
      return { kind: 'register', binder: parameter.end, register: parameter.register };
    const { symbols } = this.#program.templates;
    return parameter.variable < symbols.length
      ? { kind: 'cell', symbol: parameter.variable }
      : undefined;
  }

  #formula(term: Term, holds: boolean): Formula {
    if (term.kind === 'truth') return { kind: 'truth', value: term.value === holds };
    if (term.kind !== 'apply') throw new Inexpressible(formatTerm(term));
    const { operator, operands } = term;
    const [first = truth, second = truth, third = truth] = operands;
    switch (operator) {
      case 'not':
        return this.#formula(first, !holds);
      case 'and':
      case 'or':
        return gather(
          (operator === 'and') === holds ? 'all' : 'some',
          operands.map((operand) => this.#formula(operand, holds)),
        );
      case '=>':
        return this.#formula(or(not(first), second), holds);
      case 'ite':
        return this.#formula(and(or(not(first), second), or(first, third)), holds);
      case '=':
        if (isTruth(first) || isTruth(second))
          return this.#formula(and(or(not(first), second), or(first, not(second))), holds);
        return this.#comparison('==', first, second, holds);
      case '<':
      case '<=':
      case '>':
      case '>=':
        return this.#comparison(operator, first, second, holds);
      default:
        throw new Inexpressible(operator);
    }
  }

  #comparison(operator: Comparator, left: Term, right: Term, holds: boolean): Formula {
    const difference: InvariantExpression = {
      kind: 'binary',
      operator: '-',
      left: this.#integer(left),
      right: this.#integer(right),
    };
    const claim = comparison(holds ? operator : opposites[operator], difference);
    if (typeof claim !== 'boolean' && hasPart(claim, isLarge))
      throw new Inexpressible('a number of more than 32 bits');
    return typeof claim === 'boolean' ? { kind: 'truth', value: claim } : { kind: 'claim', claim };
  }

  #integer(term: Term): InvariantExpression {
    if (term.kind === 'integer') return { kind: 'constant', value: term.value };
    if (term.kind === 'variable') {
      const argument = this.#arguments.get(term.name);
      if (!argument) throw new Inexpressible(term.name);
      return argument;
    }
    if (term.kind !== 'apply') throw new Inexpressible(formatTerm(term));
    const { operator, operands } = term;
    const [first, ...others] = operands.map((operand) => this.#integer(operand));
    if (!first) throw new Inexpressible(operator);
    if (operator === '-' && others.length === 0)
      return { kind: 'unary', operator: '-', operand: first };
    if (operator === '+' || operator === '-' || operator === '*')
      return others.reduce(
        (left, right): InvariantExpression => ({ kind: 'binary', operator, left, right }),
        first,
      );
    const divisor = others[0];
    if (operator !== 'mod' || divisor?.kind !== 'constant' || divisor.value <= 0)
      throw new Inexpressible(operator);
    // The language's remainder has the sign of the dividend.
    const rest = (left: InvariantExpression): InvariantExpression => ({
      kind: 'binary',
      operator: '%',
      left,
      right: divisor,
    });
    return rest({ kind: 'binary', operator: '+', left: rest(first), right: divisor });
  }
}

/** Whether the expression is a number outside the range of numbers in programs. */
function isLarge(part: InvariantExpression): boolean {
  return part.kind === 'constant' && (part.value | 0) !== part.value;
}

const opposites: Readonly<Record<Comparator, Comparator>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

const truthOperators = new Set(['not', 'and', 'or', '=>', '=', '<', '<=', '>', '>=']);

function isTruth(term: Term): boolean {
  return term.kind === 'truth' || (term.kind === 'apply' && truthOperators.has(term.operator));
}

/**
 * Returns the conjuncts of a term, or of its negation if `holds` is false. A conjunct with `holds`
 * false is to be negated.
 */
function conjuncts(
  term: Term,
  holds: boolean,
): readonly { readonly term: Term; readonly holds: boolean }[] {
  if (term.kind === 'apply') {
    const { operator, operands } = term;
    if (operator === 'not') return operands.flatMap((operand) => conjuncts(operand, !holds));
    if (operator === (holds ? 'and' : 'or'))
      return operands.flatMap((operand) => conjuncts(operand, holds));
  }
  return [{ term, holds }];
}

function gather(kind: 'all' | 'some', parts: readonly Formula[]): Formula {
  const neutral = kind === 'all';
  const kept = parts.filter((part) => part.kind !== 'truth' || part.value !== neutral);
  const absorbing = kept.find((part) => part.kind === 'truth');
  if (absorbing) return absorbing;
  const [only, ...others] = kept;
  if (!only) return { kind: 'truth', value: neutral };
  return others.length === 0 ? only : { kind, parts: kept };
}

function toClaim(formula: Formula): InvariantExpression {
  if (formula.kind === 'truth') return { kind: 'constant', value: formula.value ? 1 : 0 };
  if (formula.kind === 'claim') return formula.claim;
  const operator = formula.kind === 'all' ? '&&' : '||';
  return formula.parts
    .map(toClaim)
    .reduce((left, right): InvariantExpression => ({ kind: 'binary', operator, left, right }));
}
