import type { Origin } from './program.js';

/** Whether the access is not atomic in C11, by its place in the text: it has no order. */
export function isPlainInText({ access, isPlain }: Origin): boolean {
  return isPlain === true || access === 'plain' || access === 'volatile';
}
