import type { Origin } from './program.js';

/** Whether the text makes the access plain or volatile, so that the access has no order in C11. */
export function isPlainInText({ access, isPlain }: Origin): boolean {
  return isPlain === true || access === 'plain' || access === 'volatile';
}
