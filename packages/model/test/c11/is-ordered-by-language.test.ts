import { expect, test } from 'vitest';
import { isOrderedByLanguage } from '../../src/c11/is-ordered-by-language.js';
import { constant } from '../../src/program/expression.js';
import type { Instruction } from '../../src/program/instruction.js';
import type { AccessKind, Program } from '../../src/program/program.js';

/** A program with one access, of the given kind in C. */
function programOf(instruction: Instruction, access: AccessKind = 'atomic'): Program {
  return {
    name: 'P',
    symbols: [{ name: 'x', base: 0, length: 1, isArray: false, initial: [0] }],
    threads: [
      {
        name: 't',
        registers: [{ name: 'r', hidden: false }],
        locations: [
          { name: 'a', hidden: false },
          { name: 'b', hidden: false },
        ],
        initial: 0,
        transitions: [{ from: 0, to: 1, instruction, origin: { access } }],
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
  ['an exchange of both', { ...exchange, order: 'acq_rel' }, true],
  ['an acquire exchange', { ...exchange, order: 'acquire' }, false],
  ['a store by an exchange', { ...exchange, isStore: true, order: 'release' }, true],
  ['an attempt', { ...attempt, order: 'seq_cst', failureOrder: 'acquire' }, true],
  // A failed attempt is a relaxed load.
  ['an attempt', { ...attempt, order: 'seq_cst', failureOrder: 'relaxed' }, false],
  ['a fence', { kind: 'fence' }, true],
])('%s keeps the order: %#', (_, instruction, isOrdered) => {
  expect(isOrderedByLanguage(programOf(instruction))).toBe(isOrdered);
  // The order of a plain or volatile access is the compiler's choice.
  if ('address' in instruction) {
    expect(isOrderedByLanguage(programOf(instruction, 'plain'))).toBe(false);
    expect(isOrderedByLanguage(programOf(instruction, 'volatile'))).toBe(false);
  }
});
