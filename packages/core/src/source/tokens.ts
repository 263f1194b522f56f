import type { LineIndex } from './line-index.js';
import { quote } from './quote.js';
import type { Span } from './span.js';

/** A half-open range of a text, as zero-based offsets. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface Token {
  readonly kind: 'name' | 'number' | 'symbol' | 'string' | 'end';
  readonly text: string;
  readonly span: Span;
  /** Zero-based offset in the file. */
  readonly at: number;
}

/** What ends the reading of one thing: a message about the input, thrown and caught within the front end. */
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

const others =
  /(?<number>0[xX][0-9a-fA-F]+[uUlL]*|[0-9]+[uUlL]*)|(?<string>"(?:[^"\\\n]|\\.)*")|(?<symbol>\/\\|\\\/|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|:=|<<|>>|[^\s])/;
/** The tokens of a language whose names match `names`; numbers, strings and operators are those of C, and `/\\`, `\\/`, `:=`. */
export function tokenPattern(names: RegExp): RegExp {
  return new RegExp(`(?<name>${names.source})|${others.source}`, 'gy');
}

/** Names as in C. */
export const plainTokens = tokenPattern(/[A-Za-z_]\w*/);
const blanks = /\s*/gy;

/** How deeply parentheses and blocks may be nested. */
const deepest = 200;
/** How many operators may stand in a row. */
const longest = 1000;

/** The tokens of a range of a text. */
export class Tokens {
  readonly #tokens: Token[] = [];
  #next = 0;
  #depth = 0;

  constructor(text: string, { start, end }: TextRange, index: LineIndex, pattern: RegExp) {
    const part = text.slice(0, end);
    for (let at = start; ;) {
      blanks.lastIndex = at;
      at += blanks.exec(part)?.[0].length ?? 0;
      pattern.lastIndex = at;
      const match = at < end ? pattern.exec(part) : null;
      if (!match) {
        this.#tokens.push({ kind: 'end', text: '', span: index.spanOf(at, at), at });
        return;
      }
      const [word] = match;
      const kind = (['name', 'number', 'string'] as const).find((group) => match.groups?.[group]);
      this.#tokens.push({
        kind: kind ?? 'symbol',
        text: word,
        span: index.spanOf(at, at + word.length),
        at,
      });
      at += word.length;
    }
  }

  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)]!;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.#next += 1;
    return token;
  }

  /** The token before the next one. */
  previous(): Token {
    return this.#tokens[Math.max(0, this.#next - 1)]!;
  }

  get isAtEnd(): boolean {
    return this.peek().kind === 'end';
  }

  isNext(...texts: readonly string[]): boolean {
    const { kind, text } = this.peek();
    return kind !== 'string' && texts.includes(text) && text !== '';
  }

  /** Takes the next token if it reads so. */
  accept(...texts: readonly string[]): Token | undefined {
    return this.isNext(...texts) ? this.next() : undefined;
  }

  /** Takes a token that has to read so. Throws `ReadingFailure`. */
  expect(text: string, hint?: string): Token {
    return this.accept(text) ?? this.fail(`'${text}' is missing here`, hint);
  }

  /** Takes a name. Throws `ReadingFailure`. */
  expectName(what: string, hint?: string): Token {
    if (this.peek().kind === 'name') return this.next();
    return this.fail(`${what} is missing here`, hint);
  }

  /** Says what is wrong with the next token. */
  fail(message: string, hint?: string): never {
    const { span, kind, text } = this.peek();
    throw new ReadingFailure(span, kind === 'end' ? message : `${message}: ${quote(text)}`, hint);
  }

  /** What `read` gives; fails where such calls are nested too deeply, so that no text can exhaust the stack. */
  nest<T>(read: () => T): T {
    if (this.#depth >= deepest) this.fail('this is nested too deeply');
    this.#depth += 1;
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  /** Fails behind so many operators of one expression, for the same reason. */
  limit(operators: number): void {
    if (operators > longest) this.fail('this expression is too long');
  }

  spanFrom(first: Token): Span {
    return { start: first.span.start, end: this.previous().span.end };
  }
}

/** The failure to read on at `token`. */
export function readingFailureOf(token: Token, message: string, hint?: string): ReadingFailure {
  return new ReadingFailure(token.span, `${message}: ${quote(token.text)}`, hint);
}
