import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { applyBinary, applyUnary, compileExpression, ExecutionFault } from '../program/evaluate.js';
import {
  type BinaryOperator,
  type Expression,
  forEachRegister,
  isComparison,
} from '../program/expression.js';
import type { RegisterId } from '../program/ids.js';
import type { SharedSymbol } from '../program/program.js';
import type { RmwExpression } from '../program/rmw.js';
import { isWord } from '../program/wide-values.js';
import {
  applyToEnds,
  applyUnaryToEnds,
  coversEnds,
  isEmpty,
  isEnds,
  joinedEnds,
  withEnds,
  type RoughSet,
} from './number-ends.js';

export { isEnds, type RoughSet } from './number-ends.js';

/**
 * The possible values of a register, cell or expression: distinct and ascending, or `any` if
 * unknown. The empty set means unreachable code.
 */
export type ValueSet = readonly number[] | 'any';

/** The maximum size of a value set; larger sets become `any`. */
export const maxValues = 64;
/**
 * The maximum length of arrays whose elements count as single cells; an access to a larger array
 * counts as an access to any cell.
 */
const maxArrayCells = 4096;
/** The maximum number of pairs of operand values for which an operation is computed. */
const maxPairs = 4096;

const truthValues: ValueSet = [0, 1];

const isTrue = (value: number): boolean => value !== 0;

/**
 * The maximum size of a set that bounds an otherwise unknown value: the result of a remainder or a
 * mask, or a register after a comparison, such as the index of an array's element. Sets above
 * `maxValues` are only shifted, scaled and compared. A union that adds values to such a set exceeds
 * the limit of the union, so that no set grows step by step to `maxBounded` values.
 */
const maxBounded = 1024;

/** Returns the set of the given values; `any` if there are more than `limit`. */
export function toValueSet(values: Iterable<number>, limit = maxValues): ValueSet {
  const distinct = [...new Set(values)];
  return distinct.length > limit ? 'any' : distinct.sort((a, b) => a - b);
}

/** The integers from `low` to `high`, inclusive; `any` for more than `limit` integers. */
export function rangeSet(low: number, high: number, limit = maxValues): ValueSet {
  if (high - low >= limit) return 'any';
  return Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => low + i);
}

/** The maximum number of values of a set that is computed from two sets. */
function limitFor(a: readonly number[], b: readonly number[]): number {
  return Math.max(maxValues, a.length, b.length);
}

/** The union of two value sets; `a` itself if `b` adds nothing. */
export function joinSets(a: ValueSet, b: ValueSet): ValueSet {
  if (a === 'any' || a === b) return a;
  if (b === 'any') return b;
  const known = new Set(a);
  if (b.every((value) => known.has(value))) return a;
  return toValueSet([...a, ...b], limitFor(a, b));
}

/**
 * The union of two rough sets; if there are too many numbers, a set given by lower bits. Returns
 * `a` itself if `b` adds nothing.
 */
export function joinRough(a: RoughSet, b: RoughSet): RoughSet {
  if (a === 'any' || a === b || isEmpty(b)) return a;
  if (b === 'any' || isEmpty(a)) return b;
  if (!isEnds(a) && !isEnds(b)) {
    const joined = joinSets(a, b);
    return joined === 'any' ? joinedEnds(a, b) : joined;
  }
  if (isEnds(a) && coversEnds(a, b)) return a;
  const joined = joinedEnds(a, b);
  return isSameSet(joined, a) ? a : joined;
}

function isSameSet(one: RoughSet, other: RoughSet): boolean {
  if (one === 'any' || other === 'any' || !isEnds(one) || !isEnds(other)) return one === other;
  return (
    one.bits === other.bits &&
    one.ends.length === other.ends.length &&
    one.ends.every((end, i) => end === other.ends[i])
  );
}

/** Returns the numbers of a rough set given as a list; otherwise `any`. */
export function plainSet(set: RoughSet): ValueSet {
  return isEnds(set) ? 'any' : set;
}

