import type { Program } from './program.js';

/**
 * Whether the program is from C: some step records how C accesses memory, or what it does to a
 * block of allocated memory.
 */
export function isOfC({ threads }: Program): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ origin }) => origin.access ?? origin.block),
  );
}
