import { conversions } from '@fencewright/model/program/expression.js';
import { reservedPlainWords } from './plain-instructions.js';

/**
 * How the language uses a word: it introduces a declaration, starts a statement or instruction, is
 * a further part of one of these, is a value, or names a built-in.
 */
export type WordUse = 'declaration' | 'statement' | 'part' | 'value' | 'builtin';

/** A word with a fixed meaning. */
export interface Keyword {
  readonly use: WordUse;
  /** Whether the user may also choose the word as a name, like `end` or `cas`. */
  readonly mayBeName: boolean;
}

function words(use: WordUse, mayBeName: boolean, list: string): [string, Keyword][] {
  return list.split(' ').map((word) => [word, { use, mayBeName }]);
}

/** The keywords: words that the lexer reads as a kind of token of their own. */
export const keywords: ReadonlyMap<string, Keyword> = new Map([
  ...words('declaration', false, 'program const var domain thread property'),
  ...words('declaration', true, 'invariant event events procedure'),
  ...words('part', false, 'regs init begin in with'),
  ...words('part', true, 'end after plain'),
  ...words('statement', false, 'local if else while do loop choose or atomic goto break continue'),
  ...words('statement', false, `${reservedPlainWords.join(' ')} assert assume check havoc`),
  ...words('statement', true, 'lock unlock async call return'),
  ...words('value', false, 'true false mem'),
]);

/**
 * The built-ins whose names the lexer reads as names: only the position shows whether a built-in is
 * meant.
 */
export const builtins: ReadonlyMap<string, Keyword> = new Map([
  ...words('builtin', true, 'self xchg cas fetch_add fetch_sub fetch_and fetch_or fetch_xor'),
  ...words('builtin', true, 'fetch_add32 fetch_sub32 fetch_add64 fetch_sub64'),
  ...words('builtin', true, 'weak_xchg weak_cas never finally exists stuck progress ended drained'),
  ...words('builtin', true, 'load store await relaxed acquire release acq_rel seq_cst'),
  ...words(
    'builtin',
    true,
    `cost nofence luck timeout choice main any ${Object.keys(conversions).join(' ')}`,
  ),
]);

/** The signs of the language; the lexer reads the longest sign that fits. */
export const signs: readonly string[] =
  '==> <<:% >>:% <=:% >=:% <:% >:% +:% -:% *:% /:% %:% >>: +: -: *: /: <<% >>% <=% >=% <% >% +% -% *% /% %% <- << <= .. == != >= >> && || ← < > = ! ~ & | ^ + - * / % ( ) [ ] { } , ; : @ .'.split(
    ' ',
  );

/** Whether the word cannot be a name. */
export function isReserved(word: string): boolean {
  return keywords.get(word)?.mayBeName === false;
}
