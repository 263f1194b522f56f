import { describe, expect, test } from 'vitest';
import {
  binary,
  constant,
  type Expression,
  registerValue,
} from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import { instructionTexts, speaksOfHidden } from '../src/words/instruction-texts.js';
import type { Action } from '@fencewright/model/trace/computation.js';

const x = { kind: 'address', symbol: 0 } as const;
const y = { kind: 'address', symbol: 1 } as const;
const hidden = registerValue(1);

/**
 * The instructions of `while (x + 1 < r) { y = x; }` after lowering: register 1 is hidden and used
 * repeatedly.
 */
const instructions: Instruction[] = [
  { kind: 'load', into: 1, address: x },
  { kind: 'assign', into: 1, value: binary('+', hidden, constant(1)) },
  { kind: 'assume', condition: binary('<', hidden, registerValue(0)) },
  { kind: 'load', into: 1, address: x },
  { kind: 'store', address: y, value: hidden },
  { kind: 'havoc', into: 1, range: { low: 0, high: 1 } },
  { kind: 'assume', condition: binary('!=', hidden, constant(0)) },
  { kind: 'load', into: 0, address: y },
];

const program: Program = {
  name: 'P',
  symbols: ['x', 'y'].map((name, base) => ({
    name,
    base,
    length: 1,
    isArray: false,
    initial: [0],
  })),
  threads: [
    {
      name: 't',
      registers: [
        { name: 'r', hidden: false },
        { name: 'h1', hidden: true },
      ],
      locations: [{ name: 'l', hidden: false }],
      initial: 0,
      transitions: instructions.map((instruction) => ({ from: 0, to: 0, instruction, origin: {} })),
    },
  ],
  properties: [],
};

const load = { kind: 'load', thread: 0, address: 0, value: 0, early: false } as const;
const computation: Action[] = [
  { ...load, transition: 0 },
  { kind: 'local', thread: 0, transition: 1 },
  { kind: 'local', thread: 0, transition: 2 },
  { ...load, transition: 3 },
  { kind: 'issue', thread: 0, transition: 4, address: 1, value: 0 },
  { kind: 'local', thread: 0, transition: 5 },
  { kind: 'local', thread: 0, transition: 6 },
  { kind: 'store', thread: 0, transition: 4, address: 1, value: 0 },
  { ...load, transition: 7 },
];

describe('turns of a loop', () => {
  const begun = (first: Instruction, action: Action): readonly string[] => {
    const steps: Instruction[] = [
      first,
      { kind: 'assign', into: 1, value: binary('+', hidden, constant(1)) },
      { kind: 'store', address: y, value: hidden },
    ];
    const [thread] = program.threads;
    const transitions = steps.map((instruction) => ({ from: 0, to: 0, instruction, origin: {} }));
    const turns = Array.from({ length: 1000 }, (): Action => {
      return { kind: 'local', thread: 0, transition: 1 };
    });
    return instructionTexts({ ...program, threads: [{ ...thread!, transitions }] }, [
      action,
      ...turns,
      { kind: 'issue', thread: 0, transition: 2, address: 1, value: 0 },
    ]);
  };

  test('count in numbers where the count begins at a number', () => {
    const first: Instruction = { kind: 'assign', into: 1, value: constant(0) };
    const texts = begun(first, { kind: 'local', thread: 0, transition: 0 });
    expect(texts.at(-1)).toBe('y = 1000');
  });

  test('do not grow what is written without end', () => {
    const texts = begun({ kind: 'load', into: 1, address: x }, { ...load, transition: 0 });
    expect(texts[2]).toBe('((x + 1) + 1)');
    expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(300);
  });
});

describe('the instructions of a computation', () => {
  test('read as they were written, without the registers that lowering made', () => {
    expect(instructionTexts(program, computation)).toEqual([
      'x',
      '(x + 1)',
      'assume((x + 1) < r)',
      'x',
      'y = x',
      '*',
      'assume(* != 0)',
      'y = x',
      'r = y',
    ]);
  });

  test('numbers that a copy computes from its own number are shown as their value', () => {
    const numbers = { left: constant(1), right: constant(0) };
    const difference: Expression = { kind: 'binary', operator: '-', ...numbers };
    const cell = { kind: 'element', symbol: 1, index: difference } as const;
    const faulty: Expression = { kind: 'binary', operator: '/', ...numbers };
    const copies: Instruction[] = [
      { kind: 'store', address: cell, value: binary('+', registerValue(0), difference) },
      { kind: 'assume', condition: binary('==', faulty, difference) },
    ];
    const [thread] = program.threads;
    const transitions = copies.map((instruction) => ({ from: 0, to: 0, instruction, origin: {} }));
    const symbols = program.symbols.map((one, at) => (at === 1 ? { ...one, isArray: true } : one));
    const texts = instructionTexts(
      { ...program, symbols, threads: [{ ...thread!, transitions }] },
      [
        { kind: 'issue', thread: 0, transition: 0, address: 1, value: 0 },
        { kind: 'local', thread: 0, transition: 1 },
      ],
    );
    expect(texts).toEqual(['y[1] = r + 1', 'assume(1 / 0 == 1)']);
  });

  test('a condition is known to speak of such registers', () => {
    expect(
      instructions.map((instruction) => speaksOfHidden(program.threads[0]!, instruction)),
    ).toEqual([false, false, true, false, false, false, true, false]);
  });
});
