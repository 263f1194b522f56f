import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { applyBinary, applyUnary, ExecutionFault } from '@fencewright/model/program/evaluate.js';
import { formatNumber, isWord } from '@fencewright/model/program/wide-values.js';
import type { Span } from '@fencewright/ground/source/span.js';
import {
  constantDivisionByZero,
  type Diagnostic,
  indexOutOfBounds,
  misplaced,
  numberTooLarge,
  wrongOperand,
} from '@fencewright/ground/source/diagnostic.js';
import type { ProblemList } from './problem-list.js';
import type { NameMeaning } from './scope.js';
import type { NameTerm, NativeTerm } from './term.js';

/** Returns the values of names in a constant expression. */
export interface ConstantScope {
  readonly lookUp: (name: string) => NameMeaning | undefined;
  /** Returns the names usable in the constant expression, for hints at misspelled names. */
  readonly candidates: () => Iterable<string>;
}

/**
 * Returns the error for `a[*]`, which means all cells of an array, at a place for a single cell.
 */
export function everyIndexMisplaced(span: Span): Diagnostic {
  return misplaced(
    span,
    'only invariants can speak of all cells of an array',
    'name one cell: a[0]',
  );
}

/**
 * Returns the value of a term that has to be a constant of 32 bits; `undefined` after a reported
 * error.
 */
export function evaluateConstant(
  term: NativeTerm,
  scope: ConstantScope,
  problems: ProblemList,
): number | undefined {
  const value = evaluateNumber(term, scope, problems);
  if (value === undefined || isWord(value)) return value;
  problems.add(numberTooLarge(term.span, formatNumber(value)));
  return undefined;
}

/**
 * Returns the value of a term that has to be a constant of 64 bits; `undefined` after a reported
 * error.
 */
export function evaluateNumber(
  term: NativeTerm,
  scope: ConstantScope,
  problems: ProblemList,
): number | undefined {
  switch (term.kind) {
    case 'number':
      return term.value;
    case 'name':
      return evaluateName(term, scope, problems);
    case 'address-of':
      return evaluateAddress(term.cell, scope, problems);
    case 'unary': {
      const operand = evaluateNumber(term.operand, scope, problems);
      return operand === undefined
        ? undefined
        : guardConstant(term.span, problems, () => applyUnary(term.operator, operand));
    }
    case 'binary': {
      const left = evaluateNumber(term.left, scope, problems);
      const right = evaluateNumber(term.right, scope, problems);
      return left === undefined || right === undefined
        ? undefined
        : guardConstant(term.span, problems, () => applyBinary(term.operator, left, right));
    }
    case 'memory':
    case 'call': {
      reportNotConstant(term.span, problems);
      return;
    }
    case 'every-index':
      problems.add(everyIndexMisplaced(term.span));
      return undefined;
    case 'at':
    case 'member':
      problems.add(misplaced(term.span, 'only properties can read the state of a thread'));
      return undefined;
    default:
      return unreachable(term);
  }
}

/**
 * Returns the result of an operation on constants; reports a fault such as a division by zero, and
 * returns `undefined` then.
 */
export function guardConstant(
  span: Span,
  problems: ProblemList,
  apply: () => number,
): number | undefined {
  try {
    return apply();
  } catch (error) {
    if (!(error instanceof ExecutionFault)) throw error;
    problems.add(
      error.kind === 'division-by-zero'
        ? constantDivisionByZero(span)
        : numberTooLarge(span, 'the result'),
    );
    return undefined;
  }
}

function evaluateName(
  term: NameTerm,
  scope: ConstantScope,
  problems: ProblemList,
): number | undefined {
  const meaning = scope.lookUp(term.name);
  if (!meaning) {
    problems.addUnknown(term.span, 'constant', term.name, scope.candidates);
    return undefined;
  }
  if (meaning.kind === 'constant' && !term.index) return meaning.value;
  reportNotConstant(term.span, problems);
  return undefined;
}

function evaluateAddress(
  cell: NameTerm,
  scope: ConstantScope,
  problems: ProblemList,
): number | undefined {
  const meaning = scope.lookUp(cell.name);
  if (meaning?.kind !== 'symbol') {
    problems.addUnknown(cell.span, 'shared variable', cell.name, scope.candidates);
    return undefined;
  }
  const { base, length, name, isArray } = meaning.declaration;
  if (!cell.index) return base;
  if (!isArray) {
    problems.add(wrongOperand(cell.span, `'${name}' is not an array`, `write &${name}`));
    return undefined;
  }
  const index = evaluateConstant(cell.index, scope, problems);
  if (index === undefined) return undefined;
  if (index < 0 || index >= length) {
    problems.add(indexOutOfBounds(cell.index.span, name, index, length));
    return undefined;
  }
  return base + index;
}

function reportNotConstant(span: Span, problems: ProblemList): void {
  problems.add(wrongOperand(span, 'a constant is needed here', "use numbers and 'const' names"));
}
