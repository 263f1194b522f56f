import type { EngineName, HappensBefore } from '@fencewright/core';
export type { EngineName, HappensBefore } from '@fencewright/core';

/** The engines that the user can choose, each with its help text. */
export const engines: Readonly<Record<EngineName, string>> = {
  search: 'a search for all attacks over tabulated threads, the fast one',
  instrument: 'one search for each attack, in the instrumented program',
  'single-query': 'one search for all attacks together',
  chc: 'invariants for data of any size, by Z3: for programs whose states are infinitely many',
  spin: 'the same search by SPIN, which has to be installed with a C compiler',
};

/**
 * A value of `--engine`: an engine for programs of threads, or the engine for programs of events.
 */
export type EngineChoice = EngineName | 'two-threads';

export const engineChoices: Readonly<Record<EngineChoice, string>> = {
  ...engines,
  'two-threads':
    'programs of events: the two-thread construction of the paper, which can confirm violations of TSO only',
};

/** The happens-before relations that the user can choose, each with its help text. */
export const happensBefore: Readonly<Record<HappensBefore, string>> = {
  standard: 'all stores to a cell are ordered',
  value: 'only stores of different values are; engine search only',
};

/** Returns the chosen engine, if it is for programs of threads; otherwise nothing. */
export function threadEngine({ engine }: { readonly engine: EngineChoice }): {
  readonly engine?: EngineName;
} {
  return engine === 'two-threads' ? {} : { engine };
}
