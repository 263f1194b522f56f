import type { BinaryOperator } from '@fencewright/model/program/expression.js';
import { numberOf } from '@fencewright/ground/source/reading.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { type Tokens, readingFailureOf } from '@fencewright/ground/source/tokens.js';
import { callOf } from './c-calls.js';
import type { CallArgument, CallMeaning, CTerm } from './c-syntax.js';
import type { LitmusReading } from './litmus-reading.js';

/** The names known in a function while its text is read. */
export interface CScope {
  readonly reading: LitmusReading;
  /** The names of the shared locations, which are the parameters of the function. */
  readonly parameters: readonly string[];
  /** The names of the shared locations whose type in the function is atomic. */
  readonly atomics: ReadonlySet<string>;
  readonly locals: Set<string>;
}

/** C's binary operators by precedence, loosest first. */
const levels: readonly (readonly BinaryOperator[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '<=', '>', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** Matches a word that starts a type. */
export const typeWord =
  /^(?:int|long|short|char|unsigned|signed|volatile|const|static|void|bool|_Bool|_Atomic|struct|atomic_\w+_t|atomic_(?:int|uint|long|ulong|llong|bool|t)|(?:__)?u?int(?:ptr|8|16|32|64|128)?_t|__u?int128|[us](?:8|16|32|64)|size_t|__u32|intptr_t)$/;

/** Reads and returns an expression. Throws `ReadingFailure`. */
export function readCTerm(scope: CScope, tokens: Tokens): CTerm {
  return tokens.nest(() => readLevel(scope, tokens, 0));
}

function readLevel(scope: CScope, tokens: Tokens, level: number): CTerm {
  const operators = levels[level];
  if (!operators) return readPrefix(scope, tokens);
  const first = tokens.peek();
  let left = readLevel(scope, tokens, level + 1);
  for (let n = 0; ; n++) {
    tokens.limit(n);
    const operator = tokens.accept(...operators)?.text as BinaryOperator | undefined;
    if (operator === undefined) return left;
    const right = readLevel(scope, tokens, level + 1);
    left = { kind: 'binary', operator, left, right, span: tokens.spanFrom(first) };
  }
}

function isCast(tokens: Tokens): boolean {
  return tokens.isNext('(') && typeWord.test(tokens.peek(1).text);
}

function readPrefix(scope: CScope, tokens: Tokens): CTerm {
  return tokens.nest(() => readPrefixHere(scope, tokens));
}

function readPrefixHere(scope: CScope, tokens: Tokens): CTerm {
  const first = tokens.peek();
  if (isCast(tokens)) {
    while (!tokens.isAtEnd && !tokens.accept(')')) tokens.next();
    return readPrefix(scope, tokens);
  }
  const sign = tokens.accept('-', '!', '~')?.text as '-' | '!' | '~' | undefined;
  if (sign !== undefined) {
    if (sign === '-' && tokens.peek().kind === 'number') {
      const value = numberOf(scope.reading, tokens.next(), true);
      return { kind: 'number', value, span: tokens.spanFrom(first) };
    }
    const operand = readPrefix(scope, tokens);
    return { kind: 'unary', operator: sign, operand, span: tokens.spanFrom(first) };
  }
  if (tokens.accept('+')) return readPrefix(scope, tokens);
  if (tokens.accept('*')) {
    const address = readPrefix(scope, tokens);
    return loadByOperator(scope, address, tokens.spanFrom(first));
  }
  if (tokens.accept('&')) {
    const element = tokens.peek(1).text === '[' ? readElement(scope, tokens) : undefined;
    if (element) return { ...element, span: tokens.spanFrom(first) };
    const operand = readPrefix(scope, tokens);
    if (operand.kind === 'load') return { ...operand.address, span: tokens.spanFrom(first) };
    throw readingFailureOf(
      first,
      'this expression has no address',
      "a location is a pointer already: write 'x'",
    );
  }
  if (tokens.accept('(')) {
    const inner = readCTerm(scope, tokens);
    tokens.expect(')');
    return { ...inner, span: tokens.spanFrom(first) };
  }
  if (first.kind === 'number')
    return { kind: 'number', value: numberOf(scope.reading, tokens.next()), span: first.span };
  if (first.kind === 'name' && tokens.peek(1).text === '[')
    return loadByOperator(scope, readElement(scope, tokens), tokens.spanFrom(first));
  const isCall = startsCall(tokens);
  tokens.expectName('a value');
  if (!isCall) return { kind: 'name', name: first.text, span: first.span };
  const call = readCCall(scope, tokens);
  if (call.kind === 'value') return { ...call.term, span: tokens.spanFrom(first) };
  throw readingFailureOf(first, 'this call has no value');
}

/** Returns the load by `*x` or `x[1]`, which C makes `seq_cst` if the variable is atomic. */
function loadByOperator({ atomics, reading }: CScope, address: CTerm, span: Span): CTerm {
  const pointer = address.kind === 'binary' ? address.left : address;
  const isAtomic = pointer.kind === 'name' && atomics.has(pointer.name);
  if (isAtomic) reading.c11.outside ??= { span, reason: 'operator' };
  return { kind: 'load', address, span };
}

/** Reads `y[1]`, and returns the address of the cell. */
function readElement(scope: CScope, tokens: Tokens): CTerm {
  const first = tokens.expectName('an array');
  const left: CTerm = { kind: 'name', name: first.text, span: first.span };
  tokens.expect('[');
  const right = readCTerm(scope, tokens);
  tokens.expect(']');
  return { kind: 'binary', operator: '+', left, right, span: tokens.spanFrom(first) };
}

/** Whether a call comes next: `f(`, or `f{mb}(` of a macro of herd. */
export function startsCall(tokens: Tokens): boolean {
  const isMacro = tokens.peek(1).text === '{' && tokens.peek(3).text === '}';
  return tokens.peek().kind === 'name' && tokens.peek(isMacro ? 4 : 1).text === '(';
}

/**
 * Reads the arguments of the call named by the last token, and returns the meaning of the call.
 * Throws `ReadingFailure`.
 */
export function readCCall(scope: CScope, tokens: Tokens): CallMeaning {
  const first = tokens.previous();
  const variant = tokens.accept('{') && tokens.next();
  if (variant) tokens.expect('}');
  const name = variant ? { ...first, text: `${first.text}{${variant.text}}` } : first;
  const args: CallArgument[] = [];
  tokens.expect('(');
  if (!tokens.accept(')')) {
    do args.push(readArgument(scope, tokens));
    while (tokens.accept(','));
    tokens.expect(')');
  }
  const meaning = callOf(name, args, (term) => isPointer(scope, term));
  const { c11 } = scope.reading;
  if (meaning.isOfKernel) c11.outside ??= { span: name.span, reason: 'kernel' };
  return meaning;
}

function isPointer({ parameters, locals }: CScope, term: CTerm): boolean {
  return term.kind === 'name' && parameters.includes(term.name) && !locals.has(term.name);
}

function readArgument(scope: CScope, tokens: Tokens): CallArgument {
  const first = tokens.peek();
  const local = tokens.peek(1);
  if (first.text === '&' && scope.locals.has(local.text)) {
    tokens.next();
    const { text: name, span } = tokens.next();
    const term: CTerm = { kind: 'name', name, span };
    return { term, place: { kind: 'local', name, span } };
  }
  return { term: readCTerm(scope, tokens) };
}
