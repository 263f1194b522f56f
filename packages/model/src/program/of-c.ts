import type { Program } from './program.js';

/** Whether some access of the program records how C accesses memory. */
export function isOfC({ threads }: Program): boolean {
  return threads.some(({ transitions }) => transitions.some(({ origin }) => origin.access));
}
