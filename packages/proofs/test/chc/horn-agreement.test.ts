import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { chooseSmtSolver } from '../../../core/src/node/choose-smt-solver.js';
import type { Program } from '@fencewright/model/program/program.js';
import { createHornEngine } from '../../src/chc/horn-engine.js';
import { createExplicitEngine } from '@fencewright/reference/explicit/explicit-engine.js';
import { enumerateAttacks } from '@fencewright/engines/robustness/attacks.js';
import { decideAttackByAttack } from '@fencewright/reference/instrument/decide-by-queries.js';
import { attacksToDecide } from '@fencewright/reference/instrument/instrument.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { withWrapping } from '@fencewright/reference/testing/with-wrapping.js';
import type { DecidedAttack } from '@fencewright/model/verdict/attack.js';

const runs = randomRuns(20, 150);
const seed = randomSeed(20130318);

/** The number of random runs for programs with remainders, for which the solver takes long. */
const few = Math.ceil(runs / 2);

const solver = chooseSmtSolver();
afterAll(() => solver.close());

function decided(attacks: readonly DecidedAttack[]): string[] {
  return attacks.flatMap(({ attack: { thread, store, load }, verdict }) =>
    verdict === 'unknown' ? [] : [`${thread}:${store}:${load} ${verdict}`],
  );
}

/** Random programs with an attack that cheap criteria do not decide. */
function undecided(all: fc.Arbitrary<Program>): fc.Arbitrary<Program> {
  return all.filter((one) => attacksToDecide(one, enumerateAttacks(one)).length > 0);
}

const programs = undecided(
  fc.oneof(
    randomProgram({ maxThreads: 2 }),
    randomProgram({ maxThreads: 2, loops: true }),
    randomProgram({ maxThreads: 3, maxItems: 3 }),
  ),
);

/**
 * The options of the two encodings that are compared: data with few values in the names of
 * predicates, and all data as arguments.
 */
const encodings = [{}, { maxValues: 0 }];

async function disagreements(program: Program, counts: Map<string, number>): Promise<string[]> {
  const search = await check(program, { allAttacks: true });
  const known = new Set(decided(search.attacks));
  const wrong: string[] = [];
  for (const encoding of encodings) {
    const explicit = createExplicitEngine();
    const { attacks } = await decideAttackByAttack(program, {
      reachability: createHornEngine({ solver, explicit, encoding }),
      budget: new Budget({ timeout: 60_000 }),
      allAttacks: true,
    });
    for (const { verdict } of attacks) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    wrong.push(...decided(attacks).filter((attack) => !known.has(attack)));
  }
  return wrong;
}

test(`chc contradicts search on none of ${runs} random programs`, async () => {
  const counts = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      expect(await disagreements(program, counts)).toEqual([]);
    }),
    { numRuns: runs, seed },
  );
  console.info([...counts].map(([verdict, count]) => `${verdict}: ${count}`).join('\n'));
  // Both answers occur, and few attacks stay open.
  expect(counts.get('infeasible') ?? 0).toBeGreaterThan(runs);
  expect(counts.get('feasible') ?? 0).toBeGreaterThanOrEqual(runs / 2);
  expect(counts.get('unknown') ?? 0).toBeLessThan((counts.get('infeasible') ?? 0) / 10);
});

test(`nor on ${few} that say the same by operators that wrap`, async () => {
  const counts = new Map<string, number>();
  const pairs = withWrapping(undecided(randomProgram({ maxThreads: 2 }))).filter(
    ({ wrapping }) => attacksToDecide(wrapping, enumerateAttacks(wrapping)).length > 0,
  );
  await fc.assert(
    fc.asyncProperty(pairs, async ({ wrapping }) => {
      expect(await disagreements(wrapping, counts)).toEqual([]);
    }),
    { numRuns: few, seed },
  );
  console.info([...counts].map(([verdict, count]) => `${verdict}: ${count}`).join('\n'));
  expect(counts.get('infeasible') ?? 0).toBeGreaterThan(few);
  expect(counts.get('feasible') ?? 0).toBeGreaterThan(0);
});
