import { quote } from './quote.js';
import { type Span, spanBetween } from './span.js';

/** A range of a text, as zero-based offsets; `end` is not in the range. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface Token {
  readonly kind: 'name' | 'number' | 'symbol' | 'string' | 'end';
  readonly text: string;
  readonly span: Span;
  /** The offset of the token in the file, zero-based. */
  readonly at: number;
}

/**
 * An error in the input that ends the reading of one part of a file; thrown and caught within the
 * code that reads the language.
 */
export class ReadingFailure extends Error {
  override readonly name = 'ReadingFailure';
  constructor(
    readonly span: Span,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

const numbers = /0[xX][0-9a-fA-F]+[uUlL]*|[0-9]+[uUlL]*/;
const strings = /"(?:[^"\\\n]|\\.)*"/;
const symbols = /\/\\|\\\/|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|:=|<<|>>|[^\s]/;
const kinds = ['name', 'number', 'string', 'symbol'] as const;

/** Regular expressions for the tokens of a language. Anything else separates tokens. */
export interface TokenPattern {
  /**
   * Matches one token; the regular expression has one group for each kind of token, in the order of
   * `kinds`.
   */
  readonly token: RegExp;
  /** Matches the text before a token; must not match the empty text. */
  readonly blanks: RegExp;
}

/**
 * Regular expressions for the kinds of tokens of a language; a kind without expression does not
 * exist. If two expressions match, the first wins.
 */
interface Words extends Partial<Record<(typeof kinds)[number], RegExp>> {
  /** Matches the text that separates tokens; white space if absent. */
  readonly blanks?: RegExp;
}

/**
 * Returns the token pattern of a language, made of expressions for its kinds of tokens. The
 * expressions must not contain groups.
 */
export function patternOf(words: Words): TokenPattern {
  const groups = kinds.map((kind) => `(${words[kind]?.source ?? '(?!)'})`);
  const blanks = words.blanks ?? /\s+/;
  return {
    token: new RegExp(groups.join('|'), 'yu'),
    blanks: new RegExp(blanks.source, 'yu'),
  };
}

/**
 * The tokens of a language whose names match `names`; numbers, strings and operators are as in C,
 * plus `/\\`, `\\/`, `:=`.
 */
export function tokenPattern(names: RegExp): TokenPattern {
  return patternOf({ name: names, number: numbers, string: strings, symbol: symbols });
}

/** The token pattern of a language with names as in C. */
export const plainTokens = tokenPattern(/[A-Za-z_]\w*/);

/** Converts offsets of a text into places. A `LineIndex` accepts offsets in any order. */
interface SpanLookup {
  spanOf(start: number, end: number): Span;
}

/** The maximum nesting depth of parentheses and blocks in a text that is read. */
const deepest = 200;
/** The maximum number of consecutive operators in a text that is read. */
const longest = 1000;

/** The tokens of a range of a text, found one by one on demand. */
export class Tokens {
  readonly #text: string;
  readonly #places: SpanLookup;
  readonly #pattern: TokenPattern;
  /** The offset up to which the text has been split into tokens. */
  #at: number;
  /**
   * The tokens that have been read ahead: they follow the current position, and have not been
   * taken.
   */
  readonly #ahead: Token[] = [];
  #previous: Token | undefined;
  #depth = 0;

  constructor(text: string, { start, end }: TextRange, places: SpanLookup, pattern: TokenPattern) {
    this.#text = end < text.length ? text.slice(0, end) : text;
    this.#at = start;
    this.#places = places;
    this.#pattern = pattern;
  }

  peek(ahead = 0): Token {
    for (;;) {
      const token = this.#ahead[ahead];
      if (token) return token;
      const last = this.#ahead.at(-1);
      if (last?.kind === 'end') return last;
      this.#ahead.push(this.#scan());
    }
  }

  next(): Token {
    const token = this.peek();
    if (token.kind === 'end') return token;
    this.#previous = token;
    this.#ahead.shift();
    return token;
  }

  /** Returns the next token without taking it; `undefined` at the end. */
  peekIfAny(): Token | undefined {
    return this.isAtEnd ? undefined : this.peek();
  }

  /** Takes and returns the next token; `undefined` at the end. */
  nextIfAny(): Token | undefined {
    return this.isAtEnd ? undefined : this.next();
  }

  /** Returns the last token taken, or the next token if none was taken. */
  previous(): Token {
    return this.#previous ?? this.peek();
  }

  get isAtEnd(): boolean {
    return this.peek().kind === 'end';
  }

  isNext(...texts: readonly string[]): boolean {
    const { kind, text } = this.peek();
    return kind !== 'string' && texts.includes(text) && text !== '';
  }

  /**
   * Takes and returns the next token if its text is one of `texts`; otherwise returns `undefined`.
   */
  accept(...texts: readonly string[]): Token | undefined {
    return this.isNext(...texts) ? this.next() : undefined;
  }

  /** Takes the next token, which must have the given text; throws `ReadingFailure` otherwise. */
  expect(text: string, hint?: string): Token {
    return this.accept(text) ?? this.fail(`'${text}' is missing here`, hint);
  }

  /** Takes the next token, which must be a name; throws `ReadingFailure` otherwise. */
  expectName(what: string, hint?: string): Token {
    if (this.peek().kind === 'name') return this.next();
    return this.fail(`${what} is missing here`, hint);
  }

  /** Throws a `ReadingFailure` at the next token. */
  fail(message: string, hint?: string): never {
    const { span, kind, text } = this.peek();
    throw new ReadingFailure(span, kind === 'end' ? message : `${message}: ${quote(text)}`, hint);
  }

  /**
   * Returns the result of `read`; throws a `ReadingFailure` if calls of `nest` are nested too
   * deeply, so that no text can exhaust the stack.
   */
  nest<T>(read: () => T): T {
    if (this.#depth >= deepest) this.fail('this is nested too deeply');
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  /**
   * Throws a `ReadingFailure` if one expression has too many operators, so that no text can exhaust
   * the stack.
   */
  limit(operators: number): void {
    if (operators > longest) this.fail('this expression is too long');
  }

  spanFrom(first: Token): Span {
    return spanBetween(first.span, this.previous().span);
  }

  #scan(): Token {
    const { token, blanks } = this.#pattern;
    let at = this.#at;
    for (blanks.lastIndex = at; blanks.test(this.#text);) at = blanks.lastIndex;
    token.lastIndex = at;
    const match = token.exec(this.#text);
    if (!match) return { kind: 'end', text: '', span: this.#places.spanOf(at, at), at };
    const text = match[0];
    // Exactly one group has matched. Trying the groups in order is far faster than accessing groups
    // by name.
    let group = 1;
    while (group < kinds.length && match[group] === undefined) group += 1;
    const kind = kinds[group - 1]!;
    this.#at = at + text.length;
    return { kind, text, span: this.#places.spanOf(at, this.#at), at };
  }
}

/** Returns the `ReadingFailure` to throw at `token`, with a message. */
export function readingFailureOf(token: Token, message: string, hint?: string): ReadingFailure {
  return new ReadingFailure(token.span, `${message}: ${quote(token.text)}`, hint);
}
