import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import { checkText } from './check-text.js';
import { lowerSyntax, type LoweredText, toParseResult } from './lower-syntax.js';
import { parseSyntax } from './parse-syntax.js';

/**
 * Reads a program of the native language, both thread forms; reports all errors of the text at
 * once. Never throws on bad input. `copies` says how many copies of some threads there are, or
 * instances of some events, by their names, whatever the text says.
 */
export function parseNative(text: string, copies?: ReadonlyMap<string, number>): ParseResult {
  return toParseResult(readNative(text, copies));
}

/** Like `parseNative`, with what the threads were lowered from. */
export function readNative(text: string, copies?: ReadonlyMap<string, number>): LoweredText {
  const refusal = checkText(text);
  if (refusal) return { diagnostics: [refusal] };
  return lowerSyntax(parseSyntax(text), copies);
}
