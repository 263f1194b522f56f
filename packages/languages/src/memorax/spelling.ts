import { spelt } from '@fencewright/ground/base/unique-names.js';

/** Words that no label may be, and that start or end something. */
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

/** A name that the format can spell and takes for no word of its own. */
export function spellable(name: string): string {
  return spelt(name, { isReserved: (word) => reserved.includes(word) });
}
