import { expect, test } from 'vitest';
import { foundCondition, testsOwnSwap } from '../src/words/found-condition.js';
import { stepNumbers } from '../src/words/step-numbers.js';
import { isWithoutBuffers, toldSteps } from '../src/words/told-steps.js';
import { program, witness } from './store-buffering.js';
import type { Action } from '@fencewright/model/trace/computation.js';

const store = (thread: 0 | 1): readonly Action[] =>
  (['issue', 'store'] as const).map((kind) => ({
    ...{ kind, thread, transition: 0 },
    ...{ address: thread, value: 1 },
  }));
const load = (thread: 0 | 1, value: number): Action => ({
  ...{ kind: 'load', thread, transition: 1, address: 1 - thread, value, early: false },
});

test('a store that reaches memory at once is one step, with the number of its last action', () => {
  const sequential = [...store(0), load(0, 0), ...store(1), load(1, 1)];
  expect(isWithoutBuffers(sequential)).toBe(true);
  expect(toldSteps(program, sequential)).toEqual([
    { index: 1, sentence: 't1 stores x = 1 to memory' },
    { index: 2, sentence: 't1 loads y from memory: 0' },
    { index: 4, sentence: 't2 stores y = 1 to memory' },
    { index: 5, sentence: 't2 loads x from memory: 1' },
  ]);
});

test('a store that waits is told when it is issued and when it reaches memory', () => {
  expect(isWithoutBuffers(witness.computation)).toBe(false);
  expect(toldSteps(program, witness.computation).map(({ index }) => index)).toEqual(
    witness.computation.map((_, index) => index),
  );
  // The store follows its issue, but is another thread's.
  const [issue, other] = [...store(0), ...store(1)].filter((_, i) => i === 0 || i === 3);
  expect(isWithoutBuffers([issue!, other!])).toBe(false);
});

test('the numbers of told steps have no gaps, and an untold action has that of the next step', () => {
  const sequential = [...store(0), load(0, 0), ...store(1), load(1, 1)];
  // The issue of a store that reaches memory at once belongs to the step of the store.
  expect(stepNumbers(program, sequential)).toEqual([1, 1, 2, 3, 3, 4]);
  expect(stepNumbers(program, witness.computation)).toEqual(
    witness.computation.map((_, index) => index + 1),
  );
});

test.each([
  ['assume(x == 0)', 'x == 0'],
  ['assume(!(x != 0))', 'x == 0'],
  ['assume(!(x == y))', 'x != y'],
  ['assume(!(x < 3))', 'x >= 3'],
  ['assume((x == 0) != 0)', 'x == 0'],
  ['assume((x == 0) == 0)', 'x != 0'],
  // The brackets belong to other parts of the condition, or do not enclose a comparison.
  ['assume(!(x != 0) && !(y != 0))', '!(x != 0) && !(y != 0)'],
  ['assume((x & 1) != 0)', '(x & 1) != 0'],
  // A byte that a compiler cuts to a truth value, and a comparison, which is a truth value already.
  ['assume(q.go & 1)', 'q.go != 0'],
  ['assume(!(q.go & 1))', 'q.go == 0'],
  ['assume((x == y) & 1)', 'x == y'],
  ['assume((x + y) & 1)', '(x + y) & 1'],
  ['assume(!(x == 1 || y == 2))', '!(x == 1 || y == 2)'],
  ['assume((a + b) * (c + d) != 0)', '(a + b) * (c + d) != 0'],
])('the condition found by %s is %s', (instruction, condition) => {
  expect(foundCondition(instruction)).toBe(condition);
});

test.each([
  ['assume(cas(l, 0, 1))', true],
  ['assume(!(cas(l, 0, 1) & 1))', true],
  ['assume(cas(l, 0, 1) == 0)', true],
  ['assume(cas(l, 0, 1) != x)', false],
  ['assume(cas(l, 0, 1) + cas(m, 0, 1))', false],
])('whether %s tells no more than the compare-and-swap: %s', (instruction, isTold) => {
  expect(testsOwnSwap(instruction)).toBe(isTold);
});
