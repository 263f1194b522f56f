import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import { checkText } from './check-text.js';
import { lowerSyntax, type LoweredText, toParseResult } from './lower-syntax.js';
import { parseSyntax } from './parse-syntax.js';

/**
 * Reads a program of the native language, in both thread forms; reports all errors of the text at
 * once. Never throws on bad input. `copies` overrides the text's numbers of copies of threads, or
 * of instances of events, by name.
 */
export function parseNative(text: string, copies?: ReadonlyMap<string, number>): ParseResult {
  return toParseResult(readNative(text, copies));
}

/** Reads a program like `parseNative`, and also returns the source texts of the threads. */
export function readNative(text: string, copies?: ReadonlyMap<string, number>): LoweredText {
  const refusal = checkText(text);
  if (refusal) return { diagnostics: [refusal] };
  return lowerSyntax(parseSyntax(text), copies);
}
