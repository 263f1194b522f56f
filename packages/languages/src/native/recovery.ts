import { keywords } from './keywords.js';
import { reservedPlainWords } from './plain-instructions.js';
import type { TokenReader } from './token-reader.js';
import { startsLine, type TokenKind } from './token.js';

/** Whether the next token starts declarations. */
export function atDeclaration(reader: TokenReader): boolean {
  const { kind } = reader.token;
  return keywords.get(kind)?.use === 'declaration' && kind !== 'program';
}

/**
 * Whether a declaration seems to start at the next token: then parsing can continue there after an
 * error, and unclosed constructs end there.
 */
export function seemsDeclaration(reader: TokenReader): boolean {
  const { token } = reader;
  if (!atDeclaration(reader)) return false;
  const isReserved = keywords.get(token.kind)?.mayBeName === false;
  return reader.isName(1) || (isReserved && (startsLine(token) || token.kind === 'domain'));
}

/**
 * Whether the current construct ends before the next token: no statement and no instruction
 * contains the token.
 */
export function atEnd(reader: TokenReader): boolean {
  return reader.is('EOF') || seemsDeclaration(reader);
}

/**
 * Skips to the nearest token of one of `kinds` on the same line. If the statement or the line ends
 * before such a token, returns false and skips nothing.
 */
export function skipTo(reader: TokenReader, ...kinds: readonly TokenKind[]): boolean {
  for (let distance = 0; distance < sight; distance++) {
    const token = reader.ahead(distance);
    if (startsLine(token)) return false;
    if (kinds.includes(token.kind)) {
      reader.skip(distance);
      return true;
    }
    if (['{', '}', 'EOF'].includes(token.kind) || (token.kind === ';' && distance > 0))
      return false;
  }
  return false;
}

/**
 * The maximum number of tokens examined after an error, in search of a place where parsing can
 * continue.
 */
export const sight = 100;

/** Keywords that only the start of a statement has. */
const statementKeywords: ReadonlySet<TokenKind> = new Set([
  ...'local if while do loop choose atomic goto break continue assert assume havoc'.split(' '),
  ...reservedPlainWords,
]);

/** Whether the next token can start a statement. */
export function startsStatement(reader: TokenReader): boolean {
  const { kind } = reader.token;
  return statementKeywords.has(kind) || ['{', ';', '@', 'mem'].includes(kind) || reader.isName();
}

/**
 * Whether a statement seems to start at the next token: then parsing can continue there after an
 * error.
 */
function seemsStatement(reader: TokenReader): boolean {
  const { token } = reader;
  if (statementKeywords.has(token.kind) || reader.is('{')) return true;
  if (reader.is('mem', '@')) return startsLine(token);
  if (!reader.isName()) return false;
  return startsLine(token) || [':', '[', '=', '('].includes(reader.ahead(1).kind);
}

/** Whether an instruction with its label seems to start at the next token. */
export function seemsLabel(reader: TokenReader): boolean {
  return reader.isName() && reader.ahead(1).kind === ':';
}

/** Skips past the `;` of the statement, or to the apparent start of the next statement. */
export function skipStatement(reader: TokenReader): void {
  reader.skipUntil(() => reader.is(';', '}') || atEnd(reader) || seemsStatement(reader));
  reader.accept(';');
}

/**
 * Parses the `;` of a statement. If the `;` is missing, parsing continues with the next statement.
 */
export function endStatement(reader: TokenReader): void {
  if (reader.accept(';')) return;
  const isOver = reader.is('}') || atEnd(reader);
  const isFollowed = seemsStatement(reader);
  // On the same line the statement may have been meant to go on.
  reader.report("';'", { damages: !isOver && !(isFollowed && startsLine(reader.token)) });
  if (!isOver && !isFollowed) skipStatement(reader);
}
