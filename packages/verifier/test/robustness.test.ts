import {
  attacksByDefinition,
  FeatureCount,
  programFeatures,
  randomAutomata,
  randomProgram,
  withWrapping,
} from '@fencewright/core/testing';
import { automataToJson, type Program, finiteProgram } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inCampaign, randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { Budget } from '../src/budget.js';
import { readAutomata } from '../src/read-automata.js';
import { decideRobustness } from '../src/robustness.js';
import { withHeavyFences } from './by-definition.js';

const runs = randomRuns(150, 3000);
const seed = randomSeed(20261122);
const mostConfigurations = inCampaign(3_000, 20_000);

/**
 * Random programs, half with a lock block or an rmw in every thread but one: the semantics differs
 * most from plain loads and stores there.
 */
const programs: fc.Arbitrary<Program> = fc.oneof(
  randomProgram({ maxThreads: 2 }),
  randomProgram({ fewValues: true }),
  randomProgram().filter((program) => lockedThreads(program) >= program.threads.length - 1),
  randomAutomata({ faults: true, maxThreads: 2, maxSpine: 5 }),
  randomAutomata({ faults: true, maxThreads: 2, maxSpine: 4 }),
  randomAutomata({ wraps: true, faults: true, maxThreads: 2, maxSpine: 4 }),
  withWrapping(randomProgram({ maxThreads: 2 })).map(({ wrapping }) => wrapping),
  withHeavyFences(randomProgram({ fewValues: true })),
  withHeavyFences(randomProgram({ many: 'lock blocks', fewValues: true })),
);

function lockedThreads({ threads }: Program): number {
  return threads.filter(({ transitions }) =>
    transitions.some(({ instruction: { kind } }) => kind === 'lock' || kind === 'rmw'),
  ).length;
}

/**
 * Hand-made programs in which happens-before leads from the load to the store only because a lock
 * block is one access (docs/adr/0007), or only by one relation.
 */
test.each([
  ['a block joins in its middle', 'x = 1; r = y;', 'atomic { p = x; y = 1; }', 'not-robust'],
  ['a block that joins nothing', 'x = 1; r = y;', 'atomic { p = x; z = 1; }', 'robust'],
  ['a fence before the load', 'x = 1; fence; r = y;', 'atomic { p = x; y = 1; }', 'robust'],
  ['single accesses in that order', 'x = 1; r = y;', 'p = x; y = 1;', 'robust'],
  ['store buffering', 'x = 1; r = y;', 'y = 1; fence; p = x;', 'not-robust'],
])('%s', (_, ofA, ofB, verdict) => {
  const text = `program P\nvar x, y, z\nthread a { local r; ${ofA} }\nthread b { local p; ${ofB} }`;
  const automata = readAutomata(
    automataToJson(finiteProgram(parseNative(text).model)!),
    'automata',
  );
  expect(decideRobustness(automata, 'standard', new Budget({})).kind).toBe(verdict);
});

test('happens-before leads through a value that is read', () => {
  const text = `program P\nvar x, y, z
    thread a { local r; x = 1; r = y; }
    thread b { y = 1; fence; z = 1; }
    thread c { local p, q; p = z; q = x; }`;
  const automata = readAutomata(
    automataToJson(finiteProgram(parseNative(text).model)!),
    'automata',
  );
  expect(decideRobustness(automata, 'standard', new Budget({})).kind).toBe('not-robust');
});

test(`the search of its own agrees with attacks by definition on ${runs} random programs`, () => {
  const count = new FeatureCount();
  fc.assert(
    fc.property(programs, fc.constantFrom('standard', 'value'), (program, happensBefore) => {
      const byDefinition = attacksByDefinition(program, mostConfigurations, happensBefore);
      const automata = readAutomata(automataToJson(program), 'automata');
      const found = decideRobustness(automata, happensBefore, new Budget({ maxStates: 300_000 }));
      const features = [...programFeatures(program), happensBefore];
      if (found.kind === 'unknown') {
        count.add([...features, 'too large']);
        return;
      }
      if (byDefinition.feasible.length > 0) {
        count.add([...features, 'not robust']);
        expect(found.kind).toBe('not-robust');
        return;
      }
      // Executions end at a fault, for the verifier and for the definition. After a fault, the
      // enumeration by the definition is reported as incomplete.
      const isComparable = byDefinition.complete || (found.kind === 'robust' && found.faults);
      if (!isComparable) {
        count.add([...features, 'too large']);
        return;
      }
      const faults = found.kind === 'robust' && found.faults ? ['faults'] : [];
      count.add([...features, 'robust', ...faults]);
      expect(found.kind).toBe('robust');
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const feature of [
    'robust',
    'not robust',
    'value',
    'lock',
    'rmw',
    'faults',
    'branch',
    '-%',
    'u8',
  ])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 100);
});
