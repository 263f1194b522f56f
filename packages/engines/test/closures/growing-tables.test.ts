import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Budget } from '@fencewright/ground/base/budget.js';
import { ClosureSession } from '../../src/closures/closure-session.js';
import { OwnValues } from '../../src/closures/own-values.js';
import { nothingBlocked } from '../../src/automata/attacker-automaton.js';
import { refuteByLocalClosure } from '../../src/closures/local-closure.js';
import { openAttacks } from '../../src/search/open-attacks.js';
import { writeRobustnessProof } from '../../src/closures/write-proof.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { programOf } from '../robustness/native-program.js';

const options = {
  symmetry: false,
  maskDeadRegisters: true,
  ownedCells: true,
  happensBefore: 'standard',
} as const;

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

test('a closure takes work in proportion to cells that two threads write', () => {
  const workFor = (cells: number): number => {
    const names = Array.from({ length: cells }, (_, i) => `v${i}`);
    const thread = (t: string, stores: readonly string[]): string =>
      `thread ${t} { local r; ${stores.map((v) => `${v} = 1; r = ${v};`).join(' ')} }`;
    // Threads with equal code would count as several from the start.
    const threads = `${thread('a', names)}\n${thread('b', names.toReversed())}`;
    const program = programOf(`var ${names.join(', ')}\n${threads}`);
    const session = new ClosureSession(program, options, 1_000_000);
    const effort = { left: 1_000_000 };
    expect(session.firstPhase(0, 0, effort)).toBeTypeOf('object');
    return 1_000_000 - effort.left;
  };
  expect(workFor(40)).toBeLessThan(5 * workFor(10));
});

// `b` writes a value that `a` wrote before: only so does `a` read 1 after its own 2.
test.each([
  ['a', 'b'],
  ['b', 'a'],
])('a cell with a second writer holds what its first writer wrote before: %s, %s', (...order) => {
  const threads = {
    a: 'thread a { local r; c = 1; c = 2; r = c; if (r == 1) { x = 1; r = y; } }',
    b: 'thread b { local r; r = y; c = 1; }',
  };
  const text = order.map((name) => threads[name as 'a' | 'b']).join('\n');
  const program = programOf(`var c, x, y\n${text}\nthread d { local r; y = 1; r = x; }`);
  const session = new ClosureSession(program, options, 1000);
  const thread = order.indexOf('a');
  const attacks = [...openAttacks(program, thread, nothingBlocked)];
  const names = program.threads[thread]!.transitions.map(({ instruction }) => instruction.kind);
  const feasible = { thread, store: names.lastIndexOf('store'), load: names.lastIndexOf('load') };
  expect(attacks).toContainEqual(feasible);
  const { refuted } = refuteByLocalClosure(session, thread, attacks, 1000);
  expect(refuted.map(({ attack }) => attack)).not.toContainEqual(feasible);
});
