import { describe, expect, it } from 'vitest';
import { instructionMayFault } from '../../src/analysis/possible-faults.js';
import { evaluateSet, type ValueSet } from '../../src/analysis/value-set.js';
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
import { precedence } from '../../src/program/infix.js';
import { edges } from '../../src/testing/with-wrapping.js';

const operators = Object.keys(precedence) as BinaryOperator[];
const sets: readonly (readonly number[])[] = [[3], [-1], [2, 7], [-5, 7], [0, 1], [31, 32], edges];

/** The result; absent where it is a fault. */
function outcome(apply: () => number): number | undefined {
  try {
    return apply();
  } catch (error) {
    if (error instanceof ExecutionFault) return undefined;
    throw error;
  }
}

function mayFault(value: Expression): boolean {
  return instructionMayFault({ symbols: [] }, { kind: 'assign', into: 0, value });
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
