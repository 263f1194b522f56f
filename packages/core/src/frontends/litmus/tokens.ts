import type { LineIndex } from '../../source/line-index.js';
import { quote } from '../../source/quote.js';
import type { Span } from '../../source/span.js';
import type { TextRange } from './sections.js';

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

/** In assembler text a name may hold dots and primes, and start with the percent sign of a register. */
const names = { assembler: "[A-Za-z_.%][\\w.']*", c: '[A-Za-z_]\\w*' } as const;
const others =
  /(?<number>0[xX][0-9a-fA-F]+[uUlL]*|[0-9]+[uUlL]*)|(?<string>"(?:[^"\\\n]|\\.)*")|(?<symbol>\/\\|\\\/|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|>>|[^\s])/;
const patternOf = (style: TokenStyle): RegExp =>
  new RegExp(`(?<name>${names[style]})|${others.source}`, 'gy');
const blanks = /\s*/gy;

export type TokenStyle = keyof typeof names;

/** The tokens of a range of a text. */
export class Tokens {
  readonly #tokens: Token[] = [];
  #next = 0;

  constructor(
    text: string,
    { start, end }: TextRange,
    index: LineIndex,
    style: TokenStyle = 'assembler',
  ) {
    const pattern = patternOf(style);
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

  spanFrom(first: Token): Span {
    return { start: first.span.start, end: this.previous().span.end };
  }
}
