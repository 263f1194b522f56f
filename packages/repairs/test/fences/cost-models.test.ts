import { finiteProgram } from '@fencewright/model/program/model.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { expect, test } from 'vitest';
import { fence } from '../../../core/src/api/fence.js';
import { labelCosts, sizeCosts } from '../../src/fences/cost-models.js';
import { profileCosts } from '../../src/fences/profile.js';
import { parseNative } from '@fencewright/core/native';
import type { Program } from '@fencewright/model/program/program.js';
import { repairLocation } from '@fencewright/model/program/repair.js';
import { cpuTimer } from '@fencewright/reference/testing/cpu-timer.js';

function parse(text: string): Program {
  return finiteProgram(parseNative(text).model) ?? expect.fail('does not parse');
}

/** A program with one attack in each thread; thread a can be repaired at l1 or l2. */
const program = parse(`
  program SB
  var x, y, z
  thread a regs r s init l0 begin
    l0: mem[x] <- 1; goto l1;
    l1: s <- mem[z]; goto l2;
    l2: r <- mem[y]; goto l3;
  end
  thread b regs r init l0 begin
    l0: mem[y] <- 1; goto l1;
    l1: r <- mem[x]; goto l2;
  end`);

const label = (thread: number, location: number): string =>
  `${program.threads[thread]?.name}:${program.threads[thread]?.locations[location]?.name}`;

async function repairs(
  costs: ReadonlyMap<string, number>,
  mode: 'fence' | 'any',
): Promise<{ readonly places: string[]; readonly cost: number }> {
  const model = labelCosts(program, costs, sizeCosts(program));
  const { verdict } = await fence(program, { mode, costs: model });
  if (verdict.kind !== 'found') return expect.fail(verdict.kind);
  const places = verdict.repairs.map(
    (repair) => `${repair.kind} ${label(repair.thread, repairLocation(program, repair))}`,
  );
  return { places, cost: verdict.cost };
}

test('the fence moves to the cheaper of two labels', async () => {
  expect(await repairs(new Map([['a:l1', 5]]), 'fence')).toEqual({
    places: ['fence a:l2', 'fence b:l1'],
    cost: 2,
  });
  expect(await repairs(new Map([['a:l2', 5]]), 'fence')).toEqual({
    places: ['fence a:l1', 'fence b:l1'],
    cost: 2,
  });
});

test('exchanges have costs of their own', async () => {
  const fencesCost = new Map([
    ['l1', 3],
    ['l2', 3],
  ]);
  // In both threads, l0 is the location before the store. This location has no name in the text.
  expect(await repairs(fencesCost, 'any')).toEqual({
    places: ['xchg a:l0', 'xchg b:l0'],
    cost: 2,
  });
  expect(await repairs(new Map([...fencesCost, ['xchg:b:l0', 4]]), 'any')).toEqual({
    places: ['xchg a:l0', 'fence b:l1'],
    cost: 4,
  });
});

test('profiles are positive and the same for the same seed', async () => {
  const costs = async (seed: number): Promise<number[]> => {
    const model = await profileCosts(program, { seed, runs: 20 });
    if (typeof model === 'string') return expect.fail(model);
    return program.threads.flatMap((thread, t) =>
      thread.locations.map((_, location) => model.fence(t, location)),
    );
  };
  expect(await costs(7)).toEqual(await costs(7));
  expect(Math.min(...(await costs(7)))).toBeGreaterThan(0);
  // Every run ends, so each instruction is executed once a run, and each end is reached.
  expect(await costs(7)).toEqual([21, 21, 21, 21, 21, 21, 21]);
});

test('random runs end when time is up or the signal comes', async () => {
  const options = { seed: 1, runs: 1e9 };
  const limits = [{ timeout: 50 }, { signal: AbortSignal.timeout(50) }];
  for (const [i, reason] of (['time', 'cancelled'] as const).entries()) {
    const budget = new Budget(limits[i]);
    const took = cpuTimer();
    expect(await profileCosts(program, options, budget)).toBe(reason);
    expect(took()).toBeLessThan(2000);
  }
});
