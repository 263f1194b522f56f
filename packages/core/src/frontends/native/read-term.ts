import { unreachable } from '../../base/unreachable.js';
import type { BinaryOperator } from '../../program/expression.js';
import { precedence } from '../../program/infix.js';
import { numberTooLarge, syntaxError } from '../../source/diagnostic.js';
import type { Span } from '../../source/span.js';
import type { Expression, NumberLiteral, Operand, Primary } from './generated/ast.js';

import type { ProblemList } from './problem-list.js';
import { endOf, spanBetween, spanOf, startOf } from './spans.js';
import type { Term } from './term.js';

/** How deeply operators may be nested: later passes walk expressions recursively. */
const deepest = 200;

/** The name as it is looked up: both kinds of prime are one. */
export function toName(text: string): string {
  return text.replaceAll('′', "'");
}

/** A term with its depth; `outer` is its place with the parentheses around it. */
interface Measured {
  readonly term: Term;
  readonly depth: number;
  readonly outer: Span;
}

function measure(term: Term, depth: number): Measured {
  return { term, depth, outer: term.span };
}

/** The term that the expression denotes; absent after an error, which has been reported. */
export function readTerm(expression: Expression, problems: ProblemList): Term | undefined {
  const measured = readChain(expression, problems);
  if (!measured) return undefined;
  if (measured.depth > deepest) {
    const hint = 'split it with the help of a register';
    problems.add(syntaxError(spanOf(expression), 'this expression is nested too deeply', hint));
    return undefined;
  }
  return measured.term;
}

/** Reads all of `expressions`; absent if there was an error in one of them. */
export function readTerms(
  expressions: readonly Expression[],
  problems: ProblemList,
): readonly Term[] | undefined {
  const terms = expressions.map((expression) => readTerm(expression, problems));
  return terms.includes(undefined) ? undefined : (terms as readonly Term[]);
}

/** Operator precedence parsing of `operand (operator operand)*`. */
function readChain(expression: Expression, problems: ProblemList): Measured | undefined {
  const operands: Measured[] = [];
  const pending: BinaryOperator[] = [];
  const reduce = (): void => {
    const operator = pending.pop()!;
    const right = operands.pop()!;
    const left = operands.pop()!;
    const span = spanBetween(left.outer, right.outer);
    const term: Term = { kind: 'binary', operator, left: left.term, right: right.term, span };
    operands.push(measure(term, Math.max(left.depth, right.depth) + 1));
  };
  let failed = false;
  for (const [i, operand] of expression.operands.entries()) {
    const written = i === 0 ? undefined : expression.operators[i - 1];
    if (written !== undefined) {
      const operator = toOperator(written);
      while (pending.length > 0 && precedence[pending.at(-1)!] >= precedence[operator]) reduce();
      pending.push(operator);
    }
    const measured = readOperand(operand, written === '<-', problems);
    if (written === '=') reportAssignment(operands.at(-1), operand, problems);
    failed ||= !measured;
    operands.push(measured ?? measure({ kind: 'number', value: 1, span: spanOf(operand) }, 0));
  }
  while (pending.length > 0) reduce();
  return failed ? undefined : operands[0];
}

function toOperator(written: Expression['operators'][number]): BinaryOperator {
  if (written === '<-') return '<';
  return written === '=' ? '==' : written;
}

function reportAssignment(left: Measured | undefined, right: Operand, problems: ProblemList): void {
  const end = spanOf(right);
  const span = left ? spanBetween(left.outer, end) : end;
  problems.add(
    syntaxError(span, "'=' stores, and cannot stand in an expression", "compare with '=='"),
  );
}

/** `negated`: the operand follows `<-`, which the lexer reads as one token also in `r<-1`. */
function readOperand(
  operand: Operand,
  negated: boolean,
  problems: ProblemList,
): Measured | undefined {
  const signs = negated ? ['-' as const, ...operand.signs] : operand.signs;
  const negative = signs.at(-1) === '-' && operand.primary.$type === 'NumberLiteral';
  const span = spanOf(operand);
  let measured = readPrimary(operand.primary, negative, problems);
  if (measured && negative) measured = measure({ ...measured.term, span }, 0);
  for (const operator of (negative ? signs.slice(0, -1) : signs).toReversed()) {
    if (!measured) return undefined;
    if (operator === '+') continue;
    const term: Term = { kind: 'unary', operator, operand: measured.term, span };
    measured = measure(term, measured.depth + 1);
  }
  return measured;
}

function readPrimary(
  primary: Primary,
  negative: boolean,
  problems: ProblemList,
): Measured | undefined {
  const span = spanOf(primary);
  switch (primary.$type) {
    case 'NumberLiteral': {
      const value = readNumber(primary, negative, problems);
      return value === undefined ? undefined : measure({ kind: 'number', value, span }, 0);
    }
    case 'BooleanLiteral':
      return measure({ kind: 'number', value: primary.text === 'true' ? 1 : 0, span }, 0);
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
      const name = toName(primary.name);
      const cell = { kind: 'name', name, span, ...(index && { index: index.term }) } as const;
      return measure({ kind: 'address-of', cell, span }, (index?.depth ?? 0) + 1);
    }
    case 'Reference':
      return readReference(primary, problems);
    default:
      return unreachable(primary);
  }
}

function readReference(
  reference: Extract<Primary, { $type: 'Reference' }>,
  problems: ProblemList,
): Measured | undefined {
  const span = spanOf(reference);
  const name = toName(reference.name);
  if (reference.call) {
    const read = reference.arguments.map((argument) => readChain(argument, problems));
    if (read.includes(undefined)) return undefined;
    const operands = read as readonly Measured[];
    const depth = operands.reduce((most, operand) => Math.max(most, operand.depth), 0);
    const terms = operands.map(({ term }) => term);
    return measure({ kind: 'call', name, arguments: terms, span }, depth + 1);
  }
  const index = reference.index && readChain(reference.index, problems);
  if (reference.index && !index) return undefined;
  const [part, kind] =
    reference.label !== undefined
      ? ([reference.label, 'at'] as const)
      : ([reference.register, 'member'] as const);
  if (part !== undefined) {
    const nameSpan = startOf(span, name.length);
    const partSpan = endOf(span, part.length);
    const member = { thread: name, part: toName(part), nameSpan, partSpan, span };
    return measure({ kind, ...member, ...(index && { copy: index.term }) }, index?.depth ?? 0);
  }
  if (!index) return measure({ kind: 'name', name, span }, 0);
  return measure({ kind: 'name', name, index: index.term, span }, index.depth + 1);
}

/** The value of the literal, or of its negation; absent after an error, which has been reported. */
export function readNumber(
  literal: NumberLiteral,
  negative: boolean,
  problems: ProblemList,
): number | undefined {
  const { text } = literal;
  const span = spanOf(literal);
  if (!/^(0|[1-9][0-9]*|0[xX][0-9a-fA-F]+)$/.test(text)) {
    const octal = /^0[0-9]+$/.test(text);
    problems.add(
      syntaxError(
        span,
        `expected a number but found '${text.slice(0, 40)}'`,
        octal
          ? 'octal numbers are not read: leave the leading zeros out'
          : 'numbers are written 26 or 0x1a',
      ),
    );
    return undefined;
  }
  const value = negative ? -Number(text) : Number(text);
  if ((value | 0) !== value) {
    problems.add(numberTooLarge(span, (negative ? '-' : '') + text.slice(0, 40)));
    return undefined;
  }
  return value | 0;
}
