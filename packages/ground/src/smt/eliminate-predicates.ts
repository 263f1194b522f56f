import { at } from '../base/at.js';
import { InternalError } from '../base/unreachable.js';
import type { HornClause, HornSystem } from './horn-system.js';
import { substitute } from './arithmetic.js';
import { isFalse, isSameTerm, isTrue, not, type Term } from './term.js';

/**
 * An eliminated predicate, defined as the conjunction of all clauses with the predicate in their
 * bodies.
 */
export interface Elimination {
  readonly predicate: number;
  readonly leaving: readonly HornClause[];
}

/**
 * A system of clauses over some predicates of a larger system, and definitions of the remaining
 * predicates.
 */
interface ReducedSystem {
  /**
   * The system with the predicates of the whole system, so that indices are the same; no clause
   * mentions eliminated predicates.
   */
  readonly system: HornSystem;
  /**
   * The eliminated predicates in order. The clauses of each mention only predicates that remain, or
   * that are eliminated later.
   */
  readonly eliminated: readonly Elimination[];
}

function isContradictory(constraint: readonly Term[]): boolean {
  return constraint.some(
    (one, i) =>
      isFalse(one) || constraint.slice(i + 1).some((other) => isSameTerm(not(one), other)),
  );
}

function withoutRepetition(constraint: readonly Term[]): Term[] {
  return constraint.filter(
    (term, i) => !isTrue(term) && !constraint.slice(0, i).some((other) => isSameTerm(term, other)),
  );
}

/**
 * Returns the composition of a clause with head `predicate` and a clause with `predicate` in its
 * body; `undefined` if their constraints contradict each other.
 */
function resolve(
  { predicates }: HornSystem,
  predicate: number,
  first: HornClause,
  second: HornClause,
): HornClause | undefined {
  const given = first.head?.arguments;
  if (!given) throw new InternalError('a clause leads to no predicate');
  const { parameters } = at(predicates, predicate);
  const values = new Map(parameters.map((name, i) => [name, at(given, i)]));
  const insert = (term: Term): Term => substitute(term, values);
  const constraint = withoutRepetition([...first.constraint, ...second.constraint.map(insert)]);
  if (isContradictory(constraint)) return undefined;
  const { body, variables } = first;
  const head = second.head && { ...second.head, arguments: second.head.arguments.map(insert) };
  return { body, constraint, ...(head && { head }), variables };
}

/** The clauses of a system, indexed by the predicates in their heads and bodies. */
class ClauseIndex {
  readonly all: Set<HornClause>;
  readonly #entering = new Map<number, Set<HornClause>>();
  readonly #leaving = new Map<number, Set<HornClause>>();

  constructor(clauses: readonly HornClause[]) {
    this.all = new Set();
    clauses.forEach((clause) => this.add(clause));
  }

  #places({ body, head }: HornClause): Set<HornClause>[] {
    const under = (index: Map<number, Set<HornClause>>, predicate: number): Set<HornClause> => {
      const known = index.get(predicate) ?? new Set();
      index.set(predicate, known);
      return known;
    };
    return [
      this.all,
      ...(head ? [under(this.#entering, head.predicate)] : []),
      ...body.map(({ predicate }) => under(this.#leaving, predicate)),
    ];
  }

  add(clause: HornClause): void {
    for (const place of this.#places(clause)) place.add(clause);
  }

  delete(clause: HornClause): void {
    for (const place of this.#places(clause)) place.delete(clause);
  }

  entering(predicate: number): readonly HornClause[] {
    return [...(this.#entering.get(predicate) ?? [])];
  }

  leaving(predicate: number): readonly HornClause[] {
    return [...(this.#leaving.get(predicate) ?? [])];
  }
}

/**
 * Merges steps with their successors: eliminates predicates without self-loops, as long as each
 * elimination adds at most `growth` clauses more than it removes. The result is satisfiable iff the
 * system is, and the definitions in `eliminated` extend an interpretation of the result to the
 * system. Predicates whose clauses choose integers are kept, so that no definition has quantifiers.
 * In the system each body must be a single predicate on its own parameters.
 */
export function eliminatePredicates(system: HornSystem, growth: number): ReducedSystem {
  const index = new ClauseIndex(system.clauses);
  const eliminated: Elimination[] = [];
  const remaining = new Set(system.predicates.keys());
  let before: number;
  do {
    before = remaining.size;
    for (const predicate of remaining) {
      const entering = index.entering(predicate);
      const leaving = index.leaving(predicate);
      const [into, from] = [entering.length, leaving.length];
      const isKept =
        into * from > into + from + growth ||
        leaving.some(
          ({ head, variables }) =>
            variables.length > at(system.predicates, predicate).parameters.length ||
            head?.predicate === predicate,
        );
      if (isKept) continue;
      for (const clause of [...entering, ...leaving]) index.delete(clause);
      for (const first of entering)
        for (const second of leaving) {
          const clause = resolve(system, predicate, first, second);
          if (clause) index.add(clause);
        }
      remaining.delete(predicate);
      eliminated.push({ predicate, leaving });
    }
  } while (remaining.size < before);
  return { system: { ...system, clauses: [...index.all] }, eliminated };
}
