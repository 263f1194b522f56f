import type { Span } from '@fencewright/ground/source/span.js';
import type { Tokens } from '@fencewright/ground/source/tokens.js';
import { patternOf, ReadingFailure, type Token } from '@fencewright/ground/source/tokens.js';

/** Names with their sigil (`%x`, `@"a b"`, `#0`, `!dbg`) and words; `c"..."` is a string. */
export const irTokens = patternOf({
  name: /(?!c")(?:[%@#!^$](?:"[^"]*"|[-\w$.]+)|[A-Za-z_$.][-\w$.]*)/,
  number: /-?[0-9]+(?:\.[0-9]+(?:e[-+]?[0-9]+)?)?(?![-\w$.])|0x[0-9A-Za-z]+|[0-9][-\w$.]*/,
  string: /c?"[^"]*"/,
  symbol: /\.\.\.|[^\s]/,
  blanks: /\s+|;[^\n]*/,
});

/** The name of a local or global value, without its sigil and quotes. */
export function nameOf({ text }: Token): string {
  return text.startsWith('"', 1) ? text.slice(2, -1) : text.slice(1);
}

/** Takes a name with that sigil. Throws `ReadingFailure`. */
export function expectSigil(tokens: Tokens, sigil: string, what: string): string {
  const { kind, text } = tokens.peek();
  if (kind !== 'name' || !text.startsWith(sigil)) tokens.fail(`${what} is missing here`);
  return nameOf(tokens.next());
}

/** Takes a whole number from 0 on that arrays and alignments may have. */
export function expectCount(tokens: Tokens): number {
  const token = tokens.peek();
  const value = Number(token.text);
  if (token.kind !== 'number' || !Number.isSafeInteger(value) || value < 0)
    tokens.fail('a number is missing here');
  tokens.next();
  return value;
}

/** Ends the reading of a line whose contents are well-formed, but not of use. */
export function refuse(span: Span, message: string, hint?: string): never {
  throw new ReadingFailure(span, message, hint);
}

/** Whether metadata of that name follows in the line, which is taken up to there. */
export function hasMark(tokens: Tokens, mark: string): boolean {
  while (!tokens.isAtEnd) if (tokens.next().text === mark) return true;
  return false;
}

/** Skips what stands in brackets, the opening one included. */
export function skipBrackets(tokens: Tokens): void {
  let depth = 0;
  do {
    if (tokens.isAtEnd) tokens.fail('a bracket is not closed');
    const { kind, text } = tokens.next();
    if (kind !== 'symbol') continue;
    if ('([{'.includes(text)) depth += 1;
    if (')]}'.includes(text)) depth -= 1;
  } while (depth > 0);
}
