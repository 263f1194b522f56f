import { attempt, type Reading } from '@fencewright/ground/source/reading.js';
import { readingFailureOf, type Tokens } from '@fencewright/ground/source/tokens.js';
import { readCell, readCondition, readMemoraxTerm } from './read-term.js';
import { reserved } from './spelling.js';
import type { Label, MemoraxStatement } from './syntax.js';

/** A statement of some kind, without the fields that all statements have. */
type Bare = MemoraxStatement extends infer S
  ? S extends MemoraxStatement
    ? Omit<S, 'span' | 'labels'>
    : never
  : never;

/**
 * Reads and returns statements separated by `;`. After an error in one statement, reading continues
 * with the next.
 */
export function readStatements(reading: Reading, tokens: Tokens): readonly MemoraxStatement[] {
  const statements: MemoraxStatement[] = [];
  do {
    // A `;` may also end the last statement.
    if (tokens.isNext('}', 'or', 'process', 'data', 'registers', 'text') || tokens.isAtEnd) break;
    const statement = attempt(reading, () => readStatement(reading, tokens));
    if (statement) statements.push(statement);
    else skipStatement(tokens);
  } while (tokens.accept(';'));
  return statements;
}

function skipStatement(tokens: Tokens): void {
  let depth = 0;
  while (!tokens.isAtEnd && !tokens.isNext('process')) {
    if (depth === 0 && tokens.isNext(';', '}', 'or')) return;
    if (tokens.isNext('{')) depth += 1;
    if (tokens.isNext('}')) depth -= 1;
    tokens.next();
  }
}

function readStatement(reading: Reading, tokens: Tokens): MemoraxStatement {
  const labels: Label[] = [];
  while (
    tokens.peek().kind === 'name' &&
    tokens.peek(1).text === ':' &&
    isLabel(tokens.peek().text)
  ) {
    const { text: name, span } = tokens.next();
    labels.push({ name, span });
    tokens.next();
  }
  const first = tokens.peek();
  const bare = tokens.nest(() => readBare(reading, tokens));
  return { ...bare, labels, span: tokens.spanFrom(first) };
}

function isLabel(word: string): boolean {
  return !reserved.includes(word) && !word.startsWith('$');
}

function readRegister(tokens: Tokens): Label {
  const { text: name, span } = tokens.expectName('a register');
  return { name, span };
}

function readBare(reading: Reading, tokens: Tokens): Bare {
  const word = tokens.peek();
  if (word.kind === 'name' && word.text.startsWith('$')) {
    const register = readRegister(tokens);
    tokens.expect(':=');
    return { kind: 'assign', register, value: readMemoraxTerm(reading, tokens) };
  }
  if (tokens.accept('{')) return { kind: 'block', body: readBody(reading, tokens) };
  tokens.expectName('a statement');
  switch (word.text) {
    case 'nop':
    case 'fence':
      return { kind: word.text };
    case 'ssfence':
    case 'llfence':
      // These fences order only accesses already ordered by TSO.
      return { kind: 'nop' };
    case 'assume':
      tokens.expect(':');
      return { kind: 'assume', condition: readCondition(reading, tokens) };
    case 'read':
    case 'syncrd':
      return readRead(reading, tokens, word.text === 'syncrd');
    case 'write':
    case 'syncwr':
      return readWrite(reading, tokens, word.text === 'syncwr');
    case 'cas':
      return readCas(reading, tokens);
    case 'goto': {
      const { text: name, span } = tokens.expectName('a label');
      return { kind: 'goto', target: { name, span } };
    }
    case 'either':
      tokens.expect('{');
      return { kind: 'either', alternatives: readAlternatives(reading, tokens), locked: false };
    case 'locked':
      if (tokens.accept('write')) return readWrite(reading, tokens, true);
      tokens.expect('{', "'locked' stands before 'write' or a block");
      return { kind: 'either', alternatives: readAlternatives(reading, tokens), locked: true };
    case 'if': {
      const condition = readCondition(reading, tokens);
      tokens.expect('then');
      const positive = readStatement(reading, tokens);
      const branches = { kind: 'if', condition, positive } as const;
      return tokens.accept('else')
        ? { ...branches, negative: readStatement(reading, tokens) }
        : branches;
    }
    case 'while': {
      const condition = readCondition(reading, tokens);
      tokens.expect('do');
      return { kind: 'while', condition, body: readStatement(reading, tokens) };
    }
    case 'macro':
      throw readingFailureOf(word, 'macros are not supported', 'expand the macros');
    default:
      throw readingFailureOf(
        word,
        'this is not a statement',
        'the statements are read, write, cas, locked, fence, assume, if, while, either, goto and nop',
      );
  }
}

function readBody(reading: Reading, tokens: Tokens): readonly MemoraxStatement[] {
  const body = readStatements(reading, tokens);
  tokens.expect('}', "statements are separated by ';'");
  return body;
}

function readAlternatives(
  reading: Reading,
  tokens: Tokens,
): readonly (readonly MemoraxStatement[])[] {
  const alternatives = [readStatements(reading, tokens)];
  while (tokens.accept('or')) alternatives.push(readStatements(reading, tokens));
  tokens.expect('}', "statements are separated by ';', alternatives by 'or'");
  return alternatives;
}

function readRead(reading: Reading, tokens: Tokens, synchronised: boolean): Bare {
  tokens.expect(':');
  if (tokens.peek().text.startsWith('$')) {
    const register = readRegister(tokens);
    tokens.expect(':=');
    return { kind: 'read-into', register, cell: readCell(reading, tokens), synchronised };
  }
  const cell = readCell(reading, tokens);
  tokens.expect('=', "write 'read: x = 1' or 'read: $r := x'");
  return { kind: 'read-equal', cell, value: readMemoraxTerm(reading, tokens), synchronised };
}

function readWrite(reading: Reading, tokens: Tokens, synchronised: boolean): Bare {
  tokens.expect(':');
  const cell = readCell(reading, tokens);
  tokens.expect(':=', "write 'write: x := 1'");
  return { kind: 'write', cell, value: readMemoraxTerm(reading, tokens), synchronised };
}

function readCas(reading: Reading, tokens: Tokens): Bare {
  tokens.expect('(');
  const cell = readCell(reading, tokens);
  tokens.expect(',');
  const expected = readMemoraxTerm(reading, tokens);
  tokens.expect(',');
  const desired = readMemoraxTerm(reading, tokens);
  tokens.expect(')');
  return { kind: 'cas', cell, expected, desired };
}