function intersect(a: ValueSet, b: ValueSet): ValueSet {
  if (a === 'any') return b;
  if (b === 'any') return a;
  const known = new Set(b);
  return a.filter((value) => known.has(value));
}

/**
 * The results of `apply` for all choices, except for choices at which `apply` faults: there the
 * execution ends.
 */
function tryAll(choices: readonly number[], apply: (value: number) => number): number[] {
  const results: number[] = [];
  for (const value of choices) {
    try {
      results.push(apply(value));
    } catch (error) {
      if (!(error instanceof ExecutionFault)) throw error;
    }
  }
  return results;
}

/**
 * Returns the values that the expression may have, given the sets of possible values of the
 * registers (indexed by `RegisterId`) and the values `old` that a read-modify-write may have read.
 */
export function evaluateSet(
  expression: RmwExpression,
  registers: readonly RoughSet[],
  symbols: readonly SharedSymbol[],
  old: RoughSet = 'any',
): ValueSet {
  return plainSet(evaluateRough(expression, registers, symbols, old));
}

/**
 * Evaluates an expression like `evaluateSet`, but the result may be a set given by lower bits
 * instead of `any`.
 */
export function evaluateRough(
  expression: RmwExpression,
  registers: readonly RoughSet[],
  symbols: readonly SharedSymbol[],
  old: RoughSet = 'any',
): RoughSet {
  switch (expression.kind) {
    case 'constant':
      return [expression.value];
    case 'register':
      return registers[expression.register] ?? 'any';
    case 'address':
      return [symbols[expression.symbol]!.base];
    case 'element': {
      const { base = 0, length = 0 } = symbols[expression.symbol] ?? {};
      const index = evaluateSet(expression.index, registers, symbols);
      if (index !== 'any')
        return index.filter((i) => i >= 0 && i < length && isWord(i)).map((i) => base + i);
      return length > maxArrayCells ? 'any' : Array.from({ length }, (_, i) => base + i);
    }
    case 'unary': {
      const { operator } = expression;
      const operand = evaluateRough(expression.operand, registers, symbols, old);
      if (isEnds(operand) && operator !== '!') return applyUnaryToEnds(operator, operand);
      if (operand !== 'any' && !isEnds(operand))
        return toValueSet(
          tryAll(operand, (value) => applyUnary(operator, value)),
          limitFor(operand, []),
        );
      return operator === '!' ? truthValues : 'any';
    }
    case 'binary':
      return applyToSets(
        expression.operator,
        evaluateRough(expression.left, registers, symbols, old),
        evaluateRough(expression.right, registers, symbols, old),
      );
    case 'old':
      return old;
    case 'conditional': {
      const condition = evaluateSet(expression.condition, registers, symbols, old);
      const chosen = (part: RmwExpression, isChosen: boolean): RoughSet =>
        isChosen ? evaluateRough(part, registers, symbols, old) : [];
      return joinRough(
        chosen(expression.then, condition === 'any' || condition.some((value) => value !== 0)),
        chosen(expression.otherwise, condition === 'any' || condition.includes(0)),
      );
    }
    default:
      return unreachable(expression);
  }
}

function applyToSets(operator: BinaryOperator, left: RoughSet, right: RoughSet): RoughSet {
  // The right side of `&&` and `||` is not always evaluated, so a right side without values does
  // not end the execution.
  if (operator === '&&' || operator === '||') return isEmpty(left) ? left : truthValues;
  if (isEmpty(left) || isEmpty(right)) return [];
  if (left === 'any' || right === 'any' || isEnds(left) || isEnds(right)) {
    const ends = applyToEnds(operator, left, right);
    if (ends !== 'any' && !isEnds(ends)) return ends;
    const known = applyToUnknown(operator, plainSet(left), plainSet(right));
    return known === 'any' ? ends : known;
  }
  if (left.length * right.length > maxPairs) return isComparison(operator) ? truthValues : 'any';
  const values = right.flatMap((b) => tryAll(left, (a) => applyBinary(operator, a, b)));
  const set = toValueSet(values, limitFor(left, right));
  return set === 'any' ? joinedEnds(values, []) : set;
}

