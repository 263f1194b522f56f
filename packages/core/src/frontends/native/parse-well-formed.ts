import type { ParseResult } from '../../program/parse-result.js';
import { checkText } from './check-text.js';
import { lowerSyntax, toParseResult } from './lower-syntax.js';
import { readWellFormed } from './read-well-formed.js';

/**
 * What `parseNative` makes of a text, without loading Langium's parser; `undefined` for a text with syntax errors, which only
 * `parseNative` can explain.
 */
export function parseWellFormed(
  text: string,
  copies?: ReadonlyMap<string, number>,
): ParseResult | undefined {
  const refusal = checkText(text);
  if (refusal) return { diagnostics: [refusal] };
  const syntax = readWellFormed(text);
  return syntax && toParseResult(lowerSyntax(syntax, copies));
}
