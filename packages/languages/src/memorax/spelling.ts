import { spelt } from '@fencewright/ground/base/unique-names.js';

/** Words that start or end a construct, unusable as labels. */
export const reserved: readonly string[] = [
  'if',
  'then',
  'else',
  'while',
  'do',
  'read',
  'write',
  'syncwr',
  'syncrd',
  'fence',
  'ssfence',
  'llfence',
  'locked',
  'slocked',
  'cas',
  'goto',
  'true',
  'false',
  'my',
  'process',
  'not',
  'nop',
  'text',
  'data',
  'either',
  'or',
  'forbidden',
  'assume',
  'predicates',
  'registers',
];

/** Returns a name similar to `name` that the format can spell and that is no reserved word. */
export function spellable(name: string): string {
  return spelt(name, { isReserved: (word) => reserved.includes(word) });
}
