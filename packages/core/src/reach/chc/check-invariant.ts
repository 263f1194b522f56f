import { parseModel } from '../../solvers/smt-model.js';
import { formatSExpression } from '../../solvers/s-expression.js';
import type { SmtAnswer, SmtQuery, SmtSolver } from '../../solvers/smt-solver.js';
import type { Elimination } from './eliminate-predicates.js';
import { formatAtom, type HornClause, type HornSystem } from './horn-system.js';
import { formatTerm } from './term.js';

/** Clauses that one query looks at. */
const batch = 40;

/** That a clause does not hold: its premises do, its head does not. */
function violation(
  { predicates }: HornSystem,
  { body, constraint, head, others }: HornClause,
): string {
  const from = body === undefined ? undefined : predicates[body];
  const parameters = (from?.parameters ?? []).map((name) => `|${name}|`);
  const target = head && predicates[head.predicate];
  const facts = [
    'true',
    ...(from ? [formatAtom(from.name, parameters)] : []),
    ...constraint.map(formatTerm),
    ...(head && target ? [`(not ${formatAtom(target.name, head.arguments.map(formatTerm))})`] : []),
  ];
  const variables = [...parameters, ...others.map((name) => `|${name}|`)];
  const conjunction = `(and ${facts.join(' ')})`;
  if (variables.length === 0) return conjunction;
  return `(exists (${variables.map((name) => `(${name} Int)`).join(' ')}) ${conjunction})`;
}

/** A predicate that was left out holds where all clauses that led from it do. */
function definition(system: HornSystem, { predicate, leaving }: Elimination): string {
  const { name = '', parameters = [] } = system.predicates[predicate] ?? {};
  const typed = parameters.map((parameter) => `(|${parameter}| Int)`).join(' ');
  const conditions = leaving.map(({ constraint, head }) => {
    const target = head && system.predicates[head.predicate];
    const conclusion =
      head && target ? formatAtom(target.name, head.arguments.map(formatTerm)) : 'false';
    return `(=> (and true ${constraint.map(formatTerm).join(' ')}) ${conclusion})`;
  });
  return `(define-fun ${name} (${typed}) Bool (and true ${conditions.join(' ')}))`;
}

/** The predicates as the model defines them; one that the model leaves out holds always. */
function definitions(
  system: HornSystem,
  model: string,
  eliminated: readonly Elimination[],
): string {
  const left = new Set(eliminated.map(({ predicate }) => system.predicates[predicate]?.name));
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
 * Whether the predicates that a solver found satisfy all clauses: they hold at the start, each clause keeps them, and no question
 * can be asked. Asked in plain queries, without fixed points, so that nothing but these has to be trusted. `unsat` is yes. The
 * model may be one of the system without `eliminated`; what is checked are all clauses of the whole system.
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
