import { printableLine } from '../../source/quote-name.js';
import { formatTerm, type Term } from './term.js';

/** A predicate: what may hold of the data when control is where the predicate says. */
export interface Predicate {
  readonly name: string;
  /** Names of its arguments, all integers. */
  readonly parameters: readonly string[];
  /** Where the threads stand, for readers. */
  readonly comment: string;
}

/** `body and constraint implies head`. The body is a predicate on its own parameters; without one the clause starts a run. */
export interface HornClause {
  /** Index into the predicates. */
  readonly body?: number;
  readonly constraint: readonly Term[];
  /** Without a head the clause is a question: can this be reached? */
  readonly head?: { readonly predicate: number; readonly arguments: readonly Term[] };
  /** Variables of the clause that are no parameters of its body. */
  readonly others: readonly string[];
}

/** Constrained Horn clauses, each with at most one predicate in its body: a transition system with unbounded integers. */
export interface HornSystem {
  readonly predicates: readonly Predicate[];
  readonly clauses: readonly HornClause[];
}

/** An atom: the predicate with some arguments. */
export function formatAtom(name: string, args: readonly string[]): string {
  return args.length === 0 ? name : `(${name} ${args.join(' ')})`;
}

function formatClause({ predicates }: HornSystem, clause: HornClause): string {
  const body = clause.body === undefined ? undefined : predicates[clause.body];
  const names = (body?.parameters ?? []).map((name) => `|${name}|`);
  const premises = [
    ...(body ? [formatAtom(body.name, names)] : []),
    ...clause.constraint.map(formatTerm),
  ];
  const head = clause.head
    ? formatAtom(
        predicates[clause.head.predicate]?.name ?? '',
        clause.head.arguments.map(formatTerm),
      )
    : 'false';
  const premise = premises.length === 1 ? (premises[0] ?? '') : `(and ${premises.join(' ')})`;
  const implication = premises.length === 0 ? head : `(=> ${premise} ${head})`;
  const variables = [...names, ...clause.others.map((name) => `|${name}|`)];
  return variables.length === 0
    ? `(assert ${implication})`
    : `(assert (forall (${variables.map((name) => `(${name} Int)`).join(' ')}) ${implication}))`;
}

/** Declarations and assertions in SMT-LIB 2: satisfiable iff no question can be answered with yes. */
export function formatHornSystem(system: HornSystem): string {
  const declarations = system.predicates.map(
    ({ name, parameters, comment }) =>
      `; ${printableLine(comment)}\n(declare-fun ${name} (${parameters.map(() => 'Int').join(' ')}) Bool)`,
  );
  const clauses = system.clauses.map((clause) => formatClause(system, clause));
  return `${[...declarations, ...clauses].join('\n')}\n`;
}

/** The system without predicates from which no question can be reached. */
export function pruneHornSystem({ predicates, clauses }: HornSystem): HornSystem {
  const useful = predicates.map(() => false);
  const into = predicates.map((): number[] => []);
  const pending: number[] = [];
  const keep = (predicate: number | undefined): void => {
    if (predicate === undefined || useful[predicate] === true) return;
    useful[predicate] = true;
    pending.push(predicate);
  };
  for (const { body, head } of clauses) {
    if (!head) keep(body);
    else if (body !== undefined) into[head.predicate]?.push(body);
  }
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) into[at]?.forEach(keep);
  const number = new Map<number, number>();
  predicates.forEach((_, i) => {
    if (useful[i]) number.set(i, number.size);
  });
  return {
    predicates: predicates.filter((_, i) => useful[i]),
    clauses: clauses.flatMap((clause): HornClause[] => {
      const { constraint, others } = clause;
      const body = clause.body === undefined ? undefined : number.get(clause.body);
      const predicate = clause.head && number.get(clause.head.predicate);
      if (clause.head && predicate === undefined) return [];
      return [
        {
          constraint,
          others,
          ...(body !== undefined && { body }),
          ...(clause.head &&
            predicate !== undefined && {
              head: { predicate, arguments: clause.head.arguments },
            }),
        },
      ];
    }),
  };
}
