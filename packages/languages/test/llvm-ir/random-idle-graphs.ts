import {
  binary,
  type BinaryOperator,
  constant,
  type Expression,
  negate,
  registerValue,
} from '@fencewright/model/program/expression.js';
import type { LoweredStep, StepEdge, StepGraph } from '../../src/llvm-ir/step.js';
import { diceOf } from './dice.js';

/**
 * Integers of "32 bits" have 4 bits here and integers of "64 bits" have 5 bits, so that a counter
 * that wraps does so within few steps.
 */
const bitsOf = { plain: 4, '%': 4, ':%': 5 } as const;

const signed = (value: number, bits: number): number => {
  const low = value & ((1 << bits) - 1);
  return low >= 1 << (bits - 1) ? low - (1 << bits) : low;
};
const unsigned = (value: number, bits: number): number => value & ((1 << bits) - 1);

class Overflow extends Error {}

function evaluate(of: Expression, registers: readonly number[]): number {
  if (of.kind === 'constant') return of.value;
  if (of.kind === 'register') return registers[of.register]!;
  if (of.kind === 'unary') return evaluate(of.operand, registers) === 0 ? 1 : 0;
  if (of.kind !== 'binary') throw new Error('no such expression is generated');
  const [, name = '', width = ''] = /^([^%:]+)(:?%?)$/.exec(of.operator)!;
  const bits = bitsOf[width === '' ? 'plain' : (width as '%' | ':%')];
  const left = evaluate(of.left, registers);
  const right = evaluate(of.right, registers);
  const [l, r] = width === '' ? [left, right] : [unsigned(left, bits), unsigned(right, bits)];
  switch (name) {
    case '+': {
      if (width === '' && signed(left + right, bits) !== left + right) throw new Overflow();
      return signed(left + right, bits);
    }
    case '<':
      return Number(l < r);
    case '<=':
      return Number(l <= r);
    case '>':
      return Number(l > r);
    case '>=':
      return Number(l >= r);
    case '==':
      return Number(l === r);
    case '!=':
      return Number(l !== r);
    default:
      throw new Error(`no such operator is generated: ${of.operator}`);
  }
}

/** The visible steps of an execution, and how the execution ends. */
interface Behaviour {
  readonly steps: readonly string[];
  readonly end: 'end' | 'forever' | 'fault' | 'cut';
}

/**
 * Executes a graph. Loads and choices give numbers that depend on the input, their register, and
 * the number of visible steps before. `cut`: the execution is longer than 40 visible steps.
 */
export function behaviourOf(
  { initial, edges, registers: names }: StepGraph,
  input: number,
): Behaviour {
  const registers = names.map((_, register) => signed(7 * input + 3 * register, 5));
  const steps: string[] = [];
  const given = (into: number): number =>
    signed((input + 1) * (5 * into + 3) + 11 * steps.length * (input + 1), 5);
  const seen = new Set<string>();
  let at = initial;
  try {
    while (steps.length < 40) {
      const state = `${steps.length}: ${at} ${registers.join()}`;
      if (seen.has(state)) return { steps, end: 'forever' };
      seen.add(state);
      const open = edges.filter(
        ({ from, step }) =>
          from === at && (step.kind !== 'assume' || evaluate(step.condition, registers) !== 0),
      );
      const [edge] = open;
      if (!edge) return { steps, end: 'end' };
      const { step } = edge;
      if (step.kind === 'assign') registers[step.into] = evaluate(step.value, registers);
      else if (step.kind === 'havoc') registers[step.into] = given(step.into);
      else if (step.kind === 'load') {
        registers[step.into] = given(step.into);
        steps.push(`load ${step.into}`);
      } else if (step.kind === 'store') steps.push(`store ${evaluate(step.value, registers)}`);
      at = edge.to;
    }
    return { steps, end: 'cut' };
  } catch (error) {
    if (error instanceof Overflow) return { steps, end: 'fault' };
    throw error;
  }
}

const relations = ['<', '<=', '>', '>=', '!=', '=='] as const;
const widths = ['', '%', ':%'] as const;

