import fc from 'fast-check';
import { expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { checkParameterized } from '../../src/api/check-parameterized.js';
import { Budget } from '../../src/base/budget.js';
import { attackNet } from '../../src/parameterized/attack-net.js';
import { attacksOfTemplates, toJobs } from '../../src/parameterized/attack-jobs.js';
import { AttackSystem } from '../../src/parameterized/attack-system.js';
import { countsOfTotal } from '../../src/parameterized/instances.js';
import { createTemplateAutomata } from '../../src/parameterized/template-automata.js';
import { decideCover } from '../../src/petri/decide-cover.js';
import { instantiate, type ParameterizedProgram } from '../../src/program/parameterized-program.js';
import { randomProgram } from '../../src/testing/random-program.js';

/** A long run sets FENCEWRIGHT_PARAMETERIZED_RUNS=1000 and its own FENCEWRIGHT_SEED. */
const runs = Number(process.env.FENCEWRIGHT_PARAMETERIZED_RUNS ?? 150);
const seed = Number(process.env.FENCEWRIGHT_SEED ?? 20130319);

const parameterized: fc.Arbitrary<ParameterizedProgram> = fc
  .tuple(
    randomProgram({ maxThreads: 2, maxItems: 4, loops: true }),
    fc.constantFrom([0], [1], [0, 1], [0, 1]),
  )
  .map(([templates, unbounded]) => ({ templates, unbounded }));

const limits = { maxStates: 50_000 };

test(`${runs} random programs: all instances at once agree with each one, and with the search backwards`, async () => {
  const seen = {
    robust: 0,
    'not-robust': 0,
    unknown: 0,
    error: 0,
    byTwo: 0,
    byMore: 0,
    backward: 0,
  };
  await fc.assert(
    fc.asyncProperty(parameterized, async (program) => {
      const { result } = await checkParameterized(program, { limits });
      const exact = await checkParameterized(program, {
        limits,
        smallInstances: false,
        staticPath: false,
      });
      const kind = result.verdict.kind;
      seen[kind] += 1;
      const kinds = new Set([kind, exact.result.verdict.kind].filter((one) => one !== 'unknown'));
      expect(kinds.size).toBeLessThanOrEqual(1);
      if (exact.result.scope?.kind === 'instance') {
        const total = exact.result.scope.copies.reduce((sum, { count }) => sum + count, 0);
        if (total === 2) seen.byTwo += 1;
        if (total > 2) seen.byMore += 1;
      }
      if (kind === 'robust')
        for (const counts of [0, 1, 2, 3, 4].flatMap((total) => countsOfTotal(program, total))) {
          const { verdict } = await check(instantiate(program, counts).program, { limits });
          expect(['robust', 'unknown'], `${counts.join()} copies`).toContain(verdict.kind);
        }
      const templates = createTemplateAutomata(program, {
        maskDeadRegisters: true,
        ownedCells: true,
      });
      const { open } = attacksOfTemplates(templates);
      const system = new AttackSystem(templates, toJobs(templates, open));
      const net = attackNet('net', system, 5_000);
      if (!net) return;
      const budget = new Budget({ maxStates: 2_000 });
      const { verdict } = await decideCover(net, budget, 'backward');
      if (verdict.kind === 'unknown' || kind === 'unknown') return;
      seen.backward += 1;
      expect(verdict.kind).toBe(kind === 'robust' ? 'not-coverable' : 'coverable');
    }),
    { numRuns: runs, seed },
  );
  console.info(seen);
  expect(seen.robust).toBeGreaterThan(runs / 10);
  expect(seen['not-robust']).toBeGreaterThan(runs / 10);
  expect(seen.byTwo).toBeGreaterThan(0);
  expect(seen.backward).toBeGreaterThan(runs / 4);
}, 7_200_000);
