import { unreachable } from '@fencewright/ground/base/unreachable.js';
import {
  conversions,
  type BinaryOperator,
  type Conversion,
} from '@fencewright/model/program/expression.js';
import { isWord, valueOfInteger } from '@fencewright/model/program/wide-values.js';
import { precedence } from '@fencewright/model/program/infix.js';
import {
  numberTooLarge,
  syntaxError,
  wideNumberTooLarge,
  wideNumberWithoutCode,
  wrongOperand,
} from '@fencewright/ground/source/diagnostic.js';
import { type Span, spanBetween } from '@fencewright/ground/source/span.js';
import { isNumber, operatorMeant } from './parse-expression.js';
import type {
  CallSyntax,
  ExpressionSyntax,
  NumberLiteral,
  OperandSyntax,
  Primary,
  Reference,
} from './syntax-expressions.js';

import type { ProblemList } from './problem-list.js';
import type { CallTerm, NativeTerm } from './term.js';

/**
 * The maximum nesting depth of operators in an expression: later passes walk expressions
 * recursively.
 */
const deepest = 200;

/** A term with its nesting depth; `outer` is its span including parentheses. */
interface Measured {
  readonly term: NativeTerm;
  readonly depth: number;
  readonly outer: Span;
}

function measure(term: NativeTerm, depth: number): Measured {
  return { term, depth, outer: term.span };
}

/** Returns the term of the expression; `undefined` after a reported error. */
export function readTerm(
  expression: ExpressionSyntax,
  problems: ProblemList,
): NativeTerm | undefined {
  const measured = readChain(expression, problems);
  if (!measured) return undefined;
  if (measured.depth > deepest) {
    const hint = 'split the expression: use a register';
    problems.add(syntaxError(expression.span, 'this expression is nested too deeply', hint));
    return undefined;
  }
  return measured.term;
}

/** Returns the term for a call; `undefined` after a reported error. */
export function readCall(call: CallSyntax, problems: ProblemList): CallTerm | undefined {
  const terms = readTerms(call.arguments, problems);
  return terms && { kind: 'call', name: call.name.text, arguments: terms, span: call.span };
}

/** Returns the terms for all of `expressions`; `undefined` after an error in one of them. */
export function readTerms(
  expressions: readonly ExpressionSyntax[],
  problems: ProblemList,
): readonly NativeTerm[] | undefined {
  const terms = expressions.map((expression) => readTerm(expression, problems));
  return terms.includes(undefined) ? undefined : (terms as readonly NativeTerm[]);
}

/**
 * Returns the term for `operand (operator operand)*`, by operator precedence; `undefined` after a
 * reported error.
 */
function readChain(expression: ExpressionSyntax, problems: ProblemList): Measured | undefined {
  const operands: Measured[] = [];
  const pending: BinaryOperator[] = [];
  const reduce = (): void => {
    const operator = pending.pop()!;
    const right = operands.pop()!;
    const left = operands.pop()!;
    const span = spanBetween(left.outer, right.outer);
    const term: NativeTerm = { kind: 'binary', operator, left: left.term, right: right.term, span };
    operands.push(measure(term, Math.max(left.depth, right.depth) + 1));
  };
  let failed = false;
  for (const [i, operand] of expression.operands.entries()) {
    const written = i === 0 ? undefined : expression.operators[i - 1];
    if (written !== undefined) {
      const operator = operatorMeant(written);
      while (pending.length > 0 && precedence[pending.at(-1)!] >= precedence[operator]) reduce();
      pending.push(operator);
    }
    const measured = readOperand(operand, written === '<-', problems);
    failed ||= !measured;
    operands.push(measured ?? measure({ kind: 'number', value: 1, span: operand.span }, 0));
  }
  while (pending.length > 0) reduce();
  return failed ? undefined : operands[0];
}

/**
 * Returns the term for an operand; `undefined` after a reported error. `negated`: the operand
 * follows `<-`, which the lexer reads as one token even in `r<-1`.
 */
function readOperand(
  operand: OperandSyntax,
  negated: boolean,
  problems: ProblemList,
): Measured | undefined {
  const signs = negated ? ['-' as const, ...operand.signs] : operand.signs;
  const { primary } = operand;
  if (!primary) return undefined;
  const negative = signs.at(-1) === '-' && primary.kind === 'NumberLiteral';
  const span = operand.span;
  let measured = readPrimary(primary, negative, problems);
  if (measured && negative) measured = measure({ ...measured.term, span }, 0);
  for (const operator of (negative ? signs.slice(0, -1) : signs).toReversed()) {
    if (!measured) return undefined;
    if (operator === '+') continue;
    const term: NativeTerm = { kind: 'unary', operator, operand: measured.term, span };
    measured = measure(term, measured.depth + 1);
  }
  return measured;
}

