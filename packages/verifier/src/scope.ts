import type { Automata } from './automata.js';

/** That some array has more cells than the automata list, if one has. */
export function boundlessArray({ symbols }: Pick<Automata, 'symbols'>): string | undefined {
  const boundless = symbols.find((symbol) => symbol.boundless);
  return boundless && `the array '${boundless.name}' has no bounds`;
}

/** Why the states of a program cannot be gone through, if there is no end of them by its form. */
export function outOfScope(automata: Automata): string | undefined {
  return automata.threads.some(({ unbounded }) => unbounded)
    ? 'it is about a fixed number of threads, and there are any number'
    : boundlessArray(automata);
}
