import type { SExpression } from '../../solvers/s-expression.js';
import { parseModel } from '../../solvers/smt-model.js';
import type { NamedValue } from '../../verdict/prove-result.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { roleOfName, roleTitle } from '../steps/roles.js';
import { localNames, memoryNames } from '../steps/symbolic-state.js';

/** The integers of a model by the names of their constants, without bars. */
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
  const valueAt = (term = ''): number | undefined => values.get(term.slice(1, -1));
  const cells = memoryNames(program);
  const shared = memory.variables.flatMap(({ name, isMap }, id) =>
    isMap ? [] : valueOf(name, valueAt(cells[id])),
  );
  const roles = [...values.keys()].flatMap((name) => {
    const role = /^at_(\S+)/.exec(name)?.[1];
    return role === undefined ? [] : [roleOfName(role)];
  });
  const threads = roles.flatMap((role) => {
    const names = localNames(program, role);
    const title = roleTitle(program, role);
    const thread = templates.threads[role.thread];
    const place = thread?.locations[valueAt(names.place) ?? -1];
    const span = place?.span;
    const where = !place
      ? []
      : [
          {
            name: title,
            value: place.hidden ? `before line ${(span?.start.line ?? 0) + 1}` : `at ${place.name}`,
          },
        ];
    const registers = (thread?.registers ?? []).flatMap(({ name, hidden }, id) =>
      hidden ? [] : valueOf(`${title}.${name}`, valueAt(names.registers[id])),
    );
    return [...where, ...valueOf(`${title}.self`, valueAt(names.self)), ...registers];
  });
  return [...shared, ...threads];
}

function valueOf(name: string, value: number | undefined): readonly NamedValue[] {
  return value === undefined ? [] : [{ name, value: String(value) }];
}