function readPrimary(
  primary: Primary,
  negative: boolean,
  problems: ProblemList,
): Measured | undefined {
  const span = primary.span;
  switch (primary.kind) {
    case 'NumberLiteral': {
      const value = readNumber(primary, negative, problems);
      return value === undefined ? undefined : measure({ kind: 'number', value, span }, 0);
    }
    case 'BooleanLiteral':
      return measure({ kind: 'number', value: primary.value ? 1 : 0, span }, 0);
    case 'EveryIndex':
      return measure({ kind: 'every-index', span }, 0);
    case 'Parentheses': {
      const inner = readChain(primary.expression, problems);
      return inner && { ...inner, depth: inner.depth + 1, outer: span };
    }
    case 'MemoryAccess': {
      const inner = readChain(primary.address, problems);
      return inner && measure({ kind: 'memory', address: inner.term, span }, inner.depth + 1);
    }
    case 'AddressOf': {
      const index = primary.index && readChain(primary.index, problems);
      if (primary.index && !index) return undefined;
      const name = primary.name.text;
      const cell = { kind: 'name', name, span, ...(index && { index: index.term }) } as const;
      return measure({ kind: 'address-of', cell, span }, (index?.depth ?? 0) + 1);
    }
    case 'Call':
      return readCallMeasured(primary, problems);
    case 'Reference':
      return readReference(primary, problems);
    default:
      return unreachable(primary);
  }
}

function readCallMeasured(call: CallSyntax, problems: ProblemList): Measured | undefined {
  const read = call.arguments.map((argument) => readChain(argument, problems));
  if (read.includes(undefined)) return undefined;
  const operands = read as readonly Measured[];
  const depth = operands.reduce((most, operand) => Math.max(most, operand.depth), 0);
  const { text: name } = call.name;
  if (isConversionName(name)) {
    const [operand] = operands;
    if (!operand || operands.length > 1) {
      const message = `${name} takes 1 operand, not ${operands.length}`;
      problems.add(wrongOperand(call.span, message, `write ${name}(e)`));
      return undefined;
    }
    const unary = { operator: name, operand: operand.term, span: call.span };
    return measure({ kind: 'unary', ...unary }, depth + 1);
  }
  const term = {
    name,
    arguments: operands.map((one) => one.term),
    span: call.span,
  };
  return measure({ kind: 'call', ...term }, depth + 1);
}

function isConversionName(name: string): name is Conversion {
  return Object.hasOwn(conversions, name);
}

function readReference(reference: Reference, problems: ProblemList): Measured | undefined {
  const { span, name, label, register } = reference;
  const index = reference.index && readChain(reference.index, problems);
  if (reference.index && !index) return undefined;
  const part = label ?? register;
  if (part) {
    const kind = label ? 'at' : 'member';
    const member = { thread: name.text, part: part.text, nameSpan: name.span, partSpan: part.span };
    return measure(
      { kind, ...member, span, ...(index && { copy: index.term }) },
      index?.depth ?? 0,
    );
  }
  if (!index) return measure({ kind: 'name', name: name.text, span }, 0);
  return measure({ kind: 'name', name: name.text, index: index.term, span }, index.depth + 1);
}

/**
 * Returns the value of a number in the text, negated if a minus sign precedes; `undefined` after a
 * reported error.
 */
export function readNumber(
  literal: NumberLiteral,
  negative: boolean,
  problems: ProblemList,
): number | undefined {
  const { text } = literal;
  const span = literal.span;
  if (!isNumber(text)) return undefined;
  const shown = (negative ? '-' : '') + text.slice(0, 40);
  if (text.endsWith('L')) {
    const digits = BigInt(text.slice(0, -1));
    const isHex = /^0[xX]/.test(text);
    // As in C, all of the 64 bits can be written in hexadecimal digits.
    const most = 2n ** (isHex && !negative ? 64n : 63n) - (negative ? 0n : 1n);
    const wide = digits > most ? undefined : valueOfInteger(negative ? -digits : digits);
    if (digits > most) problems.add(wideNumberTooLarge(span, shown));
    else if (wide === undefined) problems.add(wideNumberWithoutCode(span, shown));
    return wide;
  }
  const value = negative ? -Number(text) : Number(text);
  if (isWord(value)) return value | 0;
  problems.add(numberTooLarge(span, shown));
  return undefined;
}
