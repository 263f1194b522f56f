import fc from 'fast-check';
import { expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { withBoundedChoices } from '../../src/llvm-ir/choice-ranges.js';
import type { StepEdge, StepGraph } from '../../src/llvm-ir/step.js';
import { evaluateExpression } from '@fencewright/model/program/evaluate.js';
import {
  binary,
  constant,
  negate,
  registerValue,
  type BinaryOperator,
  type Expression,
} from '@fencewright/model/program/expression.js';

const choice = registerValue(0);
const whole = { low: -6000, high: 6000 };

/**
 * Returns a graph of a choice, of conditions on the choice (also on a copy in another register),
 * and of a store if `isStored`.
 */
function graphOf(conditions: readonly Expression[], isStored: boolean): StepGraph {
  const steps: StepEdge['step'][] = [{ kind: 'havoc', into: 0, range: whole }];
  conditions.forEach((condition, i) => {
    if (i % 2 === 0) steps.push({ kind: 'assume', condition });
    else
      steps.push(
        { kind: 'assign', into: 1, value: condition },
        { kind: 'assume', condition: binary('!=', registerValue(1), constant(0)) },
      );
  });
  const value = isStored ? choice : constant(1);
  steps.push({
    kind: 'store',
    address: constant(64),
    value,
    size: 4,
    access: 'plain',
    isLocked: false,
  });
  const edges = steps.map((step, i): StepEdge => ({ from: i, to: i + 1, step, origin: {} }));
  return { nodes: edges.length + 1, initial: 0, edges, registers: ['choice', 'test'] };
}

function rangeIn(graph: StepGraph) {
  let isRefused = false;
  const [first] = withBoundedChoices(graph, () => (isRefused = true)).edges;
  return isRefused || first?.step.kind !== 'havoc' ? undefined : first.step.range;
}

const operators: readonly BinaryOperator[] = ['==', '!=', '<', '<=', '>', '>=', '<%', '>=%'];

const comparison = fc
  .tuple(fc.constantFrom(...operators), fc.integer({ min: -6, max: 6 }), fc.boolean())
  .map(([operator, number, isLeft]): Expression =>
    isLeft
      ? binary(operator, choice, constant(number))
      : binary(operator, constant(number), choice),
  );
const { condition } = fc.letrec<{ condition: Expression }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    comparison,
    tie('condition').map((operand) => negate(operand)),
    fc
      .tuple(fc.constantFrom('&&', '||'), tie('condition'), tie('condition'))
      .map(([operator, left, right]) => binary(operator, left, right)),
  ),
}));

const holds = (one: Expression, value: number): boolean =>
  evaluateExpression(one, () => value) !== 0;

/**
 * Sample values for choices: the numbers that conditions may name, their neighbours, and some far
 * away.
 */
const samples = [-6000, -4000, -17, ...Array.from({ length: 17 }, (_, i) => i - 8), 900, 6000];

it('a range has every value that the assumptions let pass', () => {
  const counts = { bounded: 0, refused: 0, tight: 0 };
  fc.assert(
    fc.property(fc.array(condition, { minLength: 1, maxLength: 3 }), (conditions) => {
      const range = rangeIn(graphOf(conditions, true));
      if (!range) {
        counts.refused++;
        return;
      }
      counts.bounded++;
      const passing = samples.filter((value) => conditions.every((one) => holds(one, value)));
      for (const value of passing) {
        expect(value).toBeGreaterThanOrEqual(range.low);
        expect(value).toBeLessThanOrEqual(range.high);
      }
      if (passing[0] === range.low && passing.at(-1) === range.high) counts.tight++;
    }),
    { numRuns: randomRuns(3000, 60_000), seed: randomSeed(20261123) },
  );
  console.log(JSON.stringify(counts));
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(200);
});

it('values that are only compared are enough to tell all outcomes', () => {
  let bounded = 0;
  fc.assert(
    fc.property(condition, (one) => {
      const range = rangeIn(graphOf([one], false));
      if (!range) return;
      bounded++;
      const few = Array.from({ length: range.high - range.low + 1 }, (_, i) => range.low + i);
      expect(few.some((value) => holds(one, value))).toBe(
        samples.some((value) => holds(one, value)),
      );
    }),
    { numRuns: randomRuns(1000, 20_000), seed: randomSeed(20261124) },
  );
  expect(bounded).toBeGreaterThan(200);
});

