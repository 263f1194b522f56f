import { describe, expect, it } from 'vitest';
import { instructionMayFault } from '../../src/analysis/possible-faults.js';
import { evaluateSet, joinSets, refineBy, type ValueSet } from '../../src/analysis/value-set.js';
import { applyBinary, applyUnary, ExecutionFault } from '../../src/program/evaluate.js';
import {
  binary,
  constant,
  conversions,
  registerValue,
  unary,
  type BinaryOperator,
  type Conversion,
  type Expression,
} from '../../src/program/expression.js';
import { valueOfInteger } from '../../src/program/wide-values.js';
import { precedence } from '../../src/program/infix.js';
import { edges } from '@fencewright/reference/testing/with-wrapping.js';

const operators = Object.keys(precedence) as BinaryOperator[];
const sets: readonly (readonly number[])[] = [[3], [-1], [2, 7], [-5, 7], [0, 1], [31, 32], edges];

/** Returns the result of `apply`; `undefined` for a fault. */
function outcome(apply: () => number): number | undefined {
  try {
    return apply();
  } catch (error) {
    if (error instanceof ExecutionFault) return undefined;
    throw error;
  }
}

/** Whether evaluating the value may fault, if memory initially contains `holds`. */
function mayFault(value: Expression, holds = 0): boolean {
  const instruction = { kind: 'assign', into: 0, value } as const;
  const transition = { from: 0, to: 0, instruction, origin: {} };
  const thread = { name: 't', registers: [], locations: [], initial: 0, transitions: [transition] };
  const symbol = { name: 'x', base: 1, length: 1, isArray: false, initial: [holds] };
  const program = { name: '', symbols: [symbol], threads: [thread], properties: [] };
  return instructionMayFault(program, instruction);
}

describe.each(operators)('%s', (operator) => {
  const expression = binary(operator, registerValue(0), registerValue(1));

  it('has no value that its set has not, whatever is known of the sides', () => {
    const of = (left: ValueSet, right: ValueSet): ValueSet =>
      evaluateSet(expression, [left, right], []);
    for (const known of sets)
      for (const [left, right] of [
        ['any', known],
        [known, 'any'],
        [known, known],
      ] as const) {
        const set = of(left, right);
        if (set === 'any') continue;
        for (const a of left === 'any' ? edges : left)
          for (const b of right === 'any' ? edges : right) {
            const value = outcome(() => applyBinary(operator, a, b));
            if (value !== undefined && !set.includes(value))
              expect.fail(`${a} ${operator} ${b} is ${value}, and not among ${set.join()}`);
          }
      }
  });

  it('is not said to be without faults if it has one', () => {
    for (const b of edges) {
      const faults = edges.some((a) => outcome(() => applyBinary(operator, a, b)) === undefined);
      const byConstant = binary(operator, registerValue(0), constant(b));
      if (faults) expect(mayFault(byConstant), `r ${operator} ${b}`).toBe(true);
    }
    const faults = edges.some((a) =>
      edges.some((b) => outcome(() => applyBinary(operator, a, b)) === undefined),
    );
    if (faults) expect(mayFault(expression)).toBe(true);
  });
});

/** Sample numbers of 64 bits; some of them are represented by small codes. */
const wide: readonly number[] = [
  ...[2n ** 31n, 2n ** 32n, -(2n ** 40n), 2n ** 53n, 2n ** 63n, 2n ** 63n - 1n, -(2n ** 53n) - 1n],
  ...[0x9e3779b97f4a7c15n, 0xcbf29ce484222325n, 0x3ff8000000000000n, 0x7ff0000000000003n],
].map((integer) => valueOfInteger(integer)!);
const all = [...edges, ...wide];

describe.each(operators)('%s, where there are numbers of 64 bits,', (operator) => {
  const expression = binary(operator, registerValue(0), registerValue(1));
  const isFault = (a: number, b: number) =>
    outcome(() => applyBinary(operator, a, b)) === undefined;

  it('has no value that its set has not', () => {
    for (const known of [wide, [...wide.slice(0, 3), 0, 7], [3], [wide[7]!], [0, 1]])
      for (const [left, right] of [
        ['any', known],
        [known, 'any'],
        [known, known],
      ] as const) {
        const set = evaluateSet(expression, [left, right], []);
        if (set === 'any') continue;
        for (const a of left === 'any' ? all : left)
          for (const b of right === 'any' ? all : right) {
            const value = outcome(() => applyBinary(operator, a, b));
            if (value !== undefined && !set.includes(value))
              expect.fail(`${a} ${operator} ${b} is ${value}, and not among ${set.join()}`);
          }
      }
  });

  it('is not said to be without faults if it has one', () => {
    for (const b of all) {
      const byConstant = binary(operator, registerValue(0), constant(b));
      if (all.some((a) => isFault(a, b))) expect(mayFault(byConstant, wide[0])).toBe(true);
    }
    if (all.some((a) => all.some((b) => isFault(a, b))))
      expect(mayFault(expression, wide[0])).toBe(true);
  });
});

