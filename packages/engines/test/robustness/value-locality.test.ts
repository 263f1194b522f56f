import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';

const runs = randomRuns(300, 20_000, 35);
const seed = randomSeed(20180714);

const programs = fc.oneof(
  randomProgram({ fewValues: true }),
  randomProgram({ fewValues: true, maxThreads: 2, maxItems: 5 }),
  randomProgram({ fewValues: true, maxThreads: 4, maxItems: 2 }),
);

test(`under the value notion, ${runs} random programs have cyclic traces iff they have an attack by one thread`, () => {
  const count = new FeatureCount();
  fc.assert(
    fc.property(programs, (program) => {
      const limits = { maxTracedStates: 50_000, stopAtViolation: true };
      const traces = enumerateTraces(program, { ...limits, happensBefore: 'value' });
      const definition = attacksByDefinition(program, 50_000, 'value');
      const features = programFeatures(program);
      if (!traces.complete || !definition.complete) {
        count.add([...features, 'too large for brute force']);
        return;
      }
      expect(definition.feasible.length > 0).toBe(traces.violation !== undefined);
      const standard = attacksByDefinition(program, 50_000).feasible;
      const names = standard.map((attack) => JSON.stringify(attack));
      for (const attack of definition.feasible) expect(names).toContain(JSON.stringify(attack));
      if (traces.violation) count.add([...features, 'not robust']);
      else count.add([...features, standard.length > 0 ? 'robust by value only' : 'robust']);
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const feature of ['not robust', 'robust by value only', 'rmw cas', '3 threads', '4 threads'])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 100);
});
