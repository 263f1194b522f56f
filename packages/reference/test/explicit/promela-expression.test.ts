import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeWith } from '../../../../tools/external-program.js';
import { compileExpression, ExecutionFault } from '@fencewright/model/program/evaluate.js';
import {
  binary,
  type BinaryOperator,
  constant,
  type Expression,
  isWide,
  registerValue,
  unary,
} from '@fencewright/model/program/expression.js';
import { precedence } from '@fencewright/model/program/infix.js';
import { promelaValue, toPromelaExpression } from '../../src/promela/promela-expression.js';
import { edges } from '../../src/testing/with-wrapping.js';

/** Converts an expression of Promela to C: only the conditional operator `(c -> a : b)` differs. */
function asC(text: string): string {
  return text.replaceAll('->', '?');
}

function outcome(expression: Expression, registers: readonly number[]): number | undefined {
  try {
    return compileExpression(expression, [])(registers, 0);
  } catch (error) {
    if (error instanceof ExecutionFault) return undefined;
    throw error;
  }
}

/**
 * Returns statements of C that add 1 to a count if the compiled expression has a wrong value for
 * the operands `a` and `b`.
 */
function statementsFor(expression: Expression, [a, b]: readonly [number, number]): string {
  const { text, checks } = toPromelaExpression(expression, {
    symbols: [],
    register: (id) => promelaValue(id === 0 ? 'a' : 'b'),
  });
  const value = outcome(expression, [a, b]);
  const holds = checks.map((check) => asC(check.holds)).join(' && ') || '1';
  const number = (n: number): string => (n === -(2 ** 31) ? '(-2147483647 - 1)' : `(${n})`);
  const isRight =
    value === undefined ? `!(${holds})` : `(${holds}) && (${asC(text)}) == ${number(value)}`;
  return `a = ${number(a)}; b = ${number(b)}; if (!(${isRight})) { printf("%d ", __LINE__); wrong++; }`;
}

/** The operators of Promela: those of 64 bits are refused. */
const operators = (Object.keys(precedence) as BinaryOperator[]).filter((one) => !isWide(one));
const [left, right] = [registerValue(0), registerValue(1)];
const some = [-(2 ** 31), 1 - 2 ** 31, 2 ** 31 - 1, 2 ** 30, -129, -1, 0, 1, 2, 128, 65536];
const pairs = some.flatMap((a) => [...some, 3, 31, 32].map((b): [number, number] => [a, b]));

const { nested } = fc.letrec<{ nested: Expression }>((tie) => ({
  nested: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(left, right),
    fc.constantFrom(...edges).map(constant),
    fc
      .tuple(fc.constantFrom('-', '!', '~', 'i8', 'u8', 'i16', 'u16' as const), tie('nested'))
      .map(([operator, operand]) => unary(operator, operand)),
    fc
      .tuple(fc.constantFrom(...operators), tie('nested'), tie('nested'))
      .map(([operator, one, other]) => binary(operator, one, other)),
  ),
}));

describeWith('cc', ['--version'], 'expressions in Promela, compiled as SPIN does', () => {
  it('have the values and the faults that executions have', () => {
    const simple = [
      ...operators.map((operator) => binary(operator, left, right)),
      ...(['-', '!', '~', 'i8', 'u8', 'i16', 'u16'] as const).map((each) => unary(each, left)),
    ].flatMap((expression) => pairs.map((pair) => statementsFor(expression, pair)));
    const composed = fc
      .sample(fc.tuple(nested, fc.constantFrom(...pairs)), { numRuns: 1000, seed: 21 })
      .map(([expression, pair]) => statementsFor(expression, pair));
    const all = [...simple, ...composed];
    // In functions of their own: compilers take long for large ones.
    const parts = Array.from({ length: Math.ceil(all.length / 200) }, (_, i) =>
      all.slice(i * 200, (i + 1) * 200),
    );
    const functions = parts.map(
      (part, i) => `static void f${i}(void) { volatile int a, b;\n${part.join('\n')}\n}`,
    );
    const calls = parts.map((_, i) => `f${i}();`).join(' ');
    const text = `#include <stdio.h>\nstatic int wrong;\n${functions.join('\n')}\nint main(void) { ${calls} return wrong != 0; }\n`;
    const folder = mkdtempSync(path.join(tmpdir(), 'fencewright-promela-'));
    try {
      writeFileSync(path.join(folder, 'cases.c'), text);
      const cwd = { cwd: folder, encoding: 'utf8' } as const;
      execFileSync('cc', ['-w', '-fwrapv', '-o', 'cases', 'cases.c'], cwd);
      expect(execFileSync('./cases', cwd)).toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(simple.length).toBeGreaterThan(5_000);
  });
});
