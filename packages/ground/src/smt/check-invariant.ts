import { at } from '../base/at.js';
import { formatSExpression } from '../solvers/s-expression.js';
import { parseSmtModel } from '../solvers/smt-model.js';
import type { SmtAnswer, SmtQuery, SmtSolver } from '../solvers/smt-solver.js';
import type { Elimination } from './eliminate-predicates.js';
import { formatAtom, formatVariables, type HornClause, type HornSystem } from './horn-system.js';
import { formatTerm } from './term.js';

/** The maximum number of clauses that one query to the solver checks. */
const batch = 40;

/** Formats the condition that a clause is violated: its premises hold, its head does not. */
function violation(system: HornSystem, clause: HornClause): string {
  const { body, constraint, head, variables } = clause;
  const facts = [
    'true',
    ...body.map((atom) => formatAtom(system, atom)),
    ...constraint.map((term) => formatTerm(term)),
    ...(head ? [`(not ${formatAtom(system, head)})`] : []),
  ];
  const conjunction = `(and ${facts.join(' ')})`;
  if (variables.length === 0) return conjunction;
  return `(exists (${formatVariables(variables)}) ${conjunction})`;
}

/**
 * Formats the definition of an eliminated predicate: the conjunction of all clauses with the
 * predicate in their bodies.
 */
function definition(system: HornSystem, { predicate, leaving }: Elimination): string {
  const { name, parameters } = at(system.predicates, predicate);
  const conditions = leaving.map(({ constraint, head }) => {
    const premises = constraint.map((term) => formatTerm(term)).join(' ');
    return `(=> (and true ${premises}) ${head ? formatAtom(system, head) : 'false'})`;
  });
  return `(define-fun ${name} (${formatVariables(parameters)}) Bool (and true ${conditions.join(' ')}))`;
}

/**
 * Formats the definitions of the predicates of a system as given by a model; a predicate missing
 * from the model is always true.
 */
function definitions(
  system: HornSystem,
  model: string,
  eliminated: readonly Elimination[],
): string {
  const left = new Set(eliminated.map(({ predicate }) => at(system.predicates, predicate).name));
  const given = parseSmtModel(model);
  const written = [...given.values()]
    .filter(({ name }) => !left.has(name))
    .map(({ name, parameters, sort, body }) => {
      const typed = parameters.map((parameter) => [parameter.name, parameter.sort]);
      return formatSExpression(['define-fun', name, typed, sort, body]);
    });
  const missing = system.predicates.flatMap(({ name, parameters }) =>
    given.has(name) || left.has(name)
      ? []
      : [`(define-fun ${name} (${parameters.map((_, i) => `(p${i} Int)`).join(' ')}) Bool true)`],
  );
  const derived = eliminated.map((elimination) => definition(system, elimination)).reverse();
  return [...written, ...missing, ...derived].join('\n');
}

/**
 * Checks whether the predicates found by a solver satisfy all clauses of a system, so that no goal
 * clause can be derived. Uses plain queries without fixed points, so that nothing but these queries
 * has to be trusted. `unsat` means that all clauses are satisfied. The model may be for the system
 * without the `eliminated` predicates; all clauses of the whole system are checked.
 */
export async function checkInvariant(
  system: HornSystem,
  model: string,
  solver: SmtSolver,
  limits: Pick<SmtQuery, 'effort' | 'signal'>,
  eliminated: readonly Elimination[] = [],
): Promise<SmtAnswer> {
  const prelude = definitions(system, model, eliminated);
  for (let at = 0; at < system.clauses.length; at += batch) {
    const violations = system.clauses
      .slice(at, at + batch)
      .map((clause) => violation(system, clause));
    const answer = await solver.solve({
      ...limits,
      prelude,
      script: `(assert (or false ${violations.join('\n')}))`,
    });
    if (answer.kind !== 'unsat') return answer;
  }
  return { kind: 'unsat' };
}
