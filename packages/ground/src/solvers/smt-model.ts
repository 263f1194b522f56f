import { InternalError } from '../base/unreachable.js';
import { parseSExpressions, type SExpression } from './s-expression.js';

/**
 * A definition of a function or constant in a solver's model: `define-fun name (parameters) sort
 * body`.
 */
export interface SmtDefinition {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly sort: SExpression }[];
  readonly sort: SExpression;
  readonly body: SExpression;
}

const definers = new Set(['define-fun', 'define-fun-rec']);

/**
 * Parses a solver's model into definitions by name. Accepts the three forms printed by versions of
 * Z3: a bare list, one list around all, and `(model ...)`; entries other than definitions
 * (declarations of sorts) are ignored.
 */
export function parseSmtModel(model: string): ReadonlyMap<string, SmtDefinition> {
  const [first, ...others] = parseSExpressions(model);
  const isWrapped =
    others.length === 0 &&
    first !== undefined &&
    typeof first !== 'string' &&
    !(typeof first[0] === 'string' && definers.has(first[0]));
  const items = isWrapped ? first : first === undefined ? [] : [first, ...others];
  const definitions = items.flatMap((item): SmtDefinition[] => {
    if (typeof item === 'string') return [];
    const [definer, name, parameters, sort, body] = item;
    if (typeof definer !== 'string' || !definers.has(definer)) return [];
    if (typeof name !== 'string' || typeof parameters === 'string') throw malformed(item);
    if (!parameters || sort === undefined || body === undefined) throw malformed(item);
    return [{ name, parameters: parameters.map(toParameter), sort, body }];
  });
  return new Map(definitions.map((definition) => [definition.name, definition]));
}

function malformed(item: SExpression): InternalError {
  return new InternalError(`a definition of a model that cannot be read: ${JSON.stringify(item)}`);
}

function toParameter(item: SExpression): { name: string; sort: SExpression } {
  const [name, sort] = typeof item === 'string' ? [] : item;
  if (typeof name !== 'string' || sort === undefined) throw malformed(item);
  return { name, sort };
}
