import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { enumerateTraces } from '@fencewright/core/testing';
import { AttackSteps } from '../../src/attack/steps.js';
import { readAutomata } from '../../src/read-automata.js';
import { automataOf, parameterizedOf } from './certify.js';
import { reachesGoal } from './explore-instance.js';
import { randomTemplates } from './random-templates.js';
import { smallInstances } from './small-instances.js';

const runs = randomRuns(25, 5000);
/** The maximum number of partial traces of an instance; instances with more are not judged. */
const most = 3_000;
const seed = randomSeed(20130319);

describe.each(['standard', 'value'] as const)('%s happens-before', (happensBefore) => {
  test(`${runs} random programs: the steps find an attack on an instance iff a TSO computation of it has a cycle`, () => {
    const seen = new Map<string, number>();
    const count = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
    fc.assert(
      fc.property(randomTemplates, ({ text, features }) => {
        const program = parameterizedOf(text);
        const automata = readAutomata(automataOf(program), '');
        const steps = new AttackSteps(automata, happensBefore);
        for (const instance of smallInstances(program, 3)) {
          const judged = enumerateTraces(instance.program, {
            maxTracedStates: most,
            stopAtViolation: true,
            happensBefore,
          });
          if (!judged.violation && !judged.complete) {
            count('too large');
            continue;
          }
          const threads = instance.templateOf.map((template) => steps.codeOf[template]!);
          const found = reachesGoal(steps, threads);
          if (found === undefined) continue;
          expect(found, `threads ${instance.templateOf.join()}`).toBe(
            judged.violation !== undefined,
          );
          count(found ? 'with a cycle' : 'without');
          if (threads.length === 3)
            count(found ? 'three threads with a cycle' : 'three threads without');
          if (features.includes('lock block') && found) count('lock block and a cycle');
        }
        features.forEach(count);
      }),
      { numRuns: runs, seed },
    );
    console.info(Object.fromEntries(seen));
    for (const feature of ['lock block', 'rmw', 'computed address', 'any number', 'havoc'])
      expect(seen.get(feature) ?? 0, feature).toBeGreaterThan(runs / 40);
    expect(seen.get('with a cycle') ?? 0).toBeGreaterThan(runs / 5);
    expect(seen.get('without') ?? 0).toBeGreaterThan(runs / 5);
    expect(seen.get('lock block and a cycle') ?? 0).toBeGreaterThan(runs / 10);
  });
});
