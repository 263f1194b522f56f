import type { Program } from './program.js';

/** Whether accesses of the program have the kind of their access in C. */
export function isOfC({ threads }: Program): boolean {
  return threads.some(({ transitions }) => transitions.some(({ origin }) => origin.access));
}
