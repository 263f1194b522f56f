import { expect, test } from 'vitest';
import { isOrderedByLanguage } from '../../src/c11/is-ordered-by-language.js';
import { constant } from '../../src/program/expression.js';
import type { Instruction } from '../../src/program/instruction.js';
import type { AccessKind, Program } from '../../src/program/program.js';

/**
 * Returns a program of one thread that executes these accesses one after the other; `access` is
 * their kind in C.
 */
function programOf(instructions: readonly Instruction[], access: AccessKind = 'atomic'): Program {
  return {
    name: 'P',
    symbols: [{ name: 'x', base: 0, length: 1, isArray: false, initial: [0] }],
    threads: [
      {
        name: 't',
        registers: [{ name: 'r', hidden: false }],
        locations: [0, ...instructions.keys()].map((i) => ({ name: `l${i}`, hidden: false })),
        initial: 0,
        transitions: instructions.map((instruction, i) => ({
          ...{ from: i, to: i + 1 },
          instruction,
          origin: { access },
        })),
      },
    ],
    properties: [],
  };
}

const address = { kind: 'address', symbol: 0 } as const;
const load = { kind: 'load', into: 0, address } as const;
const exchange = {
  kind: 'rmw',
  ...{ into: 0, address },
  operation: { name: 'xchg', operands: [constant(1)] },
} as const;
const attempt = {
  kind: 'rmw',
  ...{ into: 0, address },
  operation: { name: 'cas', operands: [constant(0), constant(1)] },
} as const;
const store = { kind: 'store', address, value: constant(1) } as const;

// [CPP20] [atomics.order]: an acquire load is not moved behind what follows, a release store not
// before what precedes; a relaxed access may be moved in both directions.
test.each<[string, Instruction, boolean]>([
  ['an acquire load', { ...load, order: 'acquire' }, true],
  ['a relaxed load', { ...load, order: 'relaxed' }, false],
  ['a load without an order', load, false],
  ['a release store', { ...store, order: 'release' }, true],
  ['a relaxed store', { ...store, order: 'relaxed' }, false],
  ['a seq_cst exchange', { ...exchange, order: 'seq_cst' }, true],
  // x86 has a locked instruction, past which no load moves; in C, a later load may pass its store.
  ['an exchange of both', { ...exchange, order: 'acq_rel' }, false],
  ['a seq_cst store', { ...exchange, isStore: true, order: 'seq_cst' }, true],
  ['an attempt', { ...attempt, order: 'seq_cst', failureOrder: 'seq_cst' }, true],
  ['an attempt', { ...attempt, order: 'seq_cst', failureOrder: 'acquire' }, false],
  // A failed attempt is a relaxed load.
  ['an attempt', { ...attempt, order: 'seq_cst', failureOrder: 'relaxed' }, false],
  ['a fence', { kind: 'fence' }, true],
])('%s keeps the order: %#', (_, instruction, isOrdered) => {
  expect(isOrderedByLanguage(programOf([instruction]))).toBe(isOrdered);
  // The order of a plain or volatile access is the compiler's choice.
  if ('address' in instruction) {
    expect(isOrderedByLanguage(programOf([instruction], 'plain'))).toBe(false);
    expect(isOrderedByLanguage(programOf([instruction], 'volatile'))).toBe(false);
  }
});

// Store buffering: with a seq_cst store and an acquire load, C allows that both loads read 0, and
// the locked instruction of x86 does not ([CPP20] [atomics.order], paragraph 4).
test.each([
  ['acquire', false],
  ['seq_cst', true],
] as const)('a seq_cst store, then a load with order %s', (order, isOrdered) => {
  const stored = { ...exchange, isStore: true, order: 'seq_cst' } as const;
  expect(isOrderedByLanguage(programOf([stored, { ...load, order }]))).toBe(isOrdered);
});

test('a release store, then an acquire load, are reordered by store buffers as well', () => {
  const accesses = [
    { ...store, order: 'release' } as const,
    { ...load, order: 'acquire' } as const,
  ];
  expect(isOrderedByLanguage(programOf(accesses))).toBe(true);
});
