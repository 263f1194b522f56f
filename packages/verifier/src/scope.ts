import type { Automata } from './automata.js';

/** A message that some array has no bounds, if the program has such an array. */
export function boundlessArray({ symbols }: Pick<Automata, 'symbols'>): string | undefined {
  const boundless = symbols.find((symbol) => symbol.boundless);
  return boundless && `the array '${boundless.name}' has no bounds`;
}

/**
 * Why the states of a program cannot be enumerated, if the program's form makes the states
 * infinitely many.
 */
export function outOfScope(automata: Automata): string | undefined {
  return automata.threads.some(({ unbounded }) => unbounded)
    ? 'it is about a fixed number of threads, and there are any number'
    : boundlessArray(automata);
}
