import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Budget } from '@fencewright/ground/base/budget.js';
import { ClosureSession } from '../../src/closures/closure-session.js';
import { OwnValues } from '../../src/closures/own-values.js';
import { writeRobustnessProof } from '../../src/closures/write-proof.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';

const example = (name: string) => {
  const file = new URL(`../../../../examples/${name}.fw`, import.meta.url);
  return finiteProgram(parseNative(readFileSync(file, 'utf8')).model)!;
};

test('a counter without bound ends a proof before its tables are too large', async () => {
  const proof = await writeRobustnessProof(example('textbook/seqlock'), 'standard', new Budget());
  expect(proof).toEqual({ happensBefore: 'standard' });
});

test('a proof ends with its time, also inside of a closure', async () => {
  const program = example('atlas/anderson-lock');
  // A clock by which each look at the clock takes a millisecond.
  let looks = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => looks++);
  onTestFinished(() => clock.mockRestore());
  const budget = new Budget({ timeout: 500 });
  expect(await writeRobustnessProof(program, 'standard', budget)).toBe('time');
  // All else looks a few times.
  expect(looks).toBeGreaterThanOrEqual(500);
  expect(looks).toBeLessThan(1000);
});

const options = {
  symmetry: false,
  maskDeadRegisters: true,
  ownedCells: true,
  happensBefore: 'standard',
} as const;

test('a counter of one thread takes work in proportion to its values', () => {
  /** Returns how often a closure looks up the value that a thread wrote last. */
  const looksUpTo = (most: number): number => {
    const look = vi.spyOn(OwnValues.prototype, 'value');
    const text = `program Counter var x
      thread a { local r; while (r < ${most}) { x = r + 1; fence; r = x; } }
      thread b { local s; s = x; }`;
    const program = finiteProgram(parseNative(text).model)!;
    const session = new ClosureSession(program, options, 1e6);
    expect(session.stepsUnderSc()?.contents[0]).toHaveLength(most + 1);
    const { length } = look.mock.calls;
    look.mockRestore();
    return length;
  };
  const few = looksUpTo(500);
  expect(few).toBeGreaterThan(500);
  expect(looksUpTo(2000)).toBeLessThanOrEqual(5 * few);
});
