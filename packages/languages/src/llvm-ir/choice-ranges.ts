import { isWord } from '@fencewright/model/program/wide-values.js';
import {
  binary,
  forEachRegister,
  isComparison,
  mapParts,
  opposites,
  readsRegister,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { Origin } from '@fencewright/model/program/program.js';
import { stepExpressions, outgoing } from './graph-passes.js';
import type { StepEdge, StepNode, StepGraph } from './step.js';
import {
  comparisonsOf,
  constantsOf,
  isDecided,
  isSum,
  mirrored,
  onlyChoice,
  sumsOfChoice,
  type Range,
  type SumsOfChoice,
} from './sums-of-choice.js';

/** The maximum number of values of a free choice. */
export const mostChoices = 4096;
/** The maximum number of steps followed from one free choice; longer searches give no range. */
const mostSteps = 10_000;
/** The empty range. */
const nothing: Range = { low: 1, high: 0 };

const isEmpty = ({ low, high }: Range): boolean => low > high;
const sizeOf = ({ low, high }: Range): number => high - low + 1;

function meet(one: Range, other: Range): Range {
  return { low: Math.max(one.low, other.low), high: Math.min(one.high, other.high) };
}

/** The smallest range that contains two ranges. */
function hull(one: Range, other: Range): Range {
  if (isEmpty(one)) return other;
  if (isEmpty(other)) return one;
  return { low: Math.min(one.low, other.low), high: Math.max(one.high, other.high) };
}

/**
 * The graph with a small range for each free choice, such that trying the values of the ranges
 * shows all behaviour of the thread. `refuse` is called for each choice that needs too many values.
 */
export function withBoundedChoices(
  graph: StepGraph,
  refuse: (origin: Origin, hint?: string) => void,
): StepGraph {
  const isWide = ({ step }: StepEdge): boolean =>
    step.kind === 'havoc' && sizeOf(step.range) > mostChoices;
  if (!graph.edges.some(isWide)) return graph;
  const edges = graph.edges.map((edge): StepEdge => {
    const { step, to, origin } = edge;
    if (step.kind !== 'havoc' || !isWide(edge)) return edge;
    const range =
      rangeByUse(graph, step.into, step.range) ?? rangeByPaths(graph, step.into, step.range, to);
    if (range && sizeOf(range) <= mostChoices) return { ...edge, step: { ...step, range } };
    refuse(origin.span ? origin : (keptAt(graph, step.into) ?? origin), step.hint);
    return edge;
  });
  return { ...graph, edges };
}

/**
 * The source place of the step that copies the register unchanged, or else of the first step that
 * uses the register; `undefined` if there is none. Values without a source place of their own, such
 * as the arguments of `main`, get this place.
 */
function keptAt(graph: StepGraph, register: RegisterId): Origin | undefined {
  const uses = graph.edges.filter(
    ({ step, origin }) =>
      origin.span && stepExpressions(step).some((operand) => readsRegister(operand, register)),
  );
  const isKept = ({ step }: StepEdge): boolean =>
    stepExpressions(step).some((operand) => isRegister(operand, register));
  return (uses.find(isKept) ?? uses[0])?.origin;
}

const isRegister = (expression: Expression, register: RegisterId): boolean =>
  expression.kind === 'register' && expression.register === register;

/**
 * A range with values for all behaviour of the thread, for a free choice that is used only in
 * comparisons with numbers, also after adding constants, or only in one remainder or one bit mask.
 * `undefined` for all other uses.
 */
function rangeByUse(graph: StepGraph, register: RegisterId, whole: Range): Range | undefined {
  const sums = sumsOfChoice(graph, register, whole);
  let range = nothing;
  let isCompared = false;
  const cuts = new Set<string>();
  const visit = (expression: Expression): boolean => {
    if (expression.kind === 'register') return !sums.has(expression.register);
    const found = comparisonsOf(expression, sums, whole);
    for (const each of found ?? []) {
      isCompared = true;
      if (isDecided(each, whole)) continue;
      const { number } = each;
      range = hull(range, meet({ low: number - 1, high: number + 1 }, whole));
    }
    if (found) return true;
    const cut = cutIn(expression, sums, whole);
    if (cut) {
      cuts.add(cut.name);
      range = hull(range, cut.range);
      return true;
    }
    return partsOf(expression).every((part) => visit(part));
  };
  const isKnown = graph.edges.every(
    ({ step }) =>
      (isSum(step) && sums.has(step.into) && step.into !== register) ||
      stepExpressions(step).every((one) => visit(one)),
  );
  // A range for one remainder suits neither another remainder nor a comparison.
  if (!isKnown || cuts.size > 1 || (cuts.size === 1 && isCompared)) return undefined;
  return isEmpty(range) ? { low: whole.low, high: whole.low } : range;
}

/**
 * For an expression that takes a remainder or bit mask of a choice, without adding to the choice:
 * the name of this operation, and a range that has all results. `undefined` for other expressions,
 * and if no small range has all results. `whole` is the choice's own range.
 */
function cutIn(
  expression: Expression,
  sums: SumsOfChoice,
  whole: Range,
): { readonly name: string; readonly range: Range } | undefined {
  if (expression.kind !== 'binary') return undefined;
  const { left, operator, right } = expression;
  const isChoice = (side: Expression): boolean =>
    side.kind === 'register' && !!constantsOf(side, sums, whole)?.every((each) => each === 0);
  const number = numberBeside(isChoice, left, right);
  const range = number === undefined ? undefined : cutBy(operator, number, isChoice(left), whole);
  return range && { name: `${operator}${number}`, range };
}

/** Returns the value of the constant operand if the other operand satisfies `isWanted`. */
function numberBeside(
  isWanted: (side: Expression) => boolean,
  left: Expression,
  right: Expression,
): number | undefined {
  const other = isWanted(left) ? right : isWanted(right) ? left : undefined;
  return other?.kind === 'constant' && isWord(other.value) ? other.value : undefined;
}

/**
 * A range of all results of the operator for values in the given range: remainders by `number`, or
 * values of its bits; `undefined` if there is no small range. `isLeft`: whether the value is the
 * left operand.
 */
function cutBy(
  operator: string,
  number: number,
  isLeft: boolean,
  { low, high }: Range,
): Range | undefined {
  if (operator === '&' && number >= 0 && number < mostChoices)
    return { low: 0, high: 2 ** (32 - Math.clz32(number)) - 1 };
  if (!isLeft || number <= 0 || number >= mostChoices) return undefined;
  if (low >= 0)
    return operator === '%' || operator === '%%' ? { low: 0, high: number - 1 } : undefined;
  // A negative value is a large unsigned number, and its signed remainder is negative.
  if (operator === '%%' && high >= number - 1) return { low: 0, high: number - 1 };
  return operator === '%'
    ? { low: Math.max(low, 1 - number), high: Math.min(high, number - 1) }
    : undefined;
}

function partsOf(expression: Expression): readonly Expression[] {
  const parts: Expression[] = [];
  mapParts(expression, (part) => {
    parts.push(part);
    return part;
  });
  return parts;
}

/** A node of the graph after a free choice, with the facts known at the node. */
interface ChoicePlace {
  readonly node: StepNode;
  readonly range: Range;
  /** By register, its value as an expression over the free choice and constants. */
  readonly known: ReadonlyMap<RegisterId, Expression>;
}

/**
 * The smallest range that contains all values of the register that reach a visible step on some
 * path from a node. Values that no path lets pass are left out. `undefined` if the paths are too
 * long.
 */
function rangeByPaths(
  graph: StepGraph,
  register: RegisterId,
  whole: Range,
  from: StepNode,
): Range | undefined {
  const table = outgoing(graph);
  let left = nothing;
  let steps = 0;
  const pending: ChoicePlace[] = [{ node: from, range: whole, known: new Map() }];
  for (let place = pending.pop(); place; place = pending.pop()) {
    const { node, range, known } = place;
    const edges = table[node]!;
    if (edges.length === 0) left = hull(left, range);
    for (const { step, to } of edges) {
      if (++steps > mostSteps) return undefined;
      switch (step.kind) {
        case 'assume': {
          const condition = substituted(step.condition, known);
          const narrowed = narrow(condition, register, true, range);
          if (!isEmpty(narrowed)) pending.push({ node: to, range: narrowed, known });
          continue;
        }
        case 'assign':
          if (step.into === register) break;
          pending.push({ node: to, range, known: assigned(known, register, step) });
          continue;
        case 'skip':
          pending.push({ node: to, range, known });
          continue;
        default:
      }
      left = hull(left, range);
    }
  }
  return isEmpty(left) ? { low: whole.low, high: whole.low } : left;
}

function assigned(
  known: ReadonlyMap<RegisterId, Expression>,
  register: RegisterId,
  { into, value }: { readonly into: RegisterId; readonly value: Expression },
): ReadonlyMap<RegisterId, Expression> {
  const next = new Map(known);
  // Not the registers of the new expression: its parts may be shared, and its tree exponentially
  // large.
  let isKnown = true;
  forEachRegister(value, (other) => {
    isKnown &&= other === register || known.has(other);
  });
  if (isKnown) next.set(into, substituted(value, known));
  else next.delete(into);
  return next;
}

function substituted(
  expression: Expression,
  known: ReadonlyMap<RegisterId, Expression>,
): Expression {
  if (expression.kind === 'register') return known.get(expression.register) ?? expression;
  return mapParts(expression, (part) => substituted(part, known));
}

/**
 * The range without values of the register for which the condition surely differs from `isTrue`.
 */
function narrow(condition: Expression, register: RegisterId, isTrue: boolean, range: Range): Range {
  switch (condition.kind) {
    case 'constant':
      return (condition.value !== 0) === isTrue ? range : nothing;
    case 'register':
      return condition.register === register ? compared(isTrue ? '!=' : '==', 0, range) : range;
    case 'unary':
      return condition.operator === '!'
        ? narrow(condition.operand, register, !isTrue, range)
        : range;
    case 'binary': {
      const { operator, left, right } = condition;
      if (operator === '&&' || operator === '||') {
        const first = narrow(left, register, isTrue, range);
        if ((operator === '&&') === isTrue) return narrow(right, register, isTrue, first);
        return hull(first, narrow(right, register, isTrue, range));
      }
      if (!isComparison(operator)) return range;
      const test = isTrue ? operator : opposites[operator];
      const number = numberBeside((side) => isRegister(side, register), left, right);
      const [sum] = comparisonsOf(binary(test, left, right), onlyChoice(register), range) ?? [];
      if (number === undefined && sum) return compared(sum.operator, sum.number, range);
      if (number !== undefined)
        return compared(left.kind === 'register' ? test : (mirrored[test] ?? test), number, range);
      // A truth value is compared with 0.
      if ((test === '==' || test === '!=') && right.kind === 'constant' && right.value === 0)
        return narrow(left, register, test === '!=', range);
      return range;
    }
    default:
      return range;
  }
}

/** The smallest range of the values in `range` that satisfy a comparison with a number. */
function compared(operator: string, number: number, range: Range): Range {
  const { low, high } = range;
  switch (operator) {
    case '==':
      return meet(range, { low: number, high: number });
    case '!=':
      return {
        low: low === number ? low + 1 : low,
        high: high === number ? high - 1 : high,
      };
    case '<':
      return meet(range, { low, high: number - 1 });
    case '<=':
      return meet(range, { low, high: number });
    case '>':
      return meet(range, { low: number + 1, high });
    case '>=':
      return meet(range, { low: number, high });
    // As unsigned numbers, negative values are the largest.
    case '<%':
      return number >= 0 ? meet(range, { low: 0, high: number - 1 }) : range;
    case '<=%':
      return number >= 0 ? meet(range, { low: 0, high: number }) : range;
    default:
      return range;
  }
}