/**
 * Returns the possible results of an operator if the value of at least one operand is unknown:
 * masks and remainders bound the result, comparisons return 0 or 1.
 */
function applyToUnknown(operator: BinaryOperator, left: ValueSet, right: ValueSet): ValueSet {
  if (isComparison(operator)) return truthValues;
  if (operator === '&') {
    const masks = left === 'any' ? right : left;
    if (masks === 'any' || masks.some((mask) => mask < 0 || !isWord(mask))) return 'any';
    const all = masks.reduce((bits, mask) => bits | mask, 0);
    return all >= maxValues * maxValues ? 'any' : toValueSet(subsetsOf(all), maxBounded);
  }
  if (operator === '%' && right !== 'any' && right.every(isWord)) {
    const largest = Math.max(...right.map(Math.abs)) - 1;
    return rangeSet(-largest, largest, maxBounded);
  }
  const isUnsigned = operator === '%%' || operator === '%:%';
  if (isUnsigned && right !== 'any' && right.every((divisor) => isWord(divisor) && divisor >= 0))
    return rangeSet(0, Math.max(...right) - 1, maxBounded);
  return 'any';
}

/** The numbers whose set bits are all set in `mask`. */
function* subsetsOf(mask: number): Iterable<number> {
  for (let subset = mask; subset > 0; subset = (subset - 1) & mask) yield subset;
  yield 0;
}

/**
 * Returns, for each register, the subset of its values with which `condition` may be non-zero (zero
 * if `holds` is false); `undefined` if the condition cannot have this outcome.
 */
export function refineBy(
  condition: Expression,
  holds: boolean,
  registers: readonly RoughSet[],
  symbols: readonly SharedSymbol[],
): readonly RoughSet[] | undefined {
  if (condition.kind === 'unary' && condition.operator === '!')
    return refineBy(condition.operand, !holds, registers, symbols);
  if (condition.kind === 'binary') {
    const { operator, left, right } = condition;
    if (operator === (holds ? '&&' : '||')) {
      const first = refineBy(left, holds, registers, symbols);
      const both = first && refineBy(right, holds, first, symbols);
      return both && holds ? refineByBounds(condition, both, symbols) : both;
    }
    if (operator === (holds ? '==' : '!='))
      return refineByEquation(left, right, registers, symbols);
  }
  const outcomes = evaluateSet(condition, registers, symbols);
  if (outcomes !== 'any' && !outcomes.some((value) => (value !== 0) === holds)) return undefined;
  const refined = refineOnly(condition, (value) => (value !== 0) === holds, registers, symbols);
  return refined && holds ? refineByBounds(condition, refined, symbols) : refined;
}

/**
 * Restricts a register whose value is unknown to the range between two bounds, if the condition is
 * a conjunction of such bounds; `undefined` if no value is left. A comparison of unsigned numbers
 * is both bounds.
 */
function refineByBounds(
  condition: Expression,
  registers: readonly RoughSet[],
  symbols: readonly SharedSymbol[],
): readonly RoughSet[] | undefined {
  const lows = new Map<RegisterId, number>();
  const highs = new Map<RegisterId, number>();
  forEachConjunct(condition, (conjunct) => {
    if (conjunct.kind !== 'binary' || conjunct.left.kind !== 'register') return;
    const { register } = conjunct.left;
    const relation = relations[conjunct.operator];
    const right = relation && evaluateSet(conjunct.right, registers, symbols);
    if (!right || right === 'any' || right.length === 0 || !right.every(isWord)) return;
    const [least, most] = [Math.min(...right), Math.max(...right)];
    // As unsigned numbers, negative numbers are large.
    if (relation.isUnsigned && least < 0) return;
    if (relation.isUnsigned || relation.isAbove) {
      const low = relation.isAbove ? least + (relation.isStrict ? 1 : 0) : 0;
      lows.set(register, Math.max(low, lows.get(register) ?? -Infinity));
    }
    if (relation.isAbove) return;
    const high = most - (relation.isStrict ? 1 : 0);
    highs.set(register, Math.min(high, highs.get(register) ?? Infinity));
  });
  let refined: readonly RoughSet[] | undefined = registers;
  for (const [register, low] of lows) {
    const values: RoughSet = refined?.[register] ?? [];
    const range = rangeSet(low, highs.get(register) ?? Infinity, maxBounded);
    if (!refined || range === 'any' || (values !== 'any' && !isEnds(values))) continue;
    refined = withValues(refined, register, isEnds(values) ? withEnds(range, values) : range);
  }
  return refined;
}

