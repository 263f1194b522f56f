import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import { createExplicitEngine } from '@fencewright/reference/explicit/explicit-engine.js';
import {
  attacksToDecide,
  instrumentTemplates,
} from '@fencewright/reference/instrument/instrument.js';
import { lowerInstrumented } from '@fencewright/reference/instrument/lower-instrumented.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { enumerateAttacks } from '../../src/robustness/attacks.js';
import { programOf } from './native-program.js';

const runs = randomRuns(300, 5000, 30);
const seed = randomSeed(20_130_600);

/** Whether a copy can reach a goal of the instrumented templates in an instance. */
async function reachesGoal(
  open: Templates,
  attacks: readonly Attack[],
  counts: readonly number[],
): Promise<boolean | 'refused' | undefined> {
  const instrumented = instrumentTemplates(open, attacks);
  if (!instrumented) return 'refused';
  const lowered = lowerInstrumented(instrumented, open.unbounded);
  const { program, templateOf } = instantiate(
    { templates: lowered.program, unbounded: open.unbounded },
    counts,
  );
  const goals = templateOf.flatMap((template, thread) =>
    lowered.goals
      .filter((goal) => goal.thread === template)
      .map(({ location }) => ({ thread, location })),
  );
  const budget = new Budget({ maxStates: 20_000 });
  const answer = await createExplicitEngine().explore({ program, goals }, budget);
  if (answer.goals.length > 0) return true;
  return answer.incomplete ? undefined : false;
}

/** Returns the attacks of the templates that are feasible in the instance, by definition. */
function feasible(open: Templates, counts: readonly number[]): readonly Attack[] | undefined {
  const { program, templateOf } = instantiate(open, counts);
  const { feasible: found, complete } = attacksByDefinition(program, 4_000);
  return complete
    ? found.map(({ thread, ...places }) => ({ ...places, thread: templateOf[thread]! }))
    : undefined;
}

const open = fc
  .tuple(
    randomProgram({ maxThreads: 2, maxItems: 3, loops: false }),
    fc.constantFrom([0], [1], [0, 1], [0, 1]),
  )
  .map(([templates, some]): Templates => ({
    templates,
    unbounded: some.filter((thread) => thread < templates.threads.length),
  }));

test('the goal of instrumented templates is reached in an instance iff the attack is feasible there', async () => {
  const seen = { programs: 0, refused: 0, asked: 0, feasible: 0, byMore: 0, both: 0 };
  await fc.assert(
    fc.asyncProperty(open, fc.constantFrom(1, 2, 2, 3), async (program, copies) => {
      const counts = program.templates.threads.map((_, t) =>
        program.unbounded.includes(t) ? copies : 1,
      );
      if (counts.reduce((sum, count) => sum + count, 0) > 4) return;
      const truth = feasible(program, counts);
      if (!truth) return;
      seen.programs++;
      const attacks = attacksToDecide(program.templates, enumerateAttacks(program.templates));
      for (const asked of [...attacks.map((attack) => [attack]), attacks]) {
        if (asked.length === 0) continue;
        const reached = await reachesGoal(program, asked, counts);
        if (reached === 'refused') seen.refused++;
        if (reached === 'refused' || reached === undefined) continue;
        const isFeasible = asked.some(({ thread, store, load }) =>
          truth.some(
            (each) => each.thread === thread && each.store === store && each.load === load,
          ),
        );
        seen.asked++;
        seen.feasible += Number(isFeasible);
        seen.byMore += Number(isFeasible && copies > 1);
        seen.both += Number(asked.length > 1);
        expect(reached, JSON.stringify([asked, counts])).toBe(isFeasible);
      }
    }),
    { numRuns: runs, seed, endOnFailure: true },
  );
  console.log('instrumented templates', seen);
  expect(seen.feasible).toBeGreaterThan(seen.programs / 20);
  expect(seen.byMore).toBeGreaterThan(seen.programs / 30);
  expect(seen.both).toBeGreaterThan(seen.programs / 10);
});

describe('lock blocks', () => {
  const text = (body: string): Templates => ({
    templates: programOf(`var x, y thread t { local r; ${body} }`),
    unbounded: [0],
  });
  const attacks = (program: Templates): readonly Attack[] => enumerateAttacks(program.templates);

  test('with one access have an instrumentation', () => {
    const program = text('x = 1; lock; y = 1; unlock; x = 1; r = y;');
    expect(instrumentTemplates(program, attacks(program))).toBeDefined();
  });

  test('with two accesses have none, as copies share the levels of a block', () => {
    const program = text('lock; y = 1; r = x; unlock; x = 1; r = y;');
    expect(instrumentTemplates(program, attacks(program))).toBeUndefined();
  });

  test('with two accesses in a loop have none', () => {
    const program = text('lock; while (*) { y = 1; } unlock; x = 1; r = y;');
    expect(instrumentTemplates(program, attacks(program))).toBeUndefined();
  });
});
