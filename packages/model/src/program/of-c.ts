import { fact } from '@fencewright/ground/base/fact.js';
import type { Program } from './program.js';

/**
 * Whether the program is from C: some step records how C accesses memory, or what the step does to
 * a block of allocated memory.
 */
export const isOfC = fact(({ threads }: Program): boolean =>
  threads.some(({ transitions }) =>
    transitions.some(({ origin }) => origin.access !== undefined || origin.block !== undefined),
  ),
);
