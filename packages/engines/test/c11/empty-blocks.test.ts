import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { constant, negate, registerValue } from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program, Thread, Transition } from '@fencewright/model/program/program.js';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { checkC11 } from '../../src/c11/check-c11.js';
import { answerByGraphs } from './all-graphs.js';
import { randomSketch, textOf } from './sketch.js';

/** The possible paths of instructions through a random lock block that accesses no memory. */
function pathsOf(register: number, random: SeededRandom): readonly (readonly Instruction[])[] {
  const value = registerValue(register);
  const keep: Instruction = { kind: 'assign', into: register, value };
  if (random.below(2) === 0) return [random.below(2) === 0 ? [] : [keep]];
  const condition = random.below(2) === 0 ? value : constant(1);
  return [
    [{ kind: 'assume', condition }],
    [{ kind: 'assume', condition: negate(condition) }, keep],
  ];
}

/**
 * Returns the thread with lock blocks that access no memory inserted before some of its
 * instructions.
 */
function withBlocks(thread: Thread, random: SeededRandom): Thread {
  const locations = [...thread.locations];
  const fresh = (): number => locations.push({ ...thread.locations[0]! }) - 1;
  const blocks = thread.locations.map((_, location) => {
    const isChosen = thread.transitions.some(({ from }) => from === location);
    return isChosen && random.below(3) === 0 ? fresh() : undefined;
  });
  const transitions: Transition[] = thread.transitions.map((one) => ({
    ...one,
    from: blocks[one.from] ?? one.from,
  }));
  for (const [location, behind] of blocks.entries()) {
    const origin = thread.transitions.find(({ from }) => from === location)?.origin;
    if (behind === undefined || !origin) continue;
    const add = (from: number, to: number, instruction: Instruction): void => {
      transitions.push({ from, to, instruction, origin });
    };
    const inside = fresh();
    add(location, inside, { kind: 'lock', order: random.below(2) === 0 ? 'acquire' : 'acq_rel' });
    for (const path of pathsOf(0, random)) {
      let at = inside;
      for (const step of path) {
        const next = fresh();
        add(at, next, step);
        at = next;
      }
      add(at, behind, { kind: 'unlock' });
    }
  }
  return { ...thread, locations, transitions };
}

const readBack = (text: string): Program => finiteProgram(parseNative(text).model)!;

test('blocks without memory accesses order nothing in C11', async () => {
  const counts = { robust: 0, not: 0 };
  const first = randomSeed(70_000);
  for (let seed = first; seed < first + randomRuns(120, 3000); seed++) {
    const sketch = randomSketch(seed, { branches: true, plain: false });
    const wanted = answerByGraphs(sketch, 'c11', 4000);
    const program = readBack(textOf(sketch));
    const hasRegisters = program.threads.every(({ registers }) => registers.length > 0);
    if (!wanted || !hasRegisters) continue;
    const random = new SeededRandom(seed);
    const threads = program.threads.map((thread) => withBlocks(thread, random));
    const found = await checkC11({ ...program, threads }, 'c11', new Budget(), 'robustness');
    const plain = await checkC11(program, 'c11', new Budget(), 'robustness');
    const kinds = [plain, found].map(({ verdict }) =>
      verdict.kind === 'not-robust' ? verdict.violation.kind : verdict.kind,
    );
    expect([seed, kinds[1]]).toEqual([seed, kinds[0]]);
    if (kinds[1] === 'load-buffering' || kinds[1] === 'unknown') continue;
    expect([seed, kinds[1] === 'robust']).toEqual([seed, wanted.isRobust]);
    counts[kinds[1] === 'robust' ? 'robust' : 'not'] += 1;
  }
  expect(counts.robust).toBeGreaterThan(20);
  expect(counts.not).toBeGreaterThan(5);
});

const messagePassing = `program message_passing
var data, flag
thread writer {
  data = 1;
  lock;
  unlock;
  store(flag, 1, relaxed);
}
thread reader {
  local seen, found;
  seen = load(flag, relaxed);
  found = data;
}
`;

test('an empty block under C11 does not end its thread, and is refused without an order', async () => {
  const program = readBack(messagePassing);
  const ordered = program.threads.map((thread): Thread => ({
    ...thread,
    transitions: thread.transitions.map((one) =>
      one.instruction.kind === 'lock'
        ? { ...one, instruction: { kind: 'lock', order: 'acquire' } }
        : one,
    ),
  }));
  const { verdict } = await checkC11({ ...program, threads: ordered }, 'c11', new Budget());
  expect(verdict.kind).toBe('not-robust');
  const refused = await checkC11(program, 'c11', new Budget());
  expect(refused.verdict).toMatchObject({ kind: 'unknown', limit: 'lock-blocks' });
});
