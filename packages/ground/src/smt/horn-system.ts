import { at, valueAt } from '../base/at.js';
import { printableLine } from '../source/quote-name.js';
import { formatTerm, type Term } from './term.js';

/** A predicate over integers, whose meaning is to be found. */
export interface Predicate {
  readonly name: string;
  /** The names of the predicate's arguments. */
  readonly parameters: readonly string[];
  /** The meaning of the predicate in words, for readers of the printed clauses. */
  readonly comment?: string;
}

/** A predicate applied to integer terms. */
export interface Atom {
  /** The index of the predicate among the predicates of the system. */
  readonly predicate: number;
  readonly arguments: readonly Term[];
}

/** A clause, `body and constraint implies head`, for all values of the variables. */
export interface HornClause {
  readonly body: readonly Atom[];
  readonly constraint: readonly Term[];
  /** The conclusion of the clause; absent in a goal clause, whose conclusion is `false`. */
  readonly head?: Atom;
  readonly variables: readonly string[];
}

/** Constrained Horn clauses over unbounded integers, with their predicates. */
export interface HornSystem {
  readonly predicates: readonly Predicate[];
  readonly clauses: readonly HornClause[];
}

/** Formats an atom in SMT-LIB 2. */
export function formatAtom({ predicates }: HornSystem, atom: Atom): string {
  const { name } = at(predicates, atom.predicate);
  if (atom.arguments.length === 0) return name;
  return `(${name} ${atom.arguments.map(formatTerm).join(' ')})`;
}

/** Formats names as a list of integer parameters or bound variables in SMT-LIB 2. */
export function formatVariables(names: readonly string[]): string {
  return names.map((name) => `(|${name}| Int)`).join(' ');
}

function formatClause(system: HornSystem, clause: HornClause): string {
  const { body, constraint, head, variables } = clause;
  const premises = [
    ...body.map((atom) => formatAtom(system, atom)),
    ...constraint.map((term) => formatTerm(term)),
  ];
  const conclusion = head ? formatAtom(system, head) : 'false';
  const premise = premises.length === 1 ? at(premises, 0) : `(and ${premises.join(' ')})`;
  const implication = premises.length === 0 ? conclusion : `(=> ${premise} ${conclusion})`;
  return variables.length === 0
    ? `(assert ${implication})`
    : `(assert (forall (${formatVariables(variables)}) ${implication}))`;
}

/**
 * Formats a system in SMT-LIB 2, as declarations and assertions: satisfiable iff some
 * interpretation of the predicates satisfies all clauses.
 */
export function formatHornSystem(system: HornSystem): string {
  const declarations = system.predicates.flatMap(({ name, parameters, comment }) => [
    ...(comment === undefined ? [] : [`; ${printableLine(comment)}`]),
    `(declare-fun ${name} (${parameters.map(() => 'Int').join(' ')}) Bool)`,
  ]);
  const clauses = system.clauses.map((clause) => formatClause(system, clause));
  return `${[...declarations, ...clauses].join('\n')}\n`;
}

/** Returns the system without the predicates from which no goal clause can be reached. */
export function pruneHornSystem({ predicates, clauses }: HornSystem): HornSystem {
  const useful = new Set<number>();
  const into = predicates.map((): number[] => []);
  const pending: number[] = [];
  const keep = (predicate: number): void => {
    if (useful.has(predicate)) return;
    useful.add(predicate);
    pending.push(predicate);
  };
  for (const { body, head } of clauses)
    for (const { predicate } of body)
      if (head) at(into, head.predicate).push(predicate);
      else keep(predicate);
  for (let next = pending.pop(); next !== undefined; next = pending.pop())
    at(into, next).forEach(keep);
  const kept = [...predicates.keys()].filter((predicate) => useful.has(predicate));
  const number = new Map(kept.map((predicate, i) => [predicate, i]));
  const renumber = ({ predicate, ...rest }: Atom): Atom => ({
    ...rest,
    predicate: valueAt(number, predicate),
  });
  return {
    predicates: kept.map((predicate) => at(predicates, predicate)),
    clauses: clauses
      .filter(({ head }) => !head || useful.has(head.predicate))
      .map(({ head, ...clause }) => ({
        ...clause,
        body: clause.body.map(renumber),
        ...(head && { head: renumber(head) }),
      })),
  };
}
