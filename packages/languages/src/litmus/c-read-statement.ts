import { spanBetween } from '@fencewright/ground/source/span.js';
import { duplicateName } from '@fencewright/ground/source/diagnostic.js';
import type { BinaryOperator } from '@fencewright/model/program/expression.js';
import { attempt } from '@fencewright/ground/source/reading.js';
import { readingFailureOf, type Token, type Tokens } from '@fencewright/ground/source/tokens.js';
import { type CScope, readCCall, readCTerm, startsCall, typeWord } from './c-read-term.js';
import type { CPlace, CStatement, CTerm } from './c-syntax.js';

const updates: ReadonlyMap<string, BinaryOperator> = new Map<string, BinaryOperator>(
  Object.entries({
    '+=': '+',
    '-=': '-',
    '*=': '*',
    '/=': '/',
    '%=': '%',
    '&=': '&',
    '|=': '|',
    '^=': '^',
  }),
);

/**
 * Reads statements up to the closing brace, and returns them as a block. After an error in one
 * statement, reading continues with the next.
 */
export function readBlock(scope: CScope, tokens: Tokens): CStatement {
  const first = tokens.expect('{');
  const body: CStatement[] = [];
  while (!tokens.isAtEnd && !tokens.isNext('}')) {
    const before = tokens.peek();
    const read = attempt(scope.reading, () => readStatement(scope, tokens));
    if (read) body.push(...read);
    else skipStatement(tokens, before);
  }
  tokens.expect('}');
  return { kind: 'block', body, span: tokens.spanFrom(first) };
}

/** Skips the rest of a malformed statement, and at least one token. */
function skipStatement(tokens: Tokens, before: Token): void {
  let depth = 0;
  if (tokens.peek() === before) tokens.next();
  while (!tokens.isAtEnd) {
    if (depth === 0 && tokens.isNext('}')) return;
    const { text } = tokens.next();
    if (text === '{') depth += 1;
    if (text === '}') depth -= 1;
    if (depth === 0 && (text === ';' || text === '}')) return;
  }
}

/** Reads and returns a statement; a declaration of several variables gives several statements. */
function readStatement(scope: CScope, tokens: Tokens): readonly CStatement[] {
  return tokens.nest(() => {
    const { text } = tokens.peek();
    if (typeWord.test(text) && tokens.peek().kind === 'name') return readDeclaration(scope, tokens);
    return [readControl(scope, tokens)];
  });
}

function readOne(scope: CScope, tokens: Tokens): CStatement {
  const first = tokens.peek();
  const statements = readStatement(scope, tokens);
  return statements.length === 1
    ? statements[0]!
    : { kind: 'block', body: statements, span: tokens.spanFrom(first) };
}

function readDeclaration(scope: CScope, tokens: Tokens): readonly CStatement[] {
  const start = tokens.peek();
  while (typeWord.test(tokens.peek().text)) tokens.next();
  const statements: CStatement[] = [];
  do {
    while (tokens.accept('*', 'const', 'volatile'));
    const { text: name, span } = tokens.expectName('the name of a variable');
    if (tokens.isNext('[')) throw readingFailureOf(tokens.peek(), 'arrays are not supported');
    if (scope.locals.has(name))
      scope.reading.errors.error(() => duplicateName(span, 'variable', name));
    scope.locals.add(name);
    const value = tokens.accept('=') ? readCTerm(scope, tokens) : undefined;
    const place = spanBetween(statements.length === 0 ? start.span : span, tokens.previous().span);
    statements.push({ kind: 'declare', name, ...(value && { value }), span: place });
  } while (tokens.accept(','));
  tokens.expect(';');
  return statements;
}

