import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { describeWith } from '../../../../tools/external-program.js';
import {
  compileExpression,
  ExecutionFault,
  type FaultKind,
} from '@fencewright/model/program/evaluate.js';
import {
  binary,
  type BinaryOperator,
  constant,
  type Expression,
  isWide,
  registerValue,
  unary,
  type UnaryOperator,
} from '@fencewright/model/program/expression.js';
import type { Program, SharedSymbol, Transition } from '@fencewright/model/program/program.js';
import { precedence } from '@fencewright/model/program/infix.js';
import { printC } from '../../src/printers/c/print-c.js';
import { inFolder, prepare, runText } from './run-c.js';

const runs = randomRuns(25, 2000, 12);
const seed = randomSeed(20111104);

/** The operators of C: those of 64 bits are refused. */
const operators = (Object.keys(precedence) as BinaryOperator[]).filter((one) => !isWide(one));

const inputs = 4;
const perProgram = 12;

/** Numbers close to 0, to the smallest, and to the largest number. */
const number = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -3, max: 33 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-(2 ** 31), 1 - 2 ** 31, 2 ** 31 - 1, 2 ** 30, -(2 ** 30), 46341),
  },
);

/** An array of three cells, to be indexed. */
const table: SharedSymbol = { name: 'a', base: 100, length: 3, isArray: true, initial: [0, 0, 0] };

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: fc.nat(inputs - 1).map(registerValue) },
    { weight: 2, arbitrary: number.map((value): Expression => constant(value)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom<UnaryOperator>('-', '!', '~', 'i8', 'u8', 'i16', 'u16'),
          tie('expression'),
        )
        .map(([operator, operand]): Expression => unary(operator, operand)),
    },
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom(...operators), tie('expression'), tie('expression'))
        .map(([operator, left, right]): Expression => binary(operator, left, right)),
    },
    {
      weight: 1,
      arbitrary: tie('expression').map((index): Expression => ({
        kind: 'element',
        symbol: inputs,
        index,
      })),
    },
  ),
}));

const cases = fc.record({
  values: fc.array(number, { minLength: inputs, maxLength: inputs }),
  expressions: fc.array(expression, { minLength: perProgram, maxLength: perProgram }),
});

/**
 * Returns a thread that loads the values and then evaluates each expression into a register of its
 * own.
 */
function programWith(values: readonly number[], expressions: readonly Expression[]): Program {
  const inputSymbols = values.map((value, i): SharedSymbol => ({
    name: `x${i}`,
    base: i,
    length: 1,
    isArray: false,
    initial: [value],
  }));
  const instructions: Transition['instruction'][] = [
    ...values.map((_, into) => ({ kind: 'load' as const, into, address: constant(into) })),
    ...expressions.map((value, i) => ({ kind: 'assign' as const, into: inputs + i, value })),
  ];
  return {
    name: 'expressions',
    symbols: [...inputSymbols, table],
    threads: [
      {
        name: 't',
        registers: Array.from({ length: inputs + expressions.length }, (_, r) => ({
          name: `r${r}`,
          hidden: false,
        })),
        locations: Array.from({ length: instructions.length + 1 }, (_, l) => ({
          name: `l${l}`,
          hidden: true,
        })),
        initial: 0,
        transitions: instructions.map((instruction, from) => ({
          from,
          to: from + 1,
          instruction,
          origin: {},
        })),
      },
    ],
    properties: [],
  };
}

function evaluate(program: Program, values: readonly number[], one: Expression) {
  try {
    return compileExpression(one, program.symbols)(values, 0);
  } catch (error) {
    if (error instanceof ExecutionFault) return error.kind;
    throw error;
  }
}

describeWith('cc', ['--version'], 'expressions in C', () => {
  test('have the values of the machine, and faults end the run', async () => {
    const count = { values: 0, faults: new Map<FaultKind, number>() };
    await inFolder(async (folder) => {
      await prepare(folder);
      // A random expression may always be true, so warnings about this are disabled.
      const odd = ['tautological-compare', 'bool-compare', 'bool-operation'];
      const strict = [
        // Without optimisation, so that unused results are computed, too.
        ...['-O0', '-fsanitize=undefined', '-fno-sanitize-recover=all'],
        ...odd.map((warning) => `-Wno-${warning}`),
      ];
      const outcome = async (program: Program) =>
        (await runText(folder, printC(program).text!, 1, strict))[0]!;
      const property = fc.asyncProperty(cases, async ({ values, expressions }) => {
        const all = programWith(values, expressions);
        const results = expressions.map((one) => evaluate(all, values, one));
        const fine = expressions.filter((_, i) => typeof results[i] === 'number');
        const run = await outcome(programWith(values, fine));
        expect(run.kind).toBe('final');
        if (run.kind !== 'final') return;
        const found = fine.map((_, i) => run.values.get(`t_r${inputs + i}`));
        expect(found).toEqual(results.filter((one) => typeof one === 'number'));
        count.values += fine.length;
        const faulty = expressions.findIndex((_, i) => typeof results[i] === 'string');
        if (faulty < 0) return;
        const failing = await outcome(programWith(values, [expressions[faulty]!]));
        expect(failing.kind).toBe('failed');
        const kind = results[faulty] as FaultKind;
        count.faults.set(kind, (count.faults.get(kind) ?? 0) + 1);
      });
      await fc.assert(property, { numRuns: runs, seed, endOnFailure: true });
    });
    console.log(count);
    expect(count.values).toBeGreaterThan(runs * 4);
    expect([...count.faults.keys()].toSorted()).toEqual(['division-by-zero', 'index', 'overflow']);
  });
});
