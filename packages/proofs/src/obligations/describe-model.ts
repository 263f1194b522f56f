import { at } from '@fencewright/ground/base/at.js';
import { termOfSExpression } from '@fencewright/ground/smt/read-term.js';
import type { Variable } from '@fencewright/ground/smt/term.js';
import { parseSmtModel } from '@fencewright/ground/solvers/smt-model.js';
import type { ObligationAnswer } from './obligation.js';
import type { NamedValue } from '@fencewright/model/verdict/prove-result.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { roleTitle } from '../steps/roles.js';
import { localNames, memoryNames } from '../steps/symbolic-state.js';

/** Returns the integers in a solver's model, by the names of their constants. */
export function modelIntegers(model: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const [name, { body }] of parseSmtModel(model)) {
    const term = termOfSExpression(body, mostNodes);
    if (term?.kind === 'integer') values.set(name, term.value);
  }
  return values;
}

/**
 * The maximum size of a term that a model has for an integer; a larger term is not taken as an
 * integer.
 */
const mostNodes = 4;

/**
 * Returns the state in a solver's model in the user's words: scalars, then for each thread its
 * place, its number and its registers. Names made by the front end are left out, and so are arrays,
 * since a model has infinitely many cells of an array.
 */
export function describeState(
  program: ProofProgram,
  { model, roles: asked }: ObligationAnswer & { readonly kind: 'fails' },
): readonly NamedValue[] {
  const values = modelIntegers(model);
  const { templates, memory } = program;
  const valueAt = ({ name }: Variable): number | undefined => values.get(name);
  const cells = memoryNames(program);
  const shared = memory.variables.flatMap(({ name, isMap }, id) =>
    isMap ? [] : valueOf(name, valueAt(at(cells, id))),
  );
  const places = new Map(asked.map((role) => [localNames(program, role).place.name, role]));
  const roles = [...values.keys()].flatMap((name) => places.get(name) ?? []);
  const threads = roles.flatMap((role) => {
    const names = localNames(program, role);
    const title = roleTitle(program, role);
    const { locations, registers: own } = at(templates.threads, role.thread);
    const standing = valueAt(names.place);
    const place = standing === undefined ? undefined : locations[standing];
    const span = place?.span;
    const where = !place
      ? []
      : [
          {
            name: title,
            value: place.hidden ? `before line ${(span?.start.line ?? 0) + 1}` : `at ${place.name}`,
          },
        ];
    const registers = own.flatMap(({ name, hidden }, id) =>
      hidden ? [] : valueOf(`${title}.${name}`, valueAt(at(names.registers, id))),
    );
    return [...where, ...valueOf(`${title}.self`, valueAt(names.self)), ...registers];
  });
  return [...shared, ...threads];
}

function valueOf(name: string, value: number | undefined): readonly NamedValue[] {
  return value === undefined ? [] : [{ name, value: String(value) }];
}