function readControl(scope: CScope, tokens: Tokens): CStatement {
  const first = tokens.peek();
  if (tokens.isNext('{')) return readBlock(scope, tokens);
  if (tokens.accept(';')) return { kind: 'nothing', span: first.span };
  const condition = (): CTerm => {
    tokens.expect('(');
    const term = readCTerm(scope, tokens);
    tokens.expect(')');
    return term;
  };
  if (tokens.accept('if')) {
    const test = condition();
    const positive = readOne(scope, tokens);
    const negative = tokens.accept('else') ? readOne(scope, tokens) : undefined;
    const span = tokens.spanFrom(first);
    return { kind: 'if', condition: test, positive, ...(negative && { negative }), span };
  }
  if (tokens.accept('while')) {
    const test = condition();
    const body = readOne(scope, tokens);
    return { kind: 'while', condition: test, body, span: tokens.spanFrom(first) };
  }
  if (tokens.accept('do')) {
    const body = readOne(scope, tokens);
    tokens.expect('while');
    const test = condition();
    tokens.expect(';');
    return { kind: 'do', body, condition: test, span: tokens.spanFrom(first) };
  }
  if (tokens.accept('for')) return readFor(scope, tokens, first);
  if (tokens.isNext('break', 'continue')) {
    const kind = tokens.next().text as 'break' | 'continue';
    tokens.expect(';');
    return { kind, span: first.span };
  }
  if (tokens.isNext('goto', 'return', 'switch'))
    throw readingFailureOf(
      first,
      'this statement is not supported',
      'the supported statements are if, while, do and for',
    );
  const simple = readSimple(scope, tokens);
  tokens.expect(';', 'a statement ends with a semicolon');
  return simple;
}

/**
 * Reads and returns a loop `for (a; b; c) s`; a variable declared by the loop is known in the whole
 * function.
 */
function readFor(scope: CScope, tokens: Tokens, first: Token): CStatement {
  tokens.expect('(');
  const before = readOne(scope, tokens);
  const always: CTerm = { kind: 'number', value: 1, span: tokens.peek().span };
  const condition = tokens.isNext(';') ? always : readCTerm(scope, tokens);
  tokens.expect(';');
  const step = tokens.isNext(')') ? undefined : readSimple(scope, tokens);
  tokens.expect(')');
  const body = readOne(scope, tokens);
  const span = tokens.spanFrom(first);
  return {
    kind: 'block',
    body: [before, { kind: 'while', condition, body, ...(step && { step }), span }],
    span,
  };
}

/** Reads and returns a call, an assignment or `r++`, without the semicolon. */
function readSimple(scope: CScope, tokens: Tokens): CStatement {
  const first = tokens.peek();
  if (startsCall(tokens)) {
    tokens.next();
    const call = readCCall(scope, tokens);
    const span = tokens.spanFrom(first);
    return call.kind === 'done'
      ? { ...call.statement, span }
      : { kind: 'evaluate', term: { ...call.term, span }, span };
  }
  const target = readCTerm(scope, tokens);
  const place = placeOf(first, target);
  const operator = updates.get(tokens.peek().text);
  const step = tokens.accept('++', '--')?.text;
  let value: CTerm;
  if (step !== undefined) {
    const one: CTerm = { kind: 'number', value: 1, span: first.span };
    value = {
      kind: 'binary',
      operator: step === '++' ? '+' : '-',
      left: target,
      right: one,
      span: tokens.spanFrom(first),
    };
  } else if (operator) {
    tokens.next();
    const right = readCTerm(scope, tokens);
    value = { kind: 'binary', operator, left: target, right, span: tokens.spanFrom(first) };
  } else {
    tokens.expect('=', 'a statement is an assignment or a call');
    value = readCTerm(scope, tokens);
  }
  return { kind: 'assign', place, value, span: tokens.spanFrom(first) };
}

function placeOf(first: Token, target: CTerm): CPlace {
  if (target.kind === 'name') return { kind: 'local', name: target.name, span: target.span };
  if (target.kind === 'load') return { kind: 'cell', address: target.address };
  throw readingFailureOf(first, 'this expression cannot be assigned to');
}
