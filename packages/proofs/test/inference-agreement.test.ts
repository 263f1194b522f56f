import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { prove } from '../../core/src/api/prove.js';
import { selfRegister, type Expression } from '@fencewright/model/program/expression.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Program, SharedSymbol } from '@fencewright/model/program/program.js';
import { mapAddresses } from './map-addresses.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { useSolver } from './proving.js';
import { refuteProof } from './refute-proof.js';

const numRuns = randomRuns(25, 500, 6);
const seed = randomSeed(20_261_121);

const solver = useSolver();

const scalars = ['x', 'y', 'z'].map((name, base): SharedSymbol => ({
  name,
  base,
  length: 1,
  isArray: false,
  initial: [0],
}));
const cells: SharedSymbol = {
  name: 'own',
  base: 20,
  length: 4,
  isArray: true,
  initial: [0, 0, 0, 0],
};

/**
 * Returns the program with names for all variables, as invariants need names; cells that copies own
 * become an array.
 */
function named(program: Program, isOpen: boolean): Program {
  const own: Expression = {
    kind: 'element',
    symbol: scalars.length,
    index: { kind: 'register', register: selfRegister },
  };
  const threads = program.threads.map((thread) =>
    mapAddresses(thread, (address) =>
      isOpen && address.kind === 'constant' && address.value >= 10 ? own : address,
    ),
  );
  return { ...program, symbols: [...scalars, cells], threads };
}

const programs: fc.Arbitrary<Templates> = fc
  .tuple(
    randomProgram({ maxThreads: 2, maxItems: 3, loops: true, endless: true, fewValues: true }),
    fc.constantFrom([], [1], [1], [0, 1]),
  )
  .map(([program, unbounded]) => ({
    templates: named(program, unbounded.length === 2),
    unbounded,
  }));

it('never speaks of a program with loops of which an instance is not robust, whatever invariants it finds', async () => {
  const seen = {
    proved: 0,
    value: 0,
    abstraction: 0,
    inferred: 0,
    horn: 0,
    instances: 0,
    compared: 0,
  };
  await fc.assert(
    fc.asyncProperty(programs, async (open) => {
      const limits = { timeout: 10_000 };
      const options = { solver, searchInstances: false, infer: true, limits };
      const { result } = await prove(open, options);
      if (result.verdict.kind !== 'proved') return;
      const { conclusion } = result.verdict;
      seen.proved++;
      if (conclusion.kind === 'abstraction') seen.abstraction++;
      if (conclusion.kind === 'robust' && conclusion.happensBefore === 'value') seen.value++;
      if (result.invariants.some(({ origin }) => origin === 'inferred')) seen.inferred++;
      if (result.invariants.some(({ source }) => source === 'horn-clauses')) seen.horn++;
      const { instances, compared, because } = await refuteProof(open, result, conclusion);
      seen.instances += instances;
      seen.compared += compared;
      expect(because).toBeUndefined();
    }),
    { numRuns, seed },
  );
  console.log('proved with inference', seen);
  expect(seen.proved).toBeGreaterThan(numRuns / 10);
  expect(seen.inferred).toBeGreaterThan(0);
  expect(seen.horn).toBeGreaterThan(0);
  expect(seen.compared).toBeGreaterThan(numRuns / 10);
});
