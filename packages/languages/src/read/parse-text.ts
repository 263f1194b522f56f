import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import { notSupported } from '@fencewright/ground/source/diagnostic.js';
import { frontEndOf, type InputFormat } from './front-ends.js';

/**
 * Returns the program of a text in a format; `copies` overrides the text's numbers of threads. Only
 * the front end needed is loaded.
 */
export async function parseText(
  format: InputFormat,
  text: string,
  copies?: ReadonlyMap<string, number>,
): Promise<ParseResult> {
  const { hasCopies, parse } = frontEndOf(format);
  if (!copies || hasCopies) return parse(text, copies);
  const hint = 'convert it to the native language';
  return { diagnostics: [notSupported(undefined, 'this format has no copies of threads', hint)] };
}
