import { describe, expect, test } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { checkParameterized } from '../../../core/src/api/check-parameterized.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { attackNet } from '@fencewright/engines/parameterized/attack-net.js';
import { attacksOfTemplates, toJobs } from '@fencewright/engines/parameterized/attack-jobs.js';
import { AttackSystem } from '@fencewright/engines/parameterized/attack-system.js';
import { countsOfTotal } from '@fencewright/engines/parameterized/instances.js';
import { createTemplateAutomata } from '@fencewright/engines/parameterized/template-automata.js';
import { decideCover } from '@fencewright/nets/nets/decide-cover.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import type { UnboundedModel } from '@fencewright/model/program/model.js';
import { loadParameterized } from './load-parameterized.js';

const files = loadParameterized();

/** Returns the verdict on every instance with `total` copies in all, by the attack search. */
async function verdictsOf(program: UnboundedModel, total: number) {
  return Promise.all(
    countsOfTotal(program, total).map(async (counts) => {
      const { verdict } = await check(instantiate(program, counts).program);
      return { counts, kind: verdict.kind };
    }),
  );
}

describe('programs with any number of threads', () => {
  test.each(files)('$path: whatever steps are taken', async ({ program, expected }) => {
    for (const options of [
      {},
      { allAttacks: true },
      { without: ['small-instances', 'static-path'] },
      { without: ['small-instances', 'dead-registers', 'owned-cells'] },
    ] as const) {
      const { result } = await checkParameterized(program, options);
      expect(result.verdict.kind, JSON.stringify(options)).toBe(expected.verdict);
    }
  });

  test.each(files)('$path: the instances agree', async ({ program, expected }) => {
    const { result } = await checkParameterized(program);
    const { scope } = result;
    if (expected.verdict === 'robust') {
      expect(scope?.kind).toBe('all');
      const most = program.unbounded.length > 2 ? 3 : 4;
      for (let total = 0; total <= most; total++)
        for (const { counts, kind } of await verdictsOf(program, total))
          expect(kind, `with ${counts.join()} copies`).toBe('robust');
      return;
    }
    const copies = scope?.kind === 'instance' ? scope.copies : [];
    if (expected.instance)
      expect(Object.fromEntries(copies.map(({ template, count }) => [template, count]))).toEqual(
        expected.instance,
      );
    const total = copies.reduce((sum, { count }) => sum + count, 0);
    expect(total).toBe(expected.copies ?? total);
    for (let fewer = 0; fewer < total; fewer++)
      for (const { counts, kind } of await verdictsOf(program, fewer))
        expect(kind, `with ${counts.join()} copies`).toBe('robust');
    expect((await verdictsOf(program, total)).map(({ kind }) => kind)).toContain('not-robust');
  });

  // On all other files the backward search is larger by orders of magnitude.
  const small = files.filter(
    ({ path }) => !/ticket|peterson|wsq|rwlock|hazard|ttas|work-stealing/.test(path),
  );
  test.each(small)('$path: the backward search agrees', async ({ program, expected }) => {
    const options = {
      maskDeadRegisters: true,
      ownedCells: true,
      happensBefore: 'standard',
    } as const;
    const templates = createTemplateAutomata(program, options);
    const { open } = attacksOfTemplates(templates);
    const net = attackNet('net', new AttackSystem(templates, toJobs(templates, open)))!;
    const { verdict } = await decideCover(net, new Budget({ maxStates: 20_000 }), 'backward');
    expect(verdict.kind).toBe(expected.verdict === 'robust' ? 'not-coverable' : 'coverable');
  });

  test('has programs that are robust for few threads only, and some that need counting', () => {
    const instances = files.flatMap(
      ({ expected: { copies, instance } }) =>
        copies ?? (instance ? Object.values(instance).reduce((a, b) => a + b, 0) : []),
    );
    expect(Math.max(...instances)).toBeGreaterThanOrEqual(5);
    expect(files.length).toBeGreaterThanOrEqual(30);
  });
});
