import { describe, expect, test } from 'vitest';
import { guessesOf } from '../../src/analysis/guesses.js';
import type { Thread, Transition } from '../../src/program/program.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

/**
 * A thread with a read abstraction: its transition 0 is the load, from the initial location to a
 * hidden location, and its transition 1 is the `havoc`.
 */
const { threads } = programOf(`domain 0..3 var x
  thread t { local r; havoc r with r <= x; skip; skip; }`);
const thread = threads[0]!;
const [load, havoc] = thread.transitions;
const held = load!.instruction.kind === 'load' ? load!.instruction.into : -1;

const also = (...added: Omit<Transition, 'origin'>[]): Thread => ({
  ...thread,
  transitions: [...thread.transitions, ...added.map((one) => ({ ...one, origin: {} }))],
});
const skip = { kind: 'skip' } as const;
const seen = { kind: 'assign', into: 0, value: { kind: 'register', register: held } } as const;

describe('a load and the havoc behind it', () => {
  test('are a read abstraction as front ends write it', () => {
    expect([...guessesOf(thread).values()]).toEqual([{ load: 0, havoc: 1, held }]);
  });

  // In each of these programs the loaded value is visible, or the choice does not depend on it.
  test.each([
    [
      'others come to the havoc without the load',
      also({ from: load!.from, to: load!.to, instruction: skip }),
    ],
    ['the load leads elsewhere, too', also({ from: load!.to, to: havoc!.to, instruction: seen })],
    [
      'what was loaded is read behind it',
      also({ from: havoc!.to, to: load!.from, instruction: seen }),
    ],
    ['the thread begins between them', { ...thread, initial: load!.to }],
    [
      'what was loaded has a name',
      {
        ...thread,
        registers: thread.registers.map((register) => ({ ...register, hidden: false })),
      },
    ],
  ])('are none where %s', (_, changed) => {
    expect([...guessesOf(changed)]).toEqual([]);
  });
});
