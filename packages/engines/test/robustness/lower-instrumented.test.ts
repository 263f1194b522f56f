import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import type { InstrumentedProgram } from '@fencewright/model/instrumented/instrumented.js';
import type { Program } from '@fencewright/model/program/program.js';
import { createExplicitEngine } from '@fencewright/reference/explicit/explicit-engine.js';
import { enumerateAttacks } from '../../src/robustness/attacks.js';
import {
  attacksToDecide,
  instrumentAnyAttack,
  instrumentAttack,
  type Instrumented,
} from '@fencewright/reference/instrument/instrument.js';
import { lowerInstrumented } from '@fencewright/reference/instrument/lower-instrumented.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { programOf } from './native-program.js';

const runs = randomRuns(300, 5000, 35);
const seed = randomSeed(20130318);

async function reaches(
  program: InstrumentedProgram,
  goals: Instrumented['goals'],
): Promise<boolean | undefined> {
  const budget = new Budget({ maxStates: 200_000 });
  const answer = await createExplicitEngine().explore({ program, goals }, budget);
  if (answer.goals.length > 0) return true;
  return answer.incomplete ? undefined : false;
}

/**
 * Returns whether the goal is reachable in the instrumented program, and whether it is reachable in
 * the lowered program.
 */
async function compare(
  instrumented: Instrumented,
): Promise<readonly [boolean | undefined, boolean | undefined]> {
  const lowered = lowerInstrumented(instrumented);
  return [
    await reaches(instrumented.program, instrumented.goals),
    await reaches(lowered.program, lowered.goals),
  ];
}

/** Returns the program with domains for some stores and with names for cells. */
function dressed(program: Program, variant: number): Program {
  const symbols =
    variant % 2 === 0
      ? []
      : [
          { name: 'x', base: 0, length: 1, isArray: false, initial: [1] },
          { name: 'a', base: 1, length: 2, isArray: true, initial: [0, 2] },
        ];
  return { ...program, symbols, ...(variant % 3 === 0 && { domain: { low: 0, high: 1 } }) };
}

test(`the goal of the lowered program is reachable iff the attack is feasible, on ${runs} random programs`, async () => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(randomProgram({ loops: true }), fc.nat(5), async (random, variant) => {
      const program = dressed(random, variant);
      const attacks = attacksToDecide(program, enumerateAttacks(program));
      const queries = attacks.map((attack) => instrumentAttack(program, attack));
      const any = instrumentAnyAttack(program, attacks);
      for (const instrumented of [...queries, any]) {
        const [expected, lowered] = await compare(instrumented);
        if (expected === undefined || lowered === undefined) continue;
        expect(lowered).toBe(expected);
        count.add([...programFeatures(program), expected ? 'feasible' : 'infeasible']);
      }
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const feature of ['feasible', 'infeasible', 'lock', 'rmw cas', 'computed address'])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 10);
});

/**
 * Returns the attacks that are feasible both in the instrumented and in the lowered program, as
 * indices into `enumerateAttacks`.
 */
async function feasible(text: string): Promise<number[]> {
  const program = programOf(text);
  const found: number[] = [];
  for (const [number, attack] of enumerateAttacks(program).entries()) {
    const [expected, lowered] = await compare(instrumentAttack(program, attack));
    expect(lowered).toBe(expected);
    if (lowered === true) found.push(number);
  }
  return found;
}

describe('the lowered program', () => {
  test('keeps addresses apart that a program computes', async () => {
    // The store goes to one cell of the array, whose address went through memory.
    const program = (cell: number): string => `var p, a[3], y
      thread s { local r, q; p = &a[1]; fence; q = p; mem[q + 1] = 1; r = y; }
      thread t { local r; y = 1; fence; r = a[${cell}]; }`;
    expect(await feasible(program(2))).not.toEqual([]);
    expect(await feasible(program(1))).toEqual([]);
  });

  test('checks indices where the program does', async () => {
    const program = (index: number): string => `var a[2], y
      thread s { local r, i; i = ${index}; a[i] = 1; r = y; }
      thread t { local r; y = 1; fence; r = mem[&a[0] + ${index}]; }`;
    expect(await feasible(program(1))).not.toEqual([]);
    expect(await feasible(program(2))).toEqual([]);
  });

  test('uses an index as a value, with its check', async () => {
    const program = (index: number): string => `var a[2], y, z
      thread s { local r, i, q; i = ${index}; q = &a[i]; z = 1; r = y; }
      thread t { local r; y = 1; fence; r = z; }`;
    expect(await feasible(program(1))).not.toEqual([]);
    expect(await feasible(program(2))).toEqual([]);
  });

  test('ends where a store leaves the domain, and lets auxiliary values be', async () => {
    const program = (value: number): string => `var x, y
      domain 0..1
      thread s { local r; r = ${value}; x = r; r = y; }
      thread t { local r; r = xchg(y, 1); r = x; }`;
    expect(await feasible(program(1))).not.toEqual([]);
    expect(await feasible(program(2))).toEqual([]);
    const outside = (step: string): string => `var x, y
      domain 0..1
      thread s { local r; x = 1; r = y; }
      thread t { local r, two; two = 2; y = 1; fence; r = y; ${step}; r = x; }`;
    expect(await feasible(outside('r = fetch_add(y, 0)'))).not.toEqual([]);
    expect(await feasible(outside('r = fetch_add(y, r)'))).toEqual([]);
    expect(await feasible(outside('cas(y, 0, two)'))).not.toEqual([]);
    expect(await feasible(outside('cas(y, 1, two)'))).toEqual([]);
  });

  test('has all its stores in lock blocks, so that TSO adds nothing', () => {
    const program = programOf(`var x, y
      thread s { local r; x = 1; y = 2; r = xchg(y, 1); x = 2; y = 1; r = x; }
      thread t { local r; y = 1; x = 1; r = x; }`);
    const attacks = attacksToDecide(program, enumerateAttacks(program));
    const { program: lowered } = lowerInstrumented(instrumentAnyAttack(program, attacks));
    for (const { initial, transitions } of lowered.threads) {
      const freed = transitions.flatMap(({ to, instruction }) =>
        instruction.kind === 'unlock' ? [to] : [],
      );
      const open = new Set([initial, ...freed]);
      for (const location of open)
        for (const { from, to, instruction } of transitions)
          if (from === location && instruction.kind !== 'lock') {
            expect(instruction.kind).not.toBe('store');
            expect(instruction.kind).not.toBe('rmw');
            open.add(to);
          }
      const stores = transitions.filter(({ instruction }) => instruction.kind === 'store');
      expect(stores.length).toBeGreaterThan(5);
    }
  });

  test('has one goal in each thread that can reach it, and a property about them', () => {
    const program = programOf(`var x, y
      thread s { local r; x = 1; r = y; }
      thread t { local r; y = 1; fence; r = x; }
      thread u { local goal; goal = 1; }`);
    const [attack] = enumerateAttacks(program);
    const { program: lowered, goals } = lowerInstrumented(instrumentAttack(program, attack!));
    const names = goals.map(({ thread, location }) => [
      lowered.threads[thread]?.name,
      lowered.threads[thread]?.locations[location]?.name,
    ]);
    expect(names).toEqual([['t', 'goal']]);
    expect(lowered.properties).toMatchObject([
      { name: 'attack_fails', kind: 'never', condition: { kind: 'at', ...goals[0] } },
    ]);
  });
});