/** A random graph of one thread with loops that count, most of which do nothing visible. */
export function randomGraph(seed: number): StepGraph {
  const { below, pick, chance } = diceOf(seed);
  const registers = 4;
  const edges: StepEdge[] = [];
  let nodes = 1;
  const node = (): number => nodes++;
  const add = (from: number, to: number, step: LoweredStep): number => {
    edges.push({ from, to, step, origin: {} });
    return to;
  };
  const any = (): Expression =>
    chance(60) ? registerValue(below(registers)) : constant(below(12) - 3);
  const plus = (width: string): BinaryOperator => `+${width}` as BinaryOperator;
  const conditionOf = (register: number, width: string): Expression => {
    const relation = pick(relations);
    const isEqual = relation === '!=' || relation === '==';
    if (chance(12)) return registerValue(register);
    const operator = (isEqual ? relation : `${relation}${width}`) as BinaryOperator;
    const sides: [Expression, Expression] = [registerValue(register), any()];
    if (chance(20)) sides.reverse();
    return binary(operator, ...sides);
  };
  const visible = (): LoweredStep =>
    chance(50)
      ? {
          ...{ kind: 'store', address: constant(8), size: 8, access: 'atomic', isLocked: false },
          value: any(),
        }
      : { kind: 'load', into: below(registers), address: constant(8), size: 8 };
  const quiet = (): LoweredStep => {
    const into = below(registers);
    if (chance(15)) return { kind: 'havoc', into, range: { low: -16, high: 15 } };
    const value = chance(40)
      ? binary(plus(pick(widths)), registerValue(below(registers)), constant(pick([-1, 1, 2])))
      : any();
    return { kind: 'assign', into, value };
  };
  /** Writes statements that begin at a node; returns the node behind them. */
  const block = (from: number, depth: number, isQuiet: boolean): number => {
    let at = from;
    for (let left = 1 + below(3); left > 0; left--) {
      const kind = below(100);
      if (depth > 0 && kind < 30) at = branch(at, depth, isQuiet);
      else if (depth > 0 && kind < 65) at = loop(at, depth, isQuiet);
      else at = add(at, node(), isQuiet || chance(50) ? quiet() : visible());
    }
    return at;
  };
  const branch = (at: number, depth: number, isOuterQuiet: boolean): number => {
    const isQuiet = isOuterQuiet || chance(75);
    const condition = conditionOf(below(registers), pick(widths));
    const [then, otherwise] = [node(), node()];
    add(at, then, { kind: 'assume', condition });
    add(at, otherwise, { kind: 'assume', condition: negate(condition) });
    const meets = node();
    add(block(then, depth - 1, isQuiet), meets, { kind: 'skip' });
    return add(chance(50) ? otherwise : block(otherwise, depth - 1, isQuiet), meets, {
      kind: 'skip',
    });
  };
  const loop = (at: number, depth: number, isOuterQuiet: boolean): number => {
    const isQuiet = isOuterQuiet || chance(75);
    const counter = below(registers);
    const width = pick(widths);
    const header = chance(80)
      ? add(at, node(), { kind: 'assign', into: counter, value: any() })
      : at;
    const condition = conditionOf(counter, chance(85) ? width : pick(widths));
    const [body, behind] = [node(), node()];
    add(header, body, { kind: 'assume', condition });
    add(header, behind, { kind: 'assume', condition: negate(condition) });
    const by = constant(chance(90) ? pick([-1, 1]) : 2);
    const value = binary(plus(chance(90) ? width : pick(widths)), registerValue(counter), by);
    const inner = chance(50) ? body : block(body, depth - 1, isQuiet);
    const count: LoweredStep = { kind: 'assign', into: counter, value };
    if (chance(6)) add(inner, header, { kind: 'skip' });
    else if (chance(10)) {
      // Some turns do not count.
      const turn = conditionOf(below(registers), pick(widths));
      add(inner, header, { kind: 'assume', condition: turn });
      const counts = add(inner, node(), { kind: 'assume', condition: negate(turn) });
      add(counts, header, count);
    } else add(inner, header, count);
    return behind;
  };
  let at = 0;
  for (let left = 1 + below(3); left > 0; left--) {
    at = block(at, 2, false);
    at = add(at, node(), visible());
  }
  if (chance(30)) add(at, 0, { kind: 'skip' });
  return {
    ...{ nodes, initial: 0, edges },
    registers: Array.from({ length: registers }, (_, i) => `r${i}`),
  };
}
