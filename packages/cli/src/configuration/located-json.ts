import { type Diagnostic, type Span, LineIndex, syntaxError } from '@fencewright/core';

/** A value in a JSON text, with the positions of the value and its parts. */
export type LocatedJson = { readonly span: Span } & (
  | { readonly kind: 'object'; readonly members: readonly LocatedMember[] }
  | { readonly kind: 'array'; readonly items: readonly LocatedJson[] }
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null }
);

export interface LocatedMember {
  readonly key: string;
  readonly keySpan: Span;
  readonly value: LocatedJson;
}

/** The maximum depth of nested values, larger than in any sensible configuration. */
const deepest = 32;

/** Matches a token of JSON: a string, a number, a word or a punctuation character (RFC 8259). */
const token =
  /[\t\n\r ]*(?:("(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.])|([{}[\],:]))/y;

class RefusedJson extends Error {
  constructor(readonly diagnostic: Diagnostic) {
    super();
  }
}

interface JsonToken {
  /** The punctuation character, `value`, `end` at the end of the text, or else `garbage`. */
  readonly kind: string;
  readonly text: string;
  readonly span: Span;
}

class JsonReader {
  readonly #text: string;
  readonly #lines: LineIndex;
  /** The offset in the text of the end of the token read last. */
  #end = 0;
  #next: JsonToken;

  constructor(text: string) {
    this.#text = text;
    this.#lines = new LineIndex(text);
    this.#next = this.#read(0);
  }

  #read(from: number): JsonToken {
    token.lastIndex = from;
    const match = token.exec(this.#text);
    if (match) {
      const text = match[1] ?? match[2]!;
      const end = token.lastIndex;
      this.#end = end;
      return {
        kind: match[1] === undefined ? text : 'value',
        text,
        span: this.#lines.spanOf(end - text.length, end),
      };
    }
    const blanks = /[\t\n\r ]*/y;
    blanks.lastIndex = from;
    const start = from + (blanks.exec(this.#text)?.[0].length ?? 0);
    const [text = ''] = /^(?:[\w.+-]+|.?)/su.exec(this.#text.slice(start, start + 40)) ?? [];
    const span = this.#lines.spanOf(start, start + text.length);
    return { kind: text === '' ? 'end' : 'garbage', text, span };
  }

  #take(): JsonToken {
    const taken = this.#next;
    if (taken.kind !== 'end' && taken.kind !== 'garbage') this.#next = this.#read(this.#end);
    return taken;
  }

  #expected(what: string): RefusedJson {
    const { kind, text, span } = this.#next;
    const found = kind === 'end' ? 'the end of the file' : `'${text}'`;
    return new RefusedJson(syntaxError(span, `expected ${what}, found ${found}`));
  }

  #demand(kind: string): JsonToken {
    if (this.#next.kind !== kind) throw this.#expected(`'${kind}'`);
    return this.#take();
  }

  /**
   * Reads a list of items separated by commas. The opening bracket is the next token; `close` is
   * the closing bracket.
   */
  #list<T>(close: string, item: () => T): { readonly items: readonly T[]; readonly span: Span } {
    const { span: first } = this.#take();
    const items: T[] = [];
    while (this.#next.kind !== close) {
      if (items.length > 0) this.#demand(',');
      items.push(item());
    }
    const { span: last } = this.#take();
    return { items, span: { start: first.start, end: last.end } };
  }

  #member(depth: number): LocatedMember {
    if (this.#next.kind !== 'value' || !this.#next.text.startsWith('"'))
      throw this.#expected('a key between quotation marks');
    const { text, span: keySpan } = this.#take();
    this.#demand(':');
    return { key: JSON.parse(text) as string, keySpan, value: this.#value(depth) };
  }

  #value(depth: number): LocatedJson {
    const { kind, text, span } = this.#next;
    if (depth > deepest) throw new RefusedJson(syntaxError(span, 'this is nested too deeply'));
    switch (kind) {
      case '{': {
        const { items: members, span } = this.#list('}', () => this.#member(depth + 1));
        return { kind: 'object', members, span };
      }
      case '[': {
        const { items, span } = this.#list(']', () => this.#value(depth + 1));
        return { kind: 'array', items, span };
      }
      case 'value':
        this.#take();
        return {
          kind: 'scalar',
          value: JSON.parse(text) as string | number | boolean | null,
          span,
        };
      default:
        throw this.#expected('a value');
    }
  }

  document(): LocatedJson {
    const value = this.#value(0);
    if (this.#next.kind !== 'end') throw this.#expected('the end of the file');
    return value;
  }
}

/** Parses a JSON text, or returns the first error. */
export function parseLocatedJson(
  text: string,
): { readonly value: LocatedJson } | { readonly error: Diagnostic } {
  try {
    return { value: new JsonReader(text).document() };
  } catch (error) {
    if (error instanceof RefusedJson) return { error: error.diagnostic };
    throw error;
  }
}

/** Returns a JSON value without the positions. If a key is repeated, the last value counts. */
export function plainJson(located: LocatedJson): unknown {
  switch (located.kind) {
    case 'object':
      return Object.fromEntries(located.members.map(({ key, value }) => [key, plainJson(value)]));
    case 'array':
      return located.items.map(plainJson);
    case 'scalar':
      return located.value;
  }
}
