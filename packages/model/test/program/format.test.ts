import { describe, expect, it } from 'vitest';
import {
  type BinaryOperator,
  type Expression,
  type UnaryOperator,
  binary,
  constant,
  registerValue,
  unary,
} from '../../src/program/expression.js';
import { formatAddress, formatExpression, formatInstruction } from '../../src/program/format.js';
import type { Instruction } from '../../src/program/instruction.js';

const program = {
  symbols: [
    { name: 'x', base: 0, length: 1, isArray: false, initial: [0] },
    { name: 'flag', base: 1, length: 2, isArray: true, initial: [0, 0] },
  ],
};
const thread = {
  registers: [
    { name: 'r', hidden: false },
    { name: 's', hidden: false },
  ],
};
const r = registerValue(0);
const s = registerValue(1);
const x: Expression = { kind: 'address', symbol: 0 };
const flag: Expression = { kind: 'address', symbol: 1 };
const element: Expression = {
  kind: 'element',
  symbol: 1,
  index: binary('-', constant(1), r),
};
const b = (operator: BinaryOperator, left: Expression, right: Expression): Expression =>
  binary(operator, left, right);
const u = (operator: UnaryOperator, operand: Expression): Expression => unary(operator, operand);

describe('formatAddress', () => {
  it.each([
    [0, 'x'],
    [1, 'flag[0]'],
    [2, 'flag[1]'],
    [3, 'mem[3]'],
    [-1, 'mem[-1]'],
  ])('names cell %i %s', (address, text) => {
    expect(formatAddress(program, address)).toBe(text);
  });
});

describe('formatExpression', () => {
  it.each<[string, Expression]>([
    ['r + 1', b('+', r, constant(1))],
    ['r - s - 1', b('-', b('-', r, s), constant(1))],
    ['r - (s - 1)', b('-', r, b('-', s, constant(1)))],
    ['(r + s) * -2', b('*', b('+', r, s), constant(-2))],
    ['r * s + 1', b('+', b('*', r, s), constant(1))],
    ['(r & 1) == 0', b('==', b('&', r, constant(1)), constant(0))],
    ['r & s == 1', b('&', r, b('==', s, constant(1)))],
    ['r || s && r', b('||', r, b('&&', s, r))],
    ['(r || s) && r', b('&&', b('||', r, s), r)],
    ['!(r == s)', u('!', b('==', r, s))],
    ['!!r', u('!', u('!', r))],
    ['-(-r)', u('-', u('-', r))],
    ['-(-1)', u('-', constant(-1))],
    ['~(-r)', u('~', u('-', r))],
    ['-r - -1', b('-', u('-', r), constant(-1))],
    ['&x', x],
    ['&flag[0]', flag],
    ['&flag[1 - r] + 1', b('+', element, constant(1))],
    ['1 << r >> s', b('>>', b('<<', constant(1), r), s)],
    ['r ^ s | 1', b('|', b('^', r, s), constant(1))],
  ])('writes %s', (text, expression) => {
    expect(formatExpression(program, thread, expression)).toBe(text);
  });
});

describe('formatInstruction', () => {
  it.each<[string, Instruction]>([
    ['x = r + 1', { kind: 'store', address: x, value: b('+', r, constant(1)) }],
    ['flag[1] = 1', { kind: 'store', address: constant(2), value: constant(1) }],
    ['mem[7] = &x', { kind: 'store', address: constant(7), value: x }],
    ['r = flag[1 - r]', { kind: 'load', into: 0, address: element }],
    ['r = flag[0]', { kind: 'load', into: 0, address: flag }],
    ['s = mem[r + 1]', { kind: 'load', into: 1, address: b('+', r, constant(1)) }],
    ['r = -s', { kind: 'assign', into: 0, value: u('-', s) }],
    ['assume(r == 0)', { kind: 'assume', condition: b('==', r, constant(0)) }],
    ['assert(r)', { kind: 'assert', condition: r }],
    ['fence', { kind: 'fence' }],
    ['lock', { kind: 'lock' }],
    ['unlock', { kind: 'unlock' }],
    ['skip', { kind: 'skip' }],
    [
      'r = cas(x, 0, 1)',
      {
        kind: 'rmw',
        into: 0,
        address: x,
        operation: { name: 'cas', operands: [constant(0), constant(1)] },
      },
    ],
    ['xchg(mem[r], s)', { kind: 'rmw', address: r, operation: { name: 'xchg', operands: [s] } }],
    [
      's = fetch_add(flag[0], 1)',
      {
        kind: 'rmw',
        into: 1,
        address: flag,
        operation: { name: 'fetch_add', operands: [constant(1)] },
      },
    ],
    ['havoc r', { kind: 'havoc', into: 0 }],
    [
      'havoc r in 0..3 with r <= s',
      {
        kind: 'havoc',
        into: 0,
        range: { low: 0, high: 3 },
        where: b('<=', r, s),
      },
    ],
  ])('writes %s', (text, instruction) => {
    expect(formatInstruction(program, thread, instruction)).toBe(text);
  });
});
