import type { Program } from './program.js';

/** Whether the program is from C: some access records how C accesses memory. */
export function isOfC({ threads }: Program): boolean {
  return threads.some(({ transitions }) => transitions.some(({ origin }) => origin.access));
}
