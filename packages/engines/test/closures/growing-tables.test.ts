import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Budget } from '@fencewright/ground/base/budget.js';
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
