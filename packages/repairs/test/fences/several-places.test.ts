import { describe, expect, test } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { fence } from '../../../core/src/api/fence.js';
import type { CostModel } from '../../src/fences/repair-problem.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Repair, TextRepair } from '@fencewright/model/program/repair.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

/**
 * Store buffering in which each thread has three locations: before its store, before a local step,
 * and before its load.
 */
const storeBuffering = programOf(`var x, y
  thread t { local r; x = 1; skip; r = y; }
  thread u { local r; y = 1; skip; r = x; }`);

const asTold = (repairs: readonly Repair[]): TextRepair[] =>
  repairs.map((repair) => ({ repair, rank: 0 }));

async function found(program: Program, options: Parameters<typeof fence>[1]) {
  const { verdict } = await fence(program, options);
  if (verdict.kind !== 'found') return expect.fail(verdict.kind);
  return verdict;
}

/** Returns the number of instructions of a kind in a thread. */
function count(program: Program, thread: number, kind: string): number {
  return program.threads[thread]!.transitions.filter(({ instruction }) => instruction.kind === kind)
    .length;
}

describe('a repair of several places', () => {
  // A repair with one fence in each thread. Each of the two threads needs a fence, so this repair
  // alone suffices.
  const both: Repair = {
    kind: 'fence',
    thread: 0,
    location: 1,
    also: [{ thread: 1, location: 1 }],
  };

  test('is at all of them at once', async () => {
    const { repairs, cost, repaired } = await found(storeBuffering, { repairs: asTold([both]) });
    expect(repairs).toEqual([{ ...both, cost: 1 }]);
    expect(cost).toBe(1);
    expect([count(repaired, 0, 'fence'), count(repaired, 1, 'fence')]).toEqual([1, 1]);
    expect((await check(repaired)).verdict.kind).toBe('robust');
  });

  test('is one exchange at all of them', async () => {
    const exchange: Repair = {
      kind: 'xchg',
      thread: 0,
      transition: 0,
      also: [{ thread: 1, transition: 0 }],
    };
    const options = { mode: 'xchg', repairs: asTold([exchange]) } as const;
    const { repairs, repaired } = await found(storeBuffering, options);
    expect(repairs).toEqual([{ ...exchange, cost: 1 }]);
    expect([count(repaired, 0, 'rmw'), count(repaired, 1, 'rmw')]).toEqual([1, 1]);
    expect((await check(repaired)).verdict.kind).toBe('robust');
  });

  test('stays or goes at all of them', async () => {
    const fenced = programOf(`var x, y
      thread t { local r; x = 1; fence; r = y; fence; }
      thread u { local r; y = 1; fence; r = x; fence; }`);
    const keep = (transition: number): Repair => ({
      kind: 'keep',
      thread: 0,
      transition,
      also: [{ thread: 1, transition }],
    });
    const options = { mode: 'minimise', repairs: asTold([keep(1), keep(3)]) } as const;
    const { repairs, removable, repaired } = await found(fenced, options);
    expect(repairs).toEqual([{ ...keep(1), cost: 1 }]);
    expect(removable).toEqual([{ ...keep(3), cost: 1 }]);
    expect([count(repaired, 0, 'fence'), count(repaired, 1, 'fence')]).toEqual([1, 1]);
    expect((await check(repaired)).verdict.kind).toBe('robust');
  });

  test('costs what the dearest of them does, or their sum where costs add up', async () => {
    const costs: CostModel = { name: 'told', fence: (t) => (t === 0 ? 1 : 3), xchg: () => 1 };
    const repairs = asTold([both]);
    expect((await found(storeBuffering, { repairs, costs })).cost).toBe(3);
    expect((await found(storeBuffering, { repairs, costs: { ...costs, addsUp: true } })).cost).toBe(
      4,
    );
  });

  // If the preferred place of each thread were chosen, two repairs would be needed.
  test('makes one choice of the choices of its threads', async () => {
    const repairs: TextRepair[] = [
      { repair: both, rank: 9 },
      { repair: { kind: 'fence', thread: 0, location: 2 }, rank: 0 },
      { repair: { kind: 'fence', thread: 1, location: 2 }, rank: 0 },
    ];
    const { cost, repairs: chosen } = await found(storeBuffering, { repairs });
    expect(chosen).toEqual([{ ...both, cost: 1 }]);
    expect(cost).toBe(1);
  });

  // Only the second thread has an attack. The repair's second place is in this thread, and stops
  // the attack.
  test('stops attacks at each of them', async () => {
    const oneSided = programOf(`var x, y
      thread t { local r; x = 1; fence; r = y; }
      thread u { local r; y = 1; r = x; }`);
    const repairs = asTold([
      { kind: 'fence', thread: 0, location: 2, also: [{ thread: 1, location: 1 }] },
      { kind: 'fence', thread: 1, location: 0 },
    ]);
    const { verdict } = await fence(oneSided, { repairs });
    expect(verdict).toMatchObject({
      kind: 'found',
      cost: 1,
      repairs: [{ thread: 0, location: 2 }],
    });
    expect(verdict).toMatchObject({ reasons: [{ repairs: [{ thread: 0, location: 2 }] }] });
  });

  // At the end of each thread, a store is still in the buffer. One repair puts a fence at both
  // ends.
  test('holds threads up at each of them', async () => {
    const ends = programOf(`var x, y
      thread t { x = 1; }
      thread u { y = 1; }
      property early: never (ended(u) && y == 0)`);
    const repairs = asTold([
      { kind: 'fence', thread: 0, location: 1, also: [{ thread: 1, location: 1 }] },
    ]);
    const { cost, repaired } = await found(ends, { repairs, properties: ['early'] });
    expect(cost).toBe(1);
    expect([count(repaired, 0, 'fence'), count(repaired, 1, 'fence')]).toEqual([1, 1]);
  });
});
