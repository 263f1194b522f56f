import { describe, expect, test } from 'vitest';
import {
  binary,
  constant,
  type Expression,
  registerValue,
} from '@fencewright/model/program/expression.js';
import { withoutDeadSteps } from '../../src/llvm-ir/graph-passes.js';
import type { StepEdge, LoweredStep, StepGraph } from '../../src/llvm-ir/step.js';

const edge = (from: number, to: number, step: LoweredStep): StepEdge => ({
  from,
  to,
  step,
  origin: {},
});

const skip: LoweredStep = { kind: 'skip' };
const fence: LoweredStep = { kind: 'fence', order: 'seq_cst' };
const assign = (into: number, value: Expression = constant(0)): LoweredStep => ({
  kind: 'assign',
  into,
  value,
});
const next = (from: number, into = from): LoweredStep =>
  assign(into, binary('+', registerValue(from), constant(1)));

function graphOf(edges: readonly StepEdge[], registers = 1): StepGraph {
  const nodes = Math.max(...edges.flatMap(({ from, to }) => [from, to])) + 1;
  return {
    nodes,
    initial: 0,
    edges,
    registers: Array.from({ length: registers }, (_, i) => `r${i}`),
  };
}

describe('a graph without dead steps', () => {
  test('has no step of a chain whose last register nobody uses', () => {
    const length = 5000;
    const chain = Array.from({ length }, (_, i) =>
      edge(i, i + 1, i === 0 ? assign(0) : next(i - 1, i)),
    );
    const { initial, edges } = withoutDeadSteps(
      graphOf([...chain, edge(length, length + 1, fence)], length),
    );
    expect(initial).toBe(length);
    expect(edges).toEqual([edge(length, length + 1, fence)]);
  });

  test('has every step of a chain whose last register is used', () => {
    const use: LoweredStep = { kind: 'assert', condition: registerValue(2) };
    const edges = [
      edge(0, 1, assign(0)),
      edge(1, 2, next(0, 1)),
      edge(2, 3, next(1, 2)),
      edge(3, 4, use),
    ];
    expect(withoutDeadSteps(graphOf(edges, 3)).edges).toEqual(edges);
  });

  test('has no counter of a loop that only counts', () => {
    const edges = [
      edge(0, 1, assign(0)),
      edge(1, 2, fence),
      edge(2, 1, next(0)),
      edge(1, 3, fence),
    ];
    const left = withoutDeadSteps(graphOf(edges));
    expect(left.initial).toBe(1);
    expect(left.edges).toEqual([edge(1, 1, fence), edge(1, 3, fence)]);
  });

  test('keeps a circle of steps that do nothing at its smallest node, however it is entered', () => {
    const circle = [edge(3, 1, skip), edge(1, 2, skip), edge(2, 3, skip)];
    const ways = [edge(0, 2, fence), edge(0, 3, fence), ...circle];
    const { edges } = withoutDeadSteps(graphOf(ways));
    expect(edges).toEqual([edge(0, 1, fence), edge(0, 1, fence), edge(1, 1, skip)]);
  });
});
