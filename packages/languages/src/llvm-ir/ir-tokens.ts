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

/** The name of a local or global value, without sigil and quotes. */
export function valueName({ text }: Token): string {
  return text.startsWith('"', 1) ? text.slice(2, -1) : text.slice(1);
}

/** Takes a name with the sigil. Throws `ReadingFailure`. */
export function expectSigil(tokens: Tokens, sigil: string, what: string): string {
  const { kind, text } = tokens.peek();
  if (kind !== 'name' || !text.startsWith(sigil)) tokens.fail(`${what} is missing here`);
  return valueName(tokens.next());
}

/** Takes a non-negative integer, as in array lengths and alignments. */
export function expectCount(tokens: Tokens): number {
  const token = tokens.peek();
  const value = Number(token.text);
  if (token.kind !== 'number' || !Number.isSafeInteger(value) || value < 0)
    tokens.fail('a number is missing here');
  tokens.next();
  return value;
}

/** Ends the reading of a well-formed line with unsupported contents. */
export function refuse(span: Span, message: string, hint?: string): never {
  throw new ReadingFailure(span, message, hint);
}

/** Whether the metadata `mark` follows in the line; takes all tokens up to the mark. */
export function hasMark(tokens: Tokens, mark: string): boolean {
  while (!tokens.isAtEnd) if (tokens.next().text === mark) return true;
  return false;
}

/** Skips a pair of brackets with its contents, starting at the opening bracket. */
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
