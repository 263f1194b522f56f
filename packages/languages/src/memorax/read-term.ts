import type { BinaryOperator } from '@fencewright/model/program/expression.js';
import { numberOf, type Reading } from '@fencewright/ground/source/reading.js';
import type { Tokens } from '@fencewright/ground/source/tokens.js';
import type { MemoraxCell, MemoraxTerm } from './syntax.js';

const comparisons: ReadonlyMap<string, BinaryOperator> = new Map<string, BinaryOperator>(
  Object.entries({
    '=': '==',
    '!=': '!=',
    '<': '<',
    '<=': '<=',
    '>': '>',
    '>=': '>=',
  }),
);

/** Reads and returns sums and differences of numbers and registers. Throws `ReadingFailure`. */
export function readMemoraxTerm(reading: Reading, tokens: Tokens): MemoraxTerm {
  let left = readUnit(reading, tokens);
  for (let n = 0; ; n++) {
    tokens.limit(n);
    const operator = tokens.accept('+', '-')?.text as '+' | '-' | undefined;
    if (operator === undefined) return left;
    left = { kind: 'binary', operator, left, right: readUnit(reading, tokens) };
  }
}

function readUnit(reading: Reading, tokens: Tokens): MemoraxTerm {
  return tokens.nest(() => readUnitHere(reading, tokens));
}

function readUnitHere(reading: Reading, tokens: Tokens): MemoraxTerm {
  if (tokens.accept('-')) {
    if (tokens.peek().kind === 'number')
      return { kind: 'number', value: numberOf(reading, tokens.next(), true) };
    return { kind: 'unary', operator: '-', operand: readUnit(reading, tokens) };
  }
  if (tokens.accept('(')) {
    const inner = readMemoraxTerm(reading, tokens);
    tokens.expect(')');
    return inner;
  }
  const { kind, text, span } = tokens.peek();
  if (kind === 'number') return { kind: 'number', value: numberOf(reading, tokens.next()) };
  if (kind === 'name' && text.startsWith('$')) {
    tokens.next();
    return { kind: 'register', name: text, span };
  }
  return tokens.fail(
    'a number or a register is missing here',
    kind === 'name' ? 'a location has to be read into a register first' : undefined,
  );
}

/**
 * Reads and returns comparisons joined by `&&`, `||` and `not`, in brackets if necessary. Throws
 * `ReadingFailure`.
 */
export function readCondition(reading: Reading, tokens: Tokens): MemoraxTerm {
  let left = readConjunction(reading, tokens);
  for (let n = 0; tokens.accept('||'); n++) {
    tokens.limit(n);
    left = { kind: 'binary', operator: '||', left, right: readConjunction(reading, tokens) };
  }
  return left;
}

function readConjunction(reading: Reading, tokens: Tokens): MemoraxTerm {
  let left = readNegation(reading, tokens);
  for (let n = 0; tokens.accept('&&'); n++) {
    tokens.limit(n);
    left = { kind: 'binary', operator: '&&', left, right: readNegation(reading, tokens) };
  }
  return left;
}

function readNegation(reading: Reading, tokens: Tokens): MemoraxTerm {
  return tokens.nest(() => readNegationHere(reading, tokens));
}

function readNegationHere(reading: Reading, tokens: Tokens): MemoraxTerm {
  if (tokens.accept('not'))
    return { kind: 'unary', operator: '!', operand: readNegation(reading, tokens) };
  if (tokens.accept('[')) {
    const inner = readCondition(reading, tokens);
    tokens.expect(']');
    return inner;
  }
  if (tokens.accept('true')) return { kind: 'number', value: 1 };
  if (tokens.accept('false')) return { kind: 'number', value: 0 };
  const left = readMemoraxTerm(reading, tokens);
  const operator = comparisons.get(tokens.peek().text);
  if (!operator) return tokens.fail('a comparison is missing here', 'one of = != < <= > >=');
  tokens.next();
  return { kind: 'binary', operator, left, right: readMemoraxTerm(reading, tokens) };
}

/** Reads and returns the name of a memory location. Throws `ReadingFailure`. */
export function readCell(reading: Reading, tokens: Tokens): MemoraxCell {
  const first = tokens.peek();
  if (tokens.accept('[')) {
    const index = readMemoraxTerm(reading, tokens);
    tokens.expect(']');
    return { kind: 'pointer', index, span: tokens.spanFrom(first) };
  }
  const { text: name } = tokens.expectName('a location');
  if (!tokens.accept('[')) return { kind: 'global', name, span: first.span };
  const owner = tokens.accept('my')
    ? 'my'
    : tokens.peek().kind === 'number'
      ? numberOf(reading, tokens.next())
      : tokens.fail("'my' or the number of a process is missing here");
  tokens.expect(']');
  return { kind: 'local', name, owner, span: tokens.spanFrom(first) };
}