describe('operators that wrap', () => {
  it('do not fault, but for divisors and counts', () => {
    for (const operator of ['+%', '-%', '*%', '<%', '<=%', '>%', '>=%'] as const)
      expect(mayFault(binary(operator, registerValue(0), registerValue(1))), operator).toBe(false);
    for (const type of Object.keys(conversions) as Conversion[])
      expect(mayFault(unary(type, registerValue(0))), type).toBe(false);
    for (const operator of ['/%', '%%', '<<%', '>>%'] as const) {
      expect(mayFault(binary(operator, registerValue(0), registerValue(1))), operator).toBe(true);
      expect(mayFault(binary(operator, registerValue(0), constant(3))), operator).toBe(false);
    }
  });

  it('bound what they can', () => {
    const one = [['any']] as const;
    expect(evaluateSet(binary('%%', registerValue(0), constant(3)), one[0], [])).toEqual([0, 1, 2]);
    expect(evaluateSet(binary('<%', registerValue(0), constant(3)), one[0], [])).toEqual([0, 1]);
    expect(evaluateSet(unary('u8', registerValue(0)), [[-1, 256, 7]], [])).toEqual([0, 7, 255]);
    expect(applyUnary('u8', -1)).toBe(255);
  });
});

describe('two bounds in a conjunction', () => {
  const r = registerValue(0);
  const within = (low: Expression, high: Expression): Expression => binary('&&', low, high);
  const refined = (condition: Expression, values: ValueSet = 'any') =>
    refineBy(condition, true, [values], [])?.[0];

  it('say what a register may hold that may hold anything', () => {
    const above = binary('>', r, constant(-2));
    const below = binary('<', r, constant(3));
    expect(refined(within(above, below))).toEqual([-1, 0, 1, 2]);
    expect(refined(within(binary('<=', r, constant(1)), binary('>=', r, constant(0))))).toEqual([
      0, 1,
    ]);
    expect(refined(within(within(above, below), binary('<', r, constant(1))))).toEqual([-1, 0]);
  });

  it('say nothing alone, or far from each other, or of another register', () => {
    const above = binary('>=', r, constant(0));
    expect(refined(within(above, above))).toBe('any');
    expect(refined(within(above, binary('<', r, constant(100_000))))).toBe('any');
    expect(refined(within(above, binary('<', registerValue(1), constant(2))))).toBe('any');
    expect(refined(binary('||', above, binary('<', r, constant(2))))).toBe('any');
  });

  it('exclude each other', () => {
    const above = binary('>', r, constant(5));
    expect(refined(within(above, binary('<', r, constant(3))))).toBeUndefined();
    expect(refined(within(above, binary('<', r, constant(8))), [1, 6, 9])).toEqual([6]);
  });
});

describe('a set that is larger than what is listed otherwise', () => {
  const r = registerValue(0);
  const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);
  const refined = (condition: Expression) => refineBy(condition, true, ['any'], [])?.[0];

  it('is a remainder, a mask, or a number below a bound without signs', () => {
    for (const operator of ['%%', '%:%'] as const)
      expect(evaluateSet(binary(operator, r, constant(96)), ['any'], [])).toEqual(upTo(96));
    expect(evaluateSet(binary('&', r, constant(255)), ['any'], [])).toEqual(upTo(256));
    for (const operator of ['<%', '<:%'] as const)
      expect(refined(binary(operator, r, constant(96)))).toEqual(upTo(96));
    for (const operator of ['<=%', '<=:%'] as const)
      expect(refined(binary(operator, r, constant(96)))).toEqual(upTo(97));
  });

  it('is bounded by no divisor and no bound that is negative or unknown', () => {
    for (const operator of ['%%', '%:%'] as const)
      for (const set of ['any', [-3], [5, -3]] as const)
        expect(evaluateSet(binary(operator, r, registerValue(1)), ['any', set], [])).toBe('any');
    for (const operator of ['<%', '<:%', '<'] as const)
      for (const set of ['any', [-3], [5, -3]] as const)
        expect(refineBy(binary(operator, r, registerValue(1)), true, ['any', set], [])?.[0]).toBe(
          'any',
        );
  });

  it('is bounded by the largest of several bounds', () => {
    const below = (operator: BinaryOperator) =>
      refineBy(binary(operator, r, registerValue(1)), true, ['any', [70, 96]], [])?.[0];
    expect(below('<%')).toEqual(upTo(96));
    expect(below('<=:%')).toEqual(upTo(97));
  });

  it('is shifted and scaled, but not joined with other numbers', () => {
    const scaled = binary('+', binary('*', r, constant(8)), constant(4096));
    expect(evaluateSet(scaled, [upTo(96)], [])).toEqual(upTo(96).map((i) => 8 * i + 4096));
    expect(joinSets(upTo(96), [3])).toEqual(upTo(96));
    expect(joinSets([3], upTo(96))).toEqual(upTo(96));
    expect(joinSets(upTo(96), [96])).toBe('any');
  });

  it('is no number above a bound, and none for which the comparison is false', () => {
    for (const operator of ['>%', '>=%', '>:%', '>=:%'] as const)
      expect(refined(binary(operator, r, constant(96)))).toBe('any');
    expect(refineBy(binary('<%', r, constant(96)), false, ['any'], [])?.[0]).toBe('any');
  });
});

it('a number of 64 bits bounds nothing', () => {
  const r = registerValue(0);
  for (const bound of wide) {
    const between = binary('&&', binary('>=', r, constant(0)), binary('<', r, constant(bound)));
    expect(refineBy(between, true, ['any'], [])?.[0]).toBe('any');
  }
});
