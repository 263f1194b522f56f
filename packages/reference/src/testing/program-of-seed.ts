import fc from 'fast-check';
import type { Program } from '@fencewright/model/program/program.js';
import { randomProgram } from './random-program.js';

/** By name of a feature, the generator of random programs in which it is more frequent. */
const generators = {
  threads: randomProgram(),
  'few-values': randomProgram({ fewValues: true }),
  loops: randomProgram({ loops: true }),
  endless: randomProgram({ endless: true }),
  'lock-blocks': randomProgram({ many: 'lock blocks' }),
  rmws: randomProgram({ many: 'rmws' }),
} as const;

export type GeneratorName = keyof typeof generators;

/** Returns the program that a generator makes for a seed, from 0 to 2^31 - 1. */
export function programOfSeed(generator: GeneratorName, seed: number): Program {
  // Unbiased: otherwise a single sample would be one of the smallest programs.
  const [program] = fc.sample(fc.noBias(generators[generator]), { seed, numRuns: 1 });
  return program!;
}
