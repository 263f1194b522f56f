import type { Program } from './program.js';

/** Whether accesses of the program say how C accesses memory. */
export function isOfC({ threads }: Program): boolean {
  return threads.some(({ transitions }) => transitions.some(({ origin }) => origin.access));
}
