import { expect, test } from 'vitest';
import type { Program } from '@fencewright/model/program/program.js';
import { enumerateAttacks } from '../../src/robustness/attacks.js';
import { witnessOfSchedule, type ScheduledStep } from '../../src/robustness/lift-witness.js';
import { programOf } from './native-program.js';

const noisy = 400;

/** Returns the steps with which a thread without branches runs to its end. */
function runOf({ threads }: Program, thread: number, delayed: readonly number[]): ScheduledStep[] {
  return threads[thread]!.transitions.map((_, transition) => ({
    thread,
    transition,
    delayed: delayed.includes(transition),
  }));
}

/**
 * Returns the threads that make steps in the witness of store buffering by thread 0, after threads
 * 3 and 2 have run.
 */
function threadsOfWitness(noise: string, first: string): ReadonlySet<number> {
  const program = programOf(`var x, y, z, w
    thread a { local r; x = 1; r = y; }
    thread b { local r; ${first} y = 1; fence; r = x; }
    thread noise { ${noise} }
    thread idle { ${noise.replaceAll('z', 'w')} }`);
  const attack = enumerateAttacks(program).find(({ thread }) => thread === 0)!;
  const schedule = [
    ...runOf(program, 3, []),
    ...runOf(program, 2, []),
    ...runOf(program, 0, [attack.store]),
    ...runOf(program, 1, []),
  ];
  const { computation, cycle } = witnessOfSchedule(program, attack, schedule, 'standard');
  expect(cycle.length).toBeGreaterThan(1);
  return new Set(computation.map(({ thread }) => thread));
}

const stores = Array.from({ length: noisy }, (_, i) => `z = ${i + 1};`).join(' ');

test('a long schedule keeps no steps of a thread that the cycle does not need', () => {
  expect(threadsOfWitness(stores, '')).toEqual(new Set([0, 1]));
});

test('a long schedule keeps the steps of a thread whose value another thread waits for', () => {
  expect(threadsOfWitness(stores, `r = z; assume r == ${noisy};`)).toEqual(new Set([0, 1, 2]));
});

test('a long schedule keeps the sources of values that the attacker reads', () => {
  const program = programOf(`var x, y, z
    thread a { local r; r = z; assume r == ${noisy}; x = 1; r = y; }
    thread b { local r; y = 1; fence; r = x; }
    thread noise { ${stores} }`);
  const attack = enumerateAttacks(program).find(({ thread, load }) => {
    const { instruction } = program.threads[0]!.transitions[load]!;
    return thread === 0 && instruction.kind === 'load' && load > 1;
  })!;
  const schedule = [
    ...runOf(program, 2, []),
    ...runOf(program, 0, [attack.store]),
    ...runOf(program, 1, []),
  ];
  const { computation } = witnessOfSchedule(program, attack, schedule, 'standard');
  expect(computation.filter(({ thread }) => thread === 2)).toHaveLength(2 * noisy);
});
