import { type Model, parseText } from '@fencewright/core';
import { builtins, isReserved, type Occurrence } from '@fencewright/core/text';
import type { TextEdit } from 'vscode-languageserver';
import { occurrencesOf, symbolAtPlace } from './names.js';
import type { Document } from './document.js';
import { toRange } from './places.js';

/** Returns a text of a program that does not depend on names and positions. */
function shapeOf(model: Model | undefined): string | undefined {
  const dropped = new Set(['name', 'label', 'template', 'span', 'origin']);
  return (
    model && JSON.stringify(model, (key, value: unknown) => (dropped.has(key) ? undefined : value))
  );
}

/**
 * Whether two programs are equal up to names, in threads, memory, properties and all other parts.
 */
function areSame(before: Model, after: Model | undefined): boolean {
  return shapeOf(before) === shapeOf(after);
}

/** Returns the text with a new name at some places. */
function renamed(text: string, places: readonly Occurrence[], name: string): string {
  let result = '';
  let at = 0;
  for (const { start, end } of places) {
    result += text.slice(at, start) + name;
    at = end;
  }
  return result + text.slice(at);
}

/** Returns the edits that rename a symbol, or the reason why it cannot be renamed. */
export async function renameAt(
  document: Document,
  place: { readonly line: number; readonly character: number },
  name: string,
): Promise<
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'refused'; readonly why: string }
> {
  const refused = (why: string) => ({ kind: 'refused', why }) as const;
  const symbol = symbolAtPlace(document, place);
  if (symbol === undefined) return refused('no name at this place can be changed');
  if (!/^[A-Za-z_][\w'′]*$/.test(name)) return refused(`'${name}' is not a name`);
  if (document.format === 'native' && isReserved(name))
    return refused(`'${name}' is a word of the language`);
  const { names, text, format, model } = document;
  const { kind } = names.symbols[symbol]!;
  if (format === 'native' && name === 'self') return refused("'self' is a word of the language");
  if (kind === 'program' && builtins.has(name)) return refused(`'${name}' is a built-in name`);
  const places = occurrencesOf(names, symbol);
  const after = renamed(text, places, name);
  if (!model) return refused('the text has errors: correct them first');
  const read = await parseText(format, after);
  const error = read.diagnostics.find(({ severity }) => severity === 'error');
  if (error) return refused(`with that name, ${error.message}`);
  if (!areSame(model, read.model))
    return refused(`'${name}' is taken: the program would mean something else`);
  return {
    kind: 'edits',
    edits: places.map(({ span }) => ({ range: toRange(span), newText: name })),
  };
}
