import {
  type BinaryOperator,
  type Expression,
  isComparison,
} from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import { isOwnAssignment, type LoweredStep, type StepGraph } from './step.js';

/** The numbers from `low` to `high`; empty if `low` is greater. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/**
 * Registers that may hold a free choice plus a constant, with the possible constants; the register
 * of the choice is among them, with 0.
 */
export type SumsOfChoice = ReadonlyMap<RegisterId, ReadonlySet<number>>;

/** The maximum number of possible constants for one register. */
const mostConstants = 8;

/** The map for the register of a free choice alone, with the constant 0. */
export function onlyChoice(register: RegisterId): SumsOfChoice {
  return new Map([[register, new Set([0])]]);
}

/**
 * The registers that may hold the sum of a constant and a free choice within `whole`, with the
 * constants.
 */
export function sumsOfChoice(graph: StepGraph, register: RegisterId, whole: Range): SumsOfChoice {
  const terms = graph.edges.map(({ step }) => step).filter(isSum);
  const sums = new Map<RegisterId, Set<number>>([[register, new Set([0])]]);
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const { into, value } of terms) {
      if (into === register || !sums.has(baseOf(value)!)) continue;
      const found = sums.get(into) ?? new Set<number>();
      const { size } = found;
      const added = constantsOf(value, sums, whole);
      for (const each of added ?? []) found.add(each);
      if (!added || found.size > mostConstants) return onlyChoice(register);
      sums.set(into, found);
      isChanged ||= found.size > size;
    }
  }
  return sums;
}

/** Whether the step sets a register to another register plus constants, and does nothing else. */
export function isSum(
  step: LoweredStep,
): step is Extract<LoweredStep, { readonly kind: 'assign' }> {
  return isOwnAssignment(step) && baseOf(step.value) !== undefined;
}

/** The register of an expression `register + constant + ...`; `undefined` for other expressions. */
function baseOf(expression: Expression): RegisterId | undefined {
  if (expression.kind === 'register') return expression.register;
  const parts = partsOf(expression);
  return parts && baseOf(parts.sum);
}

/** By operator for additions and subtractions, the maximum magnitude of results that are exact. */
const exactWithin: ReadonlyMap<BinaryOperator, number> = new Map<BinaryOperator, number>([
  ...(['+', '-', '+%', '-%'] as const).map((operator) => [operator, 2 ** 31] as const),
  ...(['+:', '-:', '+:%', '-:%'] as const).map((operator) => [operator, 2 ** 52] as const),
]);

interface Parts {
  readonly sum: Expression;
  readonly constant: number;
  readonly bound: number;
}

function partsOf(expression: Expression): Parts | undefined {
  if (expression.kind !== 'binary') return undefined;
  const { operator, left, right } = expression;
  const bound = exactWithin.get(operator);
  if (bound === undefined) return undefined;
  const isMinus = operator.startsWith('-');
  if (right.kind === 'constant' && Number.isSafeInteger(right.value))
    return { sum: left, constant: isMinus ? -right.value : right.value, bound };
  if (left.kind === 'constant' && Number.isSafeInteger(left.value) && !isMinus)
    return { sum: right, constant: left.value, bound };
  return undefined;
}

/**
 * The constants that an expression adds to a choice within `whole`; `undefined` if the expression
 * is something else, or may overflow.
 */
export function constantsOf(
  expression: Expression,
  sums: SumsOfChoice,
  whole: Range,
): readonly number[] | undefined {
  if (expression.kind === 'register') {
    const known = sums.get(expression.register);
    return known && [...known];
  }
  const parts = partsOf(expression);
  const inner = parts && constantsOf(parts.sum, sums, whole);
  const added = inner?.map((each) => each + parts!.constant);
  const { bound = 0 } = parts ?? {};
  const isExact = (each: number): boolean =>
    whole.low + each >= -bound && whole.high + each < bound;
  return added?.every(isExact) ? added : undefined;
}

/** A comparison of a free choice with a number. */
export interface Compared {
  /** The operator of the comparison, with the choice on its left. */
  readonly operator: string;
  readonly number: number;
}

/**
 * Returns the comparisons of a free choice within `whole` with numbers that are together equivalent
 * to an expression: a comparison for each constant possibly added to the choice. Unsigned
 * comparisons of non-negative numbers count as signed comparisons. `undefined` for other
 * expressions.
 */
export function comparisonsOf(
  expression: Expression,
  sums: SumsOfChoice,
  whole: Range,
): readonly Compared[] | undefined {
  if (expression.kind !== 'binary') return undefined;
  const { left, right } = expression;
  const [sum, number] = left.kind === 'constant' ? [right, left] : [left, right];
  if (number.kind !== 'constant' || !Number.isSafeInteger(number.value)) return undefined;
  const operator = left.kind === 'constant' ? mirrored[expression.operator] : expression.operator;
  const added = constantsOf(sum, sums, whole);
  if (!added || operator === undefined) return undefined;
  const signed = operator.replace(/:?%$/, '');
  if (!isComparison(signed as BinaryOperator)) return undefined;
  const { value } = number;
  const isAlike = (each: number): boolean =>
    signed === operator || (value >= 0 && whole.low + each >= 0);
  return added.every(isAlike)
    ? added.map((each) => ({ operator: signed, number: value - each }))
    : undefined;
}

const mirroredSigned = { '==': '==', '!=': '!=', '<': '>', '>': '<', '<=': '>=', '>=': '<=' };
/** By operator of comparisons, the operator with the operands exchanged. */
export const mirrored: Readonly<Record<string, string>> = Object.fromEntries(
  ['', '%', ':%'].flatMap((kind) =>
    Object.entries(mirroredSigned).map(([one, other]) => [one + kind, other + kind]),
  ),
);

/** Whether the comparison has the same result for all numbers of the range. */
export function isDecided({ operator, number }: Compared, { low, high }: Range): boolean {
  switch (operator) {
    case '<':
    case '>=':
      return number <= low || number > high;
    case '<=':
    case '>':
      return number < low || number >= high;
    default:
      return number < low || number > high;
  }
}
