import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { checkC11 } from '@fencewright/engines/c11/check-c11.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { forwardingSketch } from '../../../engines/test/c11/forwarding-sketch.js';
import {
  type ProgramSketch,
  randomSketch,
  type Sketch,
  textOf,
} from '../../../engines/test/c11/sketch.js';
import { check } from '../../src/api/check.js';

/** Returns the instruction as compilers for x86 make it: a `seq_cst` store is an exchange. */
function compiled(instruction: Instruction): Instruction {
  if (instruction.kind !== 'store' || instruction.order !== 'seq_cst') return instruction;
  const { address, value } = instruction;
  return { kind: 'rmw', address, operation: { name: 'xchg', operands: [value] } };
}

function forX86(program: Program): Program {
  return {
    ...program,
    threads: program.threads.map((thread) => ({
      ...thread,
      transitions: thread.transitions.map((one) => ({
        ...one,
        instruction: compiled(one.instruction),
      })),
    })),
  };
}

/** Returns the program without fences, and with stores and loads of no order. */
function withoutOrders(program: Program): Program {
  return {
    ...program,
    threads: program.threads.map((thread) => ({
      ...thread,
      transitions: thread.transitions.map((one) =>
        one.instruction.kind === 'fence' ? { ...one, instruction: { kind: 'skip' } } : one,
      ),
    })),
  };
}

/** The limits of the check of C11 that random programs may reach. */
const open: readonly unknown[] = ['forwarded-to-seq-cst', 'rmws-behind-loads'];

/**
 * Whether the statement contains a waiting loop; under TSO, each iteration of such a loop is a
 * load.
 */
function waits(sketch: Sketch): boolean {
  if (sketch.kind === 'if') return sketch.then.some(waits);
  return sketch.kind === 'await' || (sketch.kind === 'cas' && sketch.waits);
}

/**
 * Returns a random ring of store buffering: each thread stores its own cell and loads the next one,
 * mostly by `seq_cst`, with fences and other accesses. Many such programs are robust by their
 * orders alone.
 */
function strongRing(seed: number): ProgramSketch {
  const random = new SeededRandom(seed);
  const chance = (percent: number): boolean => random.below(100) < percent;
  const cells = ['x', 'y', 'z'].slice(0, 2 + random.below(2));
  const store = (cell: string): Sketch => ({
    kind: chance(25) ? 'xchg' : 'store',
    ...{ cell, value: 1 + random.below(2), order: chance(80) ? 'seq_cst' : 'release' },
  });
  const load = (cell: string): Sketch => {
    return { kind: 'load', cell, order: chance(80) ? 'seq_cst' : 'acquire' };
  };
  const between = (): readonly Sketch[] => {
    if (chance(40)) return [{ kind: 'fence', order: chance(70) ? 'seq_cst' : 'acq_rel' }];
    const cell = cells[random.below(cells.length)]!;
    return chance(30) ? [chance(50) ? store(cell) : load(cell)] : [];
  };
  const threads = cells.map((own, thread) => [
    store(own),
    ...between(),
    load(cells[(thread + 1) % cells.length]!),
    ...(chance(20) ? between() : []),
  ]);
  return { cells, threads };
}

const whole = (seed: number): ProgramSketch => randomSketch(seed, { branches: true, plain: false });

// On x86, a program robust against C11 shows only behaviour of SC.
test.each([
  ['of all kinds', whole],
  ['with forwarded stores', forwardingSketch],
  ['of strong orders', strongRing],
] as const)(
  'robust against C11 is robust on x86, with seq_cst stores as exchanges: %s',
  async (_, sketchOf) => {
    const counts = { robust: 0, byOrders: 0, onlyOnX86: 0, neither: 0, undecided: 0 };
    const from = randomSeed(50_000);
    const count = randomRuns(100, 1000);
    for (let seed = from; seed < from + count; seed++) {
      const sketch = sketchOf(seed);
      if (sketch.threads.flat().some((one) => waits(one))) continue;
      const { model } = parseNative(textOf(sketch));
      const program = finiteProgram(model)!;
      const { verdict } = await checkC11(program, 'c11', new Budget());
      const x86 = (await check(forX86(program))).verdict.kind;
      if (verdict.kind === 'unknown') {
        expect([seed, open.includes(verdict.limit)]).toEqual([seed, true]);
        counts.undecided += 1;
      }
      expect(['robust', 'not-robust']).toContain(x86);
      const isRobust = verdict.kind === 'robust';
      if (isRobust) {
        expect([seed, x86]).toEqual([seed, 'robust']);
        // Without orders, x86 shows executions of these programs that SC does not have.
        if ((await check(withoutOrders(program))).verdict.kind === 'not-robust')
          counts.byOrders += 1;
      }
      counts[isRobust ? 'robust' : x86 === 'robust' ? 'onlyOnX86' : 'neither'] += 1;
    }
    console.log(counts);
    expect(counts.robust).toBeGreaterThan(count / 50);
    if (sketchOf !== whole) expect(counts.byOrders).toBeGreaterThan(count / 50);
    expect(counts.onlyOnX86).toBeGreaterThan(count / 50);
    expect(counts.neither).toBeGreaterThan(count / 50);
  },
);
