import { Budget } from '@fencewright/ground/base/budget.js';
import { checkC11 } from '@fencewright/engines/c11/check-c11.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { forwardingSketch } from '../../../engines/test/c11/forwarding-sketch.js';
import { randomSketch, type Sketch, textOf } from '../../../engines/test/c11/sketch.js';
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

const forwarded = 'forwarded-to-seq-cst';

/**
 * Whether the statement contains a waiting loop; under TSO, each iteration of such a loop is a
 * load.
 */
function waits(sketch: Sketch): boolean {
  if (sketch.kind === 'if') return sketch.then.some(waits);
  return sketch.kind === 'await' || (sketch.kind === 'cas' && sketch.waits);
}

// On x86, a program robust against C11 shows only behaviour of SC.
test.each([
  ['of all kinds', (seed: number) => randomSketch(seed, { branches: true, plain: false })],
  ['with forwarded stores', forwardingSketch],
] as const)(
  'robust against C11 is robust on x86, with seq_cst stores as exchanges: %s',
  async (_, sketchOf) => {
    const counts = { robust: 0, onlyOnX86: 0, neither: 0 };
    const from = randomSeed(50_000);
    const count = randomRuns(100, 1000);
    for (let seed = from; seed < from + count; seed++) {
      const sketch = sketchOf(seed);
      if (sketch.threads.flat().some((one) => waits(one))) continue;
      const { model } = parseNative(textOf(sketch));
      const program = finiteProgram(model)!;
      const { verdict } = await checkC11(program, 'c11', new Budget());
      const x86 = (await check(forX86(program))).verdict.kind;
      if (verdict.kind === 'unknown') expect([seed, verdict.limit]).toEqual([seed, forwarded]);
      expect(['robust', 'not-robust']).toContain(x86);
      const isRobust = verdict.kind === 'robust';
      if (isRobust) expect([seed, x86]).toEqual([seed, 'robust']);
      counts[isRobust ? 'robust' : x86 === 'robust' ? 'onlyOnX86' : 'neither'] += 1;
    }
    expect(counts.robust).toBeGreaterThan(count / 50);
    expect(counts.onlyOnX86).toBeGreaterThan(count / 50);
    expect(counts.neither).toBeGreaterThan(count / 50);
  },
);
