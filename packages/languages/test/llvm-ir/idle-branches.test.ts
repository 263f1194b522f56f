import { describe, expect, test } from 'vitest';
import {
  binary,
  type BinaryOperator,
  constant,
  type Expression,
  registerValue,
} from '@fencewright/model/program/expression.js';
import { withoutDeadSteps } from '../../src/llvm-ir/graph-passes.js';
import { withoutIdleBranches } from '../../src/llvm-ir/idle-branches.js';
import type { LoweredStep, StepEdge, StepGraph } from '../../src/llvm-ir/step.js';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { behaviourOf, randomGraph } from './random-idle-graphs.js';

const runs = randomRuns(4000, 200_000, 1500);
const first = randomSeed(0);

const edge = (from: number, to: number, step: LoweredStep): StepEdge => ({
  from,
  to,
  step,
  origin: {},
});
const assume = (
  operator: BinaryOperator,
  left: number,
  right: number | Expression,
): LoweredStep => ({
  kind: 'assume',
  condition: binary(
    operator,
    registerValue(left),
    typeof right === 'number' ? constant(right) : right,
  ),
});
const assign = (into: number, value: Expression): LoweredStep => ({ kind: 'assign', into, value });
const add = (register: number, operator: BinaryOperator, by: number): LoweredStep =>
  assign(register, binary(operator, registerValue(register), constant(by)));
const store = (value: Expression): LoweredStep => ({
  kind: 'store',
  address: constant(8),
  value,
  size: 8,
  access: 'atomic',
  isLocked: false,
});

function graphOf(edges: readonly StepEdge[]): StepGraph {
  const nodes = Math.max(...edges.flatMap(({ from, to }) => [from, to])) + 1;
  return { nodes, initial: 0, edges, registers: ['n', 'width'] };
}

/** A loop in which register 0 counts from 0 as long as `stay` holds, and then a store. */
function loopOf(
  stay: LoweredStep,
  leave: LoweredStep,
  count: LoweredStep,
  value: Expression = constant(1),
): StepGraph {
  return graphOf([
    edge(0, 1, assign(0, constant(0))),
    edge(1, 2, stay),
    edge(1, 3, leave),
    edge(2, 1, count),
    edge(3, 4, store(value)),
  ]);
}

const width = registerValue(1);
const isGone = (graph: StepGraph): boolean =>
  withoutIdleBranches(graph).edges.every(({ step }) => step.kind !== 'assume');

describe('a graph without idle branches', () => {
  test.each([
    ['<', '>=', '+'],
    ['<%', '>=%', '+%'],
    ['<:%', '>=:%', '+:%'],
    ['!=', '==', '+:%'],
  ] as const)('has no loop that stays while n %s width', (stay, leave, plus) => {
    expect(isGone(loopOf(assume(stay, 0, width), assume(leave, 0, width), add(0, plus, 1)))).toBe(
      true,
    );
  });

  test.each([
    ['may pass the greatest bound', '<=%', '>%', '+%', 1],
    ['may jump over the bound', '!=', '==', '+:%', 2],
    ['goes away from the bound', '<%', '>=%', '+%', -1],
    ['counts in 32 bits towards a bound of any width', '!=', '==', '+%', 1],
    ['counts in 32 bits and compares in 64', '<:%', '>=:%', '+%', 1],
    ['wraps where the comparison has signs', '<', '>=', '+%', 1],
  ] as const)('has each loop that %s', (_, stay, leave, plus, by) => {
    expect(isGone(loopOf(assume(stay, 0, width), assume(leave, 0, width), add(0, plus, by)))).toBe(
      false,
    );
  });

  test('has each loop whose counter is used behind it', () => {
    const used = loopOf(
      assume('<', 0, width),
      assume('>=', 0, width),
      add(0, '+', 1),
      registerValue(0),
    );
    expect(isGone(used)).toBe(false);
  });

  test('has each loop whose bound moves', () => {
    const { edges, ...graph } = loopOf(
      assume('<', 0, width),
      assume('>=', 0, width),
      add(0, '+', 1),
    );
    const moving = edges.flatMap((each) =>
      each.from === 2 ? [{ ...each, to: 5 }, edge(5, 1, add(1, '+', 1))] : [each],
    );
    expect(isGone({ ...graph, nodes: 6, edges: moving })).toBe(false);
  });

  test('has each loop with turns that do not count', () => {
    const { edges, ...graph } = loopOf(assume('<', 0, 3), assume('>=', 0, 3), add(0, '+', 1));
    const turns = [
      edge(2, 5, assume('<', 1, 0)),
      edge(2, 1, assume('>=', 1, 0)),
      edge(5, 1, add(0, '+', 1)),
    ];
    const rare = [...edges.filter(({ from }) => from !== 2), ...turns];
    expect(isGone({ ...graph, nodes: 6, edges: rare })).toBe(false);
  });

  test('has each condition for which a thread waits', () => {
    const waiting = graphOf([
      edge(0, 1, assume('<', 0, 3)),
      edge(0, 1, assume('>', 0, 5)),
      edge(1, 2, store(constant(1))),
    ]);
    expect(isGone(waiting)).toBe(false);
  });

  test('does the same visible steps, in random programs', () => {
    const counts = { gone: 0, kept: 0, forever: 0, fault: 0, end: 0 };
    for (let seed = first; seed < first + runs; seed++) {
      const whole = randomGraph(seed);
      // Dead steps, which may overflow, are gone in any case.
      const graph = withoutDeadSteps(whole);
      const left = withoutDeadSteps(withoutIdleBranches(graph));
      const branches = (of: StepGraph): number =>
        of.edges.filter(({ step }) => step.kind === 'assume').length;
      if (branches(left) < branches(graph)) counts.gone += 1;
      else counts.kept += 1;
      for (let input = 0; input < 3; input++) {
        const before = behaviourOf(whole, input);
        const after = behaviourOf(left, input);
        counts[before.end === 'cut' ? 'end' : before.end] += 1;
        // An overflow is undefined: the graph may do anything after the steps before it.
        const said =
          before.end === 'fault' ? after.steps.slice(0, before.steps.length) : after.steps;
        expect(said, `seed ${seed}`).toEqual(before.steps);
        if (before.end !== 'fault') expect(after.end, `seed ${seed}`).toBe(before.end);
      }
    }
    expect(counts.gone).toBeGreaterThan(runs / 4);
    expect(counts.kept).toBeGreaterThan(runs / 10);
    expect(counts.forever).toBeGreaterThan(runs / 20);
    expect(counts.end).toBeGreaterThan(runs / 2);
  });
});
