import type { SExpression } from '../solvers/s-expression.js';
import { parseModel } from '../solvers/smt-model.js';
import type { NamedValue } from '../verdict/prove-result.js';
import type { ProofProgram } from './proof-program.js';

/** The integers of a model by the names of their constants. */
export function modelIntegers(model: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const [name, { body }] of parseModel(model)) {
    const value = toInteger(body);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

function toInteger(body: SExpression): number | undefined {
  if (typeof body === 'string') return /^-?[0-9]+$/.test(body) ? Number(body) : undefined;
  const [operator, operand] = body;
  if (operator !== '-' || operand === undefined || body.length !== 2) return undefined;
  const value = toInteger(operand);
  return value === undefined ? undefined : -value;
}

/**
 * The state of a model in the user's words: scalars, then for each thread where it stands, its number and its registers. What the front
 * end made is left out, and arrays, of which a model has infinitely many cells.
 */
export function describeState(program: ProofProgram, model: string): readonly NamedValue[] {
  const values = modelIntegers(model);
  const { templates, memory } = program;
  const shared = memory.variables
    .filter(({ isMap }) => !isMap)
    .flatMap(({ name }) => valueOf(name, values.get(name)));
  const roles = [...values.keys()]
    .filter((name) => name.endsWith('@'))
    .map((name) => name.slice(0, -1));
  const threads = roles.flatMap((role) => {
    const thread = templates.threads.find(
      ({ name }, id) =>
        name === role || (program.unbounded.includes(id) && role.replace(/[0-9]$/, '') === name),
    );
    const place = thread?.locations[values.get(`${role}@`) ?? -1];
    const span = place?.span;
    const where = !place
      ? []
      : [
          {
            name: role,
            value: place.hidden ? `before line ${(span?.start.line ?? 0) + 1}` : `at ${place.name}`,
          },
        ];
    const registers = (thread?.registers ?? [])
      .filter(({ hidden }) => !hidden)
      .flatMap(({ name }) => valueOf(`${role}.${name}`, values.get(`${role}.${name}`)));
    return [...where, ...valueOf(`${role}.self`, values.get(`${role}.self`)), ...registers];
  });
  return [...shared, ...threads];
}

function valueOf(name: string, value: number | undefined): readonly NamedValue[] {
  return value === undefined ? [] : [{ name, value: String(value) }];
}
