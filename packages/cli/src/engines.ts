import type { EngineName } from '@fencewright/core';

/** The engines to choose from, each with what `--help` says of it. */
export const engines: Readonly<Partial<Record<EngineName, string>>> = {
  instrument: 'one search for each attack, in the instrumented program',
  'single-query': 'one search for all attacks together',
};

export const defaultEngine: EngineName = 'instrument';
