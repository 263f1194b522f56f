import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { checkParameterized } from '../../../core/src/api/check-parameterized.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { attackNet } from '@fencewright/engines/parameterized/attack-net.js';
import { FlatAttackNet } from '@fencewright/engines/parameterized/attack-net-flat.js';
import { attacksOfTemplates, toJobs } from '@fencewright/engines/parameterized/attack-jobs.js';
import { AttackSystem } from '@fencewright/engines/parameterized/attack-system.js';
import { countsOfTotal } from '@fencewright/engines/parameterized/instances.js';
import { createTemplateAutomata } from '@fencewright/engines/parameterized/template-automata.js';
import { decideCover } from '@fencewright/nets/nets/decide-cover.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import type { UnboundedModel } from '@fencewright/model/program/model.js';
import { randomAutomata } from '@fencewright/reference/testing/random-automata.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Verdict } from '@fencewright/model/verdict/verdict.js';

const runs = randomRuns(150, 1000, 40);
const seed = randomSeed(20130319);

function parameterized(fewValues: boolean): fc.Arbitrary<UnboundedModel> {
  return fc
    .tuple(
      fc.oneof(
        {
          weight: 3,
          arbitrary: randomProgram({ maxThreads: 2, maxItems: 4, loops: true, fewValues }),
        },
        { weight: 1, arbitrary: randomAutomata({ maxThreads: 2, maxSpine: 5, loops: true }) },
      ),
      fc.constantFrom([0], [1], [0, 1], [0, 1]),
    )
    .map(([templates, unbounded]) => ({ kind: 'unbounded', templates, unbounded }));
}

const limits = { maxStates: 50_000 };

async function kindOf(
  program: UnboundedModel,
  happensBefore: HappensBefore,
): Promise<Verdict['kind']> {
  return (await checkParameterized(program, { limits, happensBefore })).result.verdict.kind;
}

describe.each([
  { happensBefore: 'standard', runs },
  { happensBefore: 'value', runs: 2 * runs },
] as const)('$happensBefore happens-before', ({ happensBefore, runs }) => {
  test(`${runs} random programs: all instances at once agree with each one and with the search backwards`, async () => {
    const programs =
      happensBefore === 'value'
        ? fc.oneof(parameterized(true), parameterized(false))
        : parameterized(false);
    const seen = {
      robust: 0,
      'not-robust': 0,
      unknown: 0,
      error: 0,
      byTwo: 0,
      byMore: 0,
      byValuesOnly: 0,
      backward: 0,
      flat: 0,
    };
    await fc.assert(
      fc.asyncProperty(programs, async (program) => {
        const { result } = await checkParameterized(program, { limits, happensBefore });
        const exact = await checkParameterized(program, {
          limits,
          happensBefore,
          without: ['small-instances', 'static-path'],
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
            const instance = instantiate(program, counts).program;
            const { verdict } = await check(instance, { limits, happensBefore });
            expect(['robust', 'unknown'], `${counts.join()} copies`).toContain(verdict.kind);
          }
        if (happensBefore === 'value') {
          const standard = await kindOf(program, 'standard');
          if (standard === 'robust') expect(['robust', 'unknown']).toContain(kind);
          if (standard === 'not-robust' && kind === 'robust') seen.byValuesOnly += 1;
        }
        const templates = createTemplateAutomata(program, {
          maskDeadRegisters: true,
          ownedCells: true,
          happensBefore,
        });
        const { open } = attacksOfTemplates(templates);
        const system = new AttackSystem(templates, toJobs(templates, open));
        const flat = new FlatAttackNet(templates, toJobs(templates, open), 5_000).build('flat');
        if (flat && kind !== 'unknown') {
          const covered = await decideCover(flat, new Budget({ maxStates: 2_000 }), 'forward');
          if (covered.verdict.kind !== 'unknown') {
            seen.flat += 1;
            expect(covered.verdict.kind).toBe(kind === 'robust' ? 'not-coverable' : 'coverable');
          }
        }
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
    expect(seen['not-robust']).toBeGreaterThan(runs / 20);
    expect(seen.byTwo).toBeGreaterThan(0);
    expect(seen.backward).toBeGreaterThan(runs / 4);
    expect(seen.flat).toBeGreaterThan(runs / 4);
    if (happensBefore === 'value') expect(seen.byValuesOnly).toBeGreaterThan(0);
  });
});
