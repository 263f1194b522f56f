import {
  type Diagnostic,
  duplicateName,
  emptyInput,
  notSupported,
  syntaxError,
  unknownName,
} from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { LineCounter } from '@fencewright/ground/source/line-index.js';
import { patternOf, Tokens } from '@fencewright/ground/source/tokens.js';
import {
  largestCount,
  type Marking,
  markingOf,
  omega,
  TooManyTokens,
} from '@fencewright/ground/petri/marking.js';
import { bytesOfNet, type Net, type NetRule } from '@fencewright/ground/petri/net.js';

/**
 * The result of reading a net, also for bad input. `net` is present iff no diagnostic is an error.
 */
export interface NetResult {
  readonly net?: Net;
  readonly diagnostics: readonly Diagnostic[];
}

const words = patternOf({
  name: /[A-Za-z_][A-Za-z0-9_.]*/,
  number: /[0-9]+/,
  symbol: /->|>=|<=|./,
  blanks: /#[^\n]*|\s+/,
});
const sections: ReadonlySet<string> = new Set(['vars', 'rules', 'init', 'target', 'invariants']);

/**
 * Called with the estimated number of bytes of the part just read; exceptions thrown by the
 * callback end the reading.
 */
export type NoteBytes = (bytes: number) => void;

/** A syntax error: the end of the text, or an unexpected token. Caught where reading can resume. */
class Unexpected extends Error {}

/** A condition on the initial value of a variable: `id >= n`, `id = n`, `id in [m, n]`. */
interface Constraint {
  readonly place: number;
  readonly low: number;
  /** The upper bound of the variable's initial value; absent if there is none. */
  readonly high?: number;
  readonly span: Span;
}

function tooManyTokens(span: Span): Diagnostic {
  const message = 'tokens are counted up to 2^53 - 1 only';
  return notSupported(span, message, `use numbers up to ${largestCount}`);
}

class MistReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #tokens: Tokens;
  readonly #note: NoteBytes;
  readonly #places = new Map<string, number>();
  readonly #spans = new Map<string, Span>();

  constructor(text: string, note: NoteBytes) {
    this.#tokens = new Tokens(text, { start: 0, end: text.length }, new LineCounter(text), words);
    this.#note = note;
  }

  /** Whether all tokens of the text are read. */
  get isAtEnd(): boolean {
    return this.#tokens.isAtEnd;
  }

  #advance(): void {
    this.#tokens.next();
  }

  #peek(): string {
    return this.#tokens.peek().text;
  }

  /** Whether the next token is a name that the net can use for a variable. */
  #isName(): boolean {
    const { kind, text } = this.#tokens.peek();
    return kind === 'name' && !sections.has(text);
  }

  /** The place of the next token; at the end, of the last token. */
  #span(): Span {
    return (this.isAtEnd ? this.#tokens.previous() : this.#tokens.peek()).span;
  }

  #fail(expected: string): never {
    const found = this.isAtEnd ? 'the end of the file' : `'${this.#peek()}'`;
    this.diagnostics.push(syntaxError(this.#span(), `expected ${expected} but found ${found}`));
    throw new Unexpected();
  }

  #accept(text: string): boolean {
    return this.#tokens.accept(text) !== undefined;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) this.#fail(`'${text}'`);
  }

  #number(): number {
    const { kind, text } = this.#tokens.peek();
    if (kind !== 'number') this.#fail('a number');
    const value = Number(text);
    if (value > largestCount) this.diagnostics.push(tooManyTokens(this.#span()));
    this.#advance();
    return Math.min(value, largestCount);
  }

  #place(): number {
    if (!this.#isName()) this.#fail('a variable');
    const name = this.#peek();
    const place = this.#places.get(name);
    if (place === undefined)
      this.diagnostics.push(unknownName(this.#span(), 'variable', name, this.#places.keys()));
    this.#advance();
    return place ?? 0;
  }

  /**
   * Calls `read` to read one item; after a syntax error, skips to after the next `;` or to the next
   * section, and returns `undefined`.
   */
  #recover<T>(read: () => T): T | undefined {
    const start = this.#span();
    try {
      return read();
    } catch (error) {
      if (error instanceof TooManyTokens) this.diagnostics.push(tooManyTokens(start));
      else if (!(error instanceof Unexpected)) throw error;
      while (!this.isAtEnd && !sections.has(this.#peek()) && !this.#accept(';')) this.#advance();
      return undefined;
    }
  }

  read(): Net | undefined {
    const net = this.#recover(() => {
      this.#expect('vars');
      this.#readVariables();
      this.#expect('rules');
      const rules: NetRule[] = [];
      while (!this.isAtEnd && this.#peek() !== 'init') {
        const rule = this.#recover(() => this.#readRule(rules.length));
        if (rule) rules.push(rule);
        this.#note(bytesOfNet.rule);
        if (sections.has(this.#peek())) break;
      }
      this.#expect('init');
      const { initial, least } = this.#readInitial();
      this.#expect('target');
      const targets = this.#readTargets();
      const claims = this.#accept('invariants') ? this.#readClaims() : [];
      if (!this.isAtEnd) this.#fail('the end of the file');
      return {
        name: 'net',
        places: [...this.#places.keys()],
        controls: ['net'],
        rules,
        initial: { control: 0, marking: initial },
        least,
        targets: targets.map((marking) => ({ control: 0, marking })),
        claims,
      };
    });
    return this.diagnostics.length === 0 ? net : undefined;
  }

  #readVariables(): void {
    while (this.#isName()) {
      const name = this.#peek();
      const span = this.#span();
      const first = this.#spans.get(name);
      if (first) this.diagnostics.push(duplicateName(span, 'variable', name, first));
      else {
        this.#spans.set(name, span);
        this.#places.set(name, this.#places.size);
        // The memory of the name and of the span where the name is declared.
        this.#note(bytesOfNet.name + 200);
      }
      this.#advance();
      this.#accept(',');
    }
  }

  #readRule(id: number): NetRule {
    const needs = new Map<number, number>();
    if (!this.#accept('true'))
      do {
        const { place, low, high, span } = this.#readConstraint();
        if (high !== undefined)
          this.diagnostics.push(
            notSupported(span, 'the guard of a rule is a lower bound', 'write x >= n'),
          );
        needs.set(place, Math.max(low, needs.get(place) ?? 0));
      } while (this.#accept(','));
    this.#expect('->');
    const changes = new Map<number, number>();
    if (this.#peek() !== ';')
      do this.#readUpdate(needs, changes);
      while (this.#accept(','));
    this.#expect(';');
    const post = new Map(needs);
    for (const [place, change] of changes) post.set(place, (post.get(place) ?? 0) + change);
    return { id, from: 0, to: 0, pre: markingOf(needs), post: markingOf(post) };
  }

  #readUpdate(needs: ReadonlyMap<number, number>, changes: Map<number, number>): void {
    const span = this.#span();
    const place = this.#place();
    this.#expect("'");
    this.#expect('=');
    const isOwn = this.#places.get(this.#peek()) === place;
    if (!isOwn) {
      const hint = "write x' = x + n or x' = x - n; resets and transfers are not supported";
      this.diagnostics.push(notSupported(this.#span(), 'this is not a step of a Petri net', hint));
      throw new Unexpected();
    }
    this.#advance();
    const sign = this.#accept('+') ? 1 : this.#accept('-') ? -1 : 0;
    const change = sign === 0 ? 0 : sign * this.#number();
    if (-change > (needs.get(place) ?? 0)) {
      const message = 'this step takes more tokens than its guard requires';
      this.diagnostics.push(syntaxError(span, message, `guard the step with >= ${-change}`));
    }
    if (changes.has(place))
      this.diagnostics.push(syntaxError(span, 'this variable changes twice in one step'));
    changes.set(place, change);
  }

  #readConstraint(): Constraint {
    const span = this.#span();
    const place = this.#place();
    if (this.#accept('>=')) return { place, low: this.#number(), span };
    if (this.#accept('=')) {
      const value = this.#number();
      return { place, low: value, high: value, span };
    }
    if (!this.#accept('in')) this.#fail("'>=' or '='");
    this.#expect('[');
    const low = this.#number();
    this.#expect(',');
    const high = this.#number();
    this.#expect(']');
    return { place, low, high, span };
  }

  /**
   * Reads the initial values. Variables not mentioned may have any value; variables mentioned twice
   * must meet both constraints. An interval is represented by its upper end.
   */
  #readInitial(): { readonly initial: Marking; readonly least: Marking } {
    const bounds = new Map<number, readonly [least: number, most: number]>(
      [...this.#places.values()].map((place) => [place, [0, omega]]),
    );
    do {
      const { place, low, high = omega, span } = this.#readConstraint();
      const [least, most] = bounds.get(place) ?? [0, omega];
      const both = [Math.max(low, least), Math.min(high, most)] as const;
      if (both[0] > both[1])
        this.diagnostics.push(syntaxError(span, 'no number of tokens is within these bounds'));
      bounds.set(place, both);
    } while (this.#accept(','));
    const entries = [...bounds];
    return {
      initial: markingOf(entries.map(([place, [, most]]) => [place, most])),
      least: markingOf(
        entries.flatMap(([place, [least, most]]) => (most === omega ? [[place, least]] : [])),
      ),
    };
  }

  #readTargets(): readonly Marking[] {
    const targets: Marking[] = [];
    while (!this.isAtEnd && this.#peek() !== 'invariants') {
      const needs = new Map<number, number>();
      do {
        const { place, low, high, span } = this.#readConstraint();
        if (high !== undefined)
          this.diagnostics.push(
            notSupported(span, 'a target asks for a number of tokens or more', 'write x >= n'),
          );
        needs.set(place, Math.max(low, needs.get(place) ?? 0));
      } while (this.#accept(','));
      targets.push(markingOf(needs));
    }
    return targets;
  }

  #readClaims(): readonly Marking[] {
    const claims: Marking[] = [];
    while (!this.isAtEnd) {
      const weights: [number, number][] = [];
      do {
        const place = this.#place();
        this.#expect('=');
        weights.push([place, this.#number()]);
      } while (this.#accept(','));
      claims.push(markingOf(weights));
    }
    return claims;
  }
}

/** Reads a Petri net in the format of mist (`.spec`). */
export function readMist(text: string, note: NoteBytes = () => undefined): NetResult {
  const reader = new MistReader(text, note);
  if (reader.isAtEnd)
    return { diagnostics: [emptyInput('a net has vars, rules, init and target')] };
  const net = reader.read();
  return { ...(net && { net }), diagnostics: reader.diagnostics };
}