/** A comparison of a number with a bound. */
interface Relation {
  /** Whether the number lies above the bound; otherwise below the bound. */
  readonly isAbove: boolean;
  readonly isStrict: boolean;
  readonly isUnsigned: boolean;
}

const relations: Partial<Readonly<Record<BinaryOperator, Relation>>> = {
  '<': { isAbove: false, isStrict: true, isUnsigned: false },
  '<=': { isAbove: false, isStrict: false, isUnsigned: false },
  '>': { isAbove: true, isStrict: true, isUnsigned: false },
  '>=': { isAbove: true, isStrict: false, isUnsigned: false },
  '<%': { isAbove: false, isStrict: true, isUnsigned: true },
  '<=%': { isAbove: false, isStrict: false, isUnsigned: true },
  '<:%': { isAbove: false, isStrict: true, isUnsigned: true },
  '<=:%': { isAbove: false, isStrict: false, isUnsigned: true },
};

function forEachConjunct(condition: Expression, visit: (conjunct: Expression) => void): void {
  if (condition.kind === 'binary' && condition.operator === '&&') {
    forEachConjunct(condition.left, visit);
    forEachConjunct(condition.right, visit);
  } else visit(condition);
}

/**
 * If the condition reads a single register, drops the values of this register with which the
 * condition faults, or has a value that `isRight` rejects. Returns the register values, or
 * `undefined` if no value of the register is left.
 */
export function refineOnly(
  condition: Expression,
  isRight: (value: number) => boolean,
  registers: readonly RoughSet[],
  symbols: readonly SharedSymbol[],
): readonly RoughSet[] | undefined {
  const used = new Set<RegisterId>();
  forEachRegister(condition, (register) => used.add(register));
  const [register] = used;
  if (register === undefined || used.size > 1) return registers;
  const values = registers[register] ?? 'any';
  if (values === 'any' || isEnds(values)) return registers;
  const evaluate = compileExpression(condition, symbols);
  const outcomeFor = (value: number): number => {
    const trial: number[] = [];
    trial[register] = value;
    return evaluate(trial, 0);
  };
  const kept = values.filter((value) => tryAll([value], outcomeFor).some(isRight));
  return withValues(registers, register, kept.length === values.length ? values : kept);
}

function refineByEquation(
  left: Expression,
  right: Expression,
  registers: readonly RoughSet[],
  symbols: readonly SharedSymbol[],
): readonly RoughSet[] | undefined {
  const common = intersect(
    evaluateSet(left, registers, symbols),
    evaluateSet(right, registers, symbols),
  );
  if (common.length === 0) return undefined;
  let refined: readonly RoughSet[] | undefined = registers;
  for (const side of [left, right])
    if (refined && side.kind === 'register' && common !== 'any')
      refined = withValues(refined, side.register, common);
  return (
    refined && refineOnly({ kind: 'binary', operator: '==', left, right }, isTrue, refined, symbols)
  );
}

/**
 * The table of register values with the new set for `register`; `undefined` if the new set is
 * empty.
 */
export function withValues(
  registers: readonly RoughSet[],
  register: RegisterId,
  values: RoughSet,
): readonly RoughSet[] | undefined {
  if (isEmpty(values)) return undefined;
  return registers[register] === values ? registers : registers.with(register, values);
}
