import { keywords } from './keywords.js';
import type { TokenReader } from './token-reader.js';
import { startsLine, type TokenKind } from './token.js';

/** Whether a declaration starts at the next token. Of the words that may be names, it does so only before a name. */
export function atDeclaration(reader: TokenReader): boolean {
  const { kind } = reader.token;
  const word = keywords.get(kind);
  if (word?.use !== 'declaration' || kind === 'program') return false;
  return !word.mayBeName || reader.isName(1);
}

/** Whether what the next token belongs to is over: no statement and no instruction contains it. */
export function atEnd(reader: TokenReader): boolean {
  return reader.is('EOF', 'program') || atDeclaration(reader);
}

/** Keywords that start a statement and stand nowhere else. */
const statementKeywords: ReadonlySet<TokenKind> = new Set(
  'local if while do loop choose atomic goto break continue skip fence mfence assert assume havoc'.split(
    ' ',
  ),
);

/** Whether the next token can start a statement. */
export function startsStatement(reader: TokenReader): boolean {
  const { kind } = reader.token;
  return statementKeywords.has(kind) || ['{', ';', '@', 'mem'].includes(kind) || reader.isName();
}

/** Whether a statement seems to start at the next token: a place to go on after an error. */
export function seemsStatement(reader: TokenReader): boolean {
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

/** Goes on behind the `;` of the statement, or where the next one seems to start. */
export function skipStatement(reader: TokenReader): void {
  reader.skipUntil(() => reader.is(';', '}') || atEnd(reader) || seemsStatement(reader));
  reader.accept(';');
}

/** The `;` of a statement. If it is missing, the parser goes on with the next statement. */
export function endStatement(reader: TokenReader): void {
  if (reader.accept(';')) return;
  const isOver = reader.is('}') || atEnd(reader);
  const isFollowed = seemsStatement(reader);
  // On the same line the statement may have been meant to go on.
  reader.report("';'", { damages: !isOver && !(isFollowed && startsLine(reader.token)) });
  if (!isOver && !isFollowed) skipStatement(reader);
}
