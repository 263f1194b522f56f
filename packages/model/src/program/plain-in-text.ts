import type { Origin } from './program.js';

/** Whether the source makes the access plain or volatile, so that it has no memory order in C11. */
export function isPlainInText({ access, isPlain }: Origin): boolean {
  return isPlain === true || access === 'plain' || access === 'volatile';
}
