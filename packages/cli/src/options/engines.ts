import type { EngineName, HappensBefore } from '@fencewright/core';
export type { EngineName, HappensBefore } from '@fencewright/core';

/** The engines that the user can choose, each with its help text. */
export const engines: Readonly<Record<EngineName, string>> = {
  search: 'a search for all attacks over tabulated threads; the fastest engine',
  instrument: 'one search for each attack, in the instrumented program',
  'single-query': 'one search for all attacks together',
  chc: 'invariants for unbounded data, found by Z3; for programs with infinitely many states',
  spin: 'the instrumented program, searched by SPIN; needs SPIN and a C compiler',
};

/**
 * A value of `--engine`: an engine for programs of threads, or the engine for programs of events.
 */
export type EngineChoice = EngineName | 'two-threads';

export const engineChoices: Readonly<Record<EngineChoice, string>> = {
  ...engines,
  'two-threads':
    'programs of events: the two-thread construction of [BEMR18], which finds violations of TSO and proves nothing robust',
};

/** The happens-before relations that the user can choose, each with its help text. */
export const happensBefore: Readonly<Record<HappensBefore, string>> = {
  standard: 'all stores to a cell are ordered',
  value: 'only stores of different values are ordered; engine search only',
};

/**
 * Returns the chosen engine if it is an engine for programs of threads; otherwise an empty object.
 */
export function threadEngine({ engine }: { readonly engine: EngineChoice }): {
  readonly engine?: EngineName;
} {
  return engine === 'two-threads' ? {} : { engine };
}
