import { conversions } from '@fencewright/model/program/expression.js';

/**
 * The use of a word of the language: introducing a declaration or a part of one, starting a
 * statement or an instruction, inside a statement, a value, or the name of a built-in.
 */
export type WordUse = 'declaration' | 'statement' | 'part' | 'value' | 'builtin';

/** A word with a fixed meaning. */
export interface Word {
  readonly use: WordUse;
  /** Whether the word may also name things of the program: `end`, or `cas`. */
  readonly mayBeName: boolean;
}

function words(use: WordUse, mayBeName: boolean, list: string): [string, Word][] {
  return list.split(' ').map((word) => [word, { use, mayBeName }]);
}

/** The keywords: words that the lexer distinguishes from names. */
export const keywords: ReadonlyMap<string, Word> = new Map([
  ...words('declaration', false, 'program const var domain thread property'),
  ...words('declaration', true, 'invariant event events procedure'),
  ...words('part', false, 'regs init begin in with'),
  ...words('part', true, 'end'),
  ...words('statement', false, 'local if else while do loop choose or atomic goto break continue'),
  ...words('statement', false, 'skip fence mfence assert assume check havoc'),
  ...words('statement', true, 'lock unlock async call return'),
  ...words('value', false, 'true false mem'),
]);

/** Built-ins whose names are no keywords: only the position distinguishes built-ins from names. */
export const builtins: ReadonlyMap<string, Word> = new Map([
  ...words('builtin', true, 'self xchg cas fetch_add fetch_sub fetch_and fetch_or fetch_xor'),
  ...words('builtin', true, 'fetch_add32 fetch_sub32 fetch_add64 fetch_sub64'),
  ...words('builtin', true, 'weak_xchg weak_cas never finally exists stuck ended drained'),
  ...words('builtin', true, `cost nofence main any ${Object.keys(conversions).join(' ')}`),
]);

/** The signs; the lexer reads the longest sign that fits. */
export const signs: readonly string[] =
  '==> <<:% >>:% <=:% >=:% <:% >:% +:% -:% *:% /:% %:% >>: +: -: *: /: <<% >>% <=% >=% <% >% +% -% *% /% %% <- << <= .. == != >= >> && || ← < > = ! ~ & | ^ + - * / % ( ) [ ] { } , ; : @ .'.split(
    ' ',
  );

/** Whether the word cannot be a name. */
export function isReserved(word: string): boolean {
  return keywords.get(word)?.mayBeName === false;
}
