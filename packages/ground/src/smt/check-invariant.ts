import { at } from '../base/at.js';
import { formatSExpression } from '../solvers/s-expression.js';
import { parseModel } from '../solvers/smt-model.js';
import type { SmtAnswer, SmtQuery, SmtSolver } from '../solvers/smt-solver.js';
import type { Elimination } from './eliminate-predicates.js';
import { formatAtom, formatVariables, type HornClause, type HornSystem } from './horn-system.js';
import { formatTerm } from './term.js';

/** Clauses that one query looks at. */
const batch = 40;

/** That a clause does not hold: its premises do, its head does not. */
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

/** A predicate that was left out holds where all clauses that led from it do. */
function definition(system: HornSystem, { predicate, leaving }: Elimination): string {
  const { name, parameters } = at(system.predicates, predicate);
  const conditions = leaving.map(({ constraint, head }) => {
    const premises = constraint.map((term) => formatTerm(term)).join(' ');
    return `(=> (and true ${premises}) ${head ? formatAtom(system, head) : 'false'})`;
  });
  return `(define-fun ${name} (${formatVariables(parameters)}) Bool (and true ${conditions.join(' ')}))`;
}

/** The predicates as the model defines them; one that the model leaves out holds always. */
function definitions(
  system: HornSystem,
  model: string,
  eliminated: readonly Elimination[],
): string {
  const left = new Set(eliminated.map(({ predicate }) => at(system.predicates, predicate).name));
  const given = parseModel(model);
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
 * Whether the predicates that a solver found satisfy all clauses: they hold at the start, each
 * clause keeps them, and no question can be asked. Asked in plain queries, without fixed points, so
 * that nothing but these has to be trusted. `unsat` is yes. The model may be one of the system
 * without `eliminated`; what is checked are all clauses of the whole system.
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
