import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { judgeRun } from '@fencewright/model/events/judge-run.js';
import { replayEventRun } from '@fencewright/model/events/replay-event-run.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import {
  enumerateEventTraces,
  type EventTraces,
} from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { randomEventProgram } from '@fencewright/reference/testing/random-event-program.js';
import { withMilestones } from '@fencewright/reference/testing/with-milestones.js';
import { checkConcurrency } from '../../../src/events/serial/check-serial.js';
import { checkOrder, type OrderCriterion } from '../../../src/events/orders/check-order.js';

const runs = randomRuns(500, 8000, 60);
const seed = randomSeed(20261129);

const criteria = ['determinism', 'serialisability'] as const;

/**
 * Returns the verdict by the definitions; `undefined` if the enumeration is incomplete and found no
 * violation.
 */
function defined(traces: EventTraces, criterion: OrderCriterion) {
  const { nondeterministic, withoutEventOrder, isComplete, isCut, hasFaults } = traces;
  const found = criterion === 'determinism' ? nondeterministic : withoutEventOrder;
  if (found) return 'not-robust';
  return isComplete && !isCut && !hasFaults ? 'robust' : undefined;
}

/** Expects that the machine can execute the run, and that the run violates the criterion. */
function expectViolation(program: EventProgram, criterion: OrderCriterion, run: Run, why: string) {
  expect(replayEventRun(program, run, 'multi-sc').kind, why).toBe('possible');
  const { againstDfsOrder, cycleOfEvents } = judgeRun(program, run);
  expect(criterion === 'determinism' ? againstDfsOrder : cycleOfEvents, why).toBeDefined();
}

/** Returns the program with an event that first posts two more tasks, which may conflict. */
function withSiblings(random: SeededRandom, program: EventProgram): EventProgram {
  const { bodies, instances } = program;
  const procedures = bodies.flatMap(({ role }, body) => (role === 'procedure' ? [body] : []));
  const { event } = instances[random.below(instances.length)]!;
  if (procedures.length === 0) return program;
  const { locations, transitions, initial } = bodies[event]!;
  const post = () => ({
    kind: 'post' as const,
    body: procedures[random.below(procedures.length)]!,
    to: random.below(4) === 0 ? ('main' as const) : ('any' as const),
    arguments: [],
  });
  const [first, second] = [locations.length, locations.length + 1];
  const changed = {
    ...bodies[event]!,
    initial: first,
    locations: [...locations, { name: 's1', hidden: true }, { name: 's2', hidden: true }],
    transitions: [
      ...transitions,
      { from: first, to: second, instruction: post(), origin: {} },
      { from: second, to: initial, instruction: post(), origin: {} },
    ],
  };
  return { ...program, bodies: bodies.map((body, id) => (id === event ? changed : body)) };
}

type Run = Parameters<typeof replayEventRun>[1];

test(`${runs} random programs: determinism and serialisability, each for itself`, async () => {
  const count = new FeatureCount();
  for (let i = 0; i < runs; i++) {
    const random = new SeededRandom(seed + i);
    const plain = randomEventProgram(random, { maxAccesses: 7, maxTasks: 5 }).program;
    const crowded = i % 3 === 0 ? plain : withSiblings(random, plain);
    const program = i % 4 === 0 ? withMilestones(random, crowded) : crowded;
    const waits = program.milestones ? ' with milestones' : '';
    const traces = enumerateEventTraces(program, 'SC', { maxStates: 3000 });
    const known = criteria.map((criterion) => defined(traces, criterion));
    for (const [c, criterion] of criteria.entries()) {
      const why = `seed ${seed + i}, ${criterion}`;
      const found = await checkOrder(program, criterion, {
        budget: new Budget({ maxStates: 30_000 }),
      });
      const expected = known[c];
      if (expected && found.verdict !== 'unknown') expect(found.verdict, why).toBe(expected);
      if (found.verdict === 'not-robust') expectViolation(program, criterion, found.witness, why);
      count.add([`${criterion} ${expected ?? 'too large'}: ${found.verdict}${waits}`]);
    }
    count.add([`D ${known[0] ?? '?'}, S ${known[1] ?? '?'}`]);
    if (i % 5 === 0) {
      const both = await checkConcurrency(program, { budget: new Budget({ maxStates: 30_000 }) });
      const isRobust = known.every((one) => one === 'robust');
      if (both.verdict === 'robust' && known.every((one) => one !== undefined))
        expect(isRobust, `seed ${seed + i}`).toBe(true);
    }
  }
  console.log(count.toString());
  for (const [feature, share] of [
    ['D robust, S robust', 0.1],
    ['D robust, S not-robust', 0.03],
    ['D not-robust, S robust', 0.03],
    ['D not-robust, S not-robust', 0.02],
    ['determinism not-robust: not-robust with milestones', 0.01],
    ['serialisability not-robust: not-robust with milestones', 0.01],
    ['serialisability robust: robust with milestones', 0.01],
  ] as const)
    expect(count.get(feature) / runs, feature).toBeGreaterThan(share);
  for (const criterion of criteria)
    expect(count.get(`${criterion} robust: unknown`), criterion).toBeLessThan(runs / 50);
});