it('a choice with constants added, in registers, that is only compared', () => {
  const [low, high] = [0, 5000];
  const sum = fc.tuple(
    fc.constantFrom('+', '-', '+%', '+:', '-:%'),
    fc.integer({ min: -3, max: 9 }),
  );
  const test = fc.tuple(
    fc.constantFrom<BinaryOperator>(...operators, '<:%', '>=:%'),
    fc.nat({ max: 2 }),
    fc.integer({ min: -8, max: 8 }),
    fc.boolean(),
  );
  let bounded = 0;
  const property = fc.property(sum, sum, fc.array(test, { maxLength: 3 }), (one, two, tests) => {
    const sums = [one, two].map(([operator, by], i) =>
      binary(operator as BinaryOperator, registerValue(i), constant(by)),
    );
    const conditions = tests.map(([operator, register, by, isLeft]) =>
      isLeft
        ? binary(operator, registerValue(register), constant(by))
        : binary(operator, constant(by), registerValue(register)),
    );
    const steps: readonly StepEdge['step'][] = [
      { kind: 'havoc', into: 0, range: { low, high } },
      ...sums.map((value, i) => ({ kind: 'assign', into: i + 1, value }) as const),
      ...conditions.map((value) => ({ kind: 'assert', condition: value }) as const),
    ];
    const edges = steps.map((step, i): StepEdge => ({ from: i, to: i + 1, step, origin: {} }));
    const registers = ['choice', 'one', 'two'];
    const range = rangeIn({ nodes: edges.length + 1, initial: 0, edges, registers });
    if (!range) return;
    bounded++;
    expect(range.high - range.low).toBeLessThan(40);
    const outcome = (value: number): string => {
      const values = [value];
      const evaluate = (each: Expression): number =>
        evaluateExpression(each, (leaf) => values[leaf.kind === 'register' ? leaf.register : -1]!);
      for (const each of sums) values.push(evaluate(each));
      return conditions.map(evaluate).join();
    };
    const outcomes = (from: number, to: number): ReadonlySet<string> =>
      new Set(Array.from({ length: to - from + 1 }, (_, i) => outcome(from + i)));
    expect(outcomes(range.low, range.high)).toEqual(
      new Set([...outcomes(low, low + 40), ...outcomes(high - 40, high)]),
    );
  });
  fc.assert(property, { numRuns: randomRuns(400, 20_000), seed: randomSeed(20261125) });
  expect(bounded).toBeGreaterThan(100);
});

it('a register holds a choice with one of two constants added', () => {
  const steps: readonly (readonly [number, number, StepEdge['step']])[] = [
    [0, 1, { kind: 'havoc', into: 0, range: whole }],
    [1, 2, { kind: 'assign', into: 1, value: choice }],
    [1, 2, { kind: 'assign', into: 1, value: binary('+', choice, constant(20)) }],
    [2, 3, { kind: 'assert', condition: binary('<', registerValue(1), constant(100)) }],
  ];
  const edges = steps.map(([from, to, step]): StepEdge => ({ from, to, step, origin: {} }));
  const graph = { nodes: 4, initial: 0, edges, registers: ['choice', 'sum'] };
  expect(rangeIn(graph)).toEqual({ low: 79, high: 101 });
});

it('values that double sixty times take no longer than the steps to them', () => {
  const doubled = Array.from({ length: 60 }, (): StepEdge['step'] => {
    const before = registerValue(1);
    return { kind: 'assign', into: 1, value: binary('+', before, before) };
  });
  const steps: readonly StepEdge['step'][] = [
    { kind: 'havoc', into: 0, range: whole },
    { kind: 'assign', into: 1, value: binary('+', choice, choice) },
    ...doubled,
    { kind: 'assume', condition: binary('==', choice, constant(3)) },
    { kind: 'assume', condition: binary('!=', registerValue(1), constant(1)) },
    { kind: 'end', value: choice },
  ];
  const edges = steps.map((step, i): StepEdge => ({ from: i, to: i + 1, step, origin: {} }));
  const graph = { nodes: edges.length + 1, initial: 0, edges, registers: ['choice', 'sum'] };
  expect(rangeIn(graph)).toEqual({ low: 3, high: 3 });
});
