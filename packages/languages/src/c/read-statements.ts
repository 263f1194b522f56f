import type { BareBody, FencePoint } from './fence-point.js';
import type { FollowedToken } from './follow-branches.js';
import { partnersOf } from './partners.js';
import { findOperands } from './find-operands.js';

/** Words that begin a statement, and are never part of an expression. */
const statementWords = new Set([
  ...['if', 'else', 'while', 'for', 'do', 'switch', 'case', 'default'],
  ...['return', 'break', 'continue', 'goto', 'try', 'catch'],
]);

/** Words that, before a parenthesis, are part of a declaration and no call. */
const specifiers = new Set([
  ...['__attribute__', '__declspec', '_Alignas', 'alignas', '_Atomic', 'typeof', '__typeof__'],
  ...['__typeof', 'typeof_unqual', 'decltype', '_BitInt', 'sizeof', '_Alignof', 'alignof'],
  ...['static_assert', '_Static_assert', 'asm', '__asm', '__asm__', '_Pragma', 'return'],
]);

/** Whether a token is a label of CBMC's dialect in front of a statement that is a thread. */
function startsThread({ text }: FollowedToken): boolean {
  return text.startsWith('__CPROVER_ASYNC_');
}

/** The maximum nesting depth of statements that are read. */
const deepest = 200;

/** Thrown for code that the reader does not understand, and caught in this file. */
class Unreadable extends Error {}

/** Properties of a statement that depend on the statement around it. */
interface Around {
  /**
   * Present if no fence can be inserted before the statement, because it is a body without braces.
   */
  readonly isFixed?: true;
  /**
   * Present if a fence can be inserted at the end of the statement: the body of a loop or function.
   */
  readonly hasEnd?: true;
}

/** Reads the body of one function: `tokens` are its braces and everything in between. */
export class StatementReader {
  readonly #tokens: readonly FollowedToken[];
  readonly #partner: ReadonlyMap<number, number>;
  readonly #points: FencePoint[] = [];
  #depth = 0;
  /** The number of statements read so far whose end is unknown. */
  #unsure = 0;

  constructor(tokens: readonly FollowedToken[]) {
    this.#tokens = tokens;
    this.#partner = partnersOf(tokens);
  }

  /**
   * Returns the places for fences in the function; empty if some code is not understood. `isValue`:
   * the last statement is the value of an expression, and so nothing may follow it.
   */
  read(isValue = false): readonly FencePoint[] {
    try {
      this.#block(0, isValue ? {} : { hasEnd: true });
      return this.#points;
    } catch (error) {
      if (error instanceof Unreadable) return [];
      throw error;
    }
  }

  #text(index: number): string | undefined {
    const token = this.#tokens[index];
    return token?.kind === 'symbol' || token?.kind === 'word' ? token.text : undefined;
  }

  #isWord(index: number): boolean {
    return this.#tokens[index]?.kind === 'word';
  }

  #at(index: number): FollowedToken {
    const token = this.#tokens[index];
    if (!token) throw new Unreadable();
    return token;
  }

  /**
   * Returns the index of the bracket that closes the bracket at `index`; throws `Unreadable` unless
   * this is a `bracket`.
   */
  #closing(index: number, bracket: string): number {
    const end = this.#partner.get(index);
    if (this.#text(index) !== bracket || end === undefined) throw new Unreadable();
    return end;
  }

  /**
   * Reads a block from its brace; returns the index after the block, as all reading methods do.
   */
  #block(open: number, { hasEnd }: Pick<Around, 'hasEnd'>): number {
    const close = this.#closing(open, '{');
    this.#depth += 1;
    if (this.#depth > deepest) throw new Unreadable();
    const unsure = this.#unsure;
    let last: number | undefined;
    for (let i = open + 1; i < close;) {
      last = this.#at(i).start;
      i = this.#statement(i, close, {});
    }
    this.#depth -= 1;
    // A brace is an end for sure.
    this.#unsure = unsure;
    const at = this.#at(close).start;
    if (hasEnd) this.#points.push({ kind: 'end', at, ...(last !== undefined && { last }) });
    return close + 1;
  }

  /** Skips labels such as `case 1:`, `default:` and `again:`; returns the next index. */
  #labels(start: number, end: number): number {
    let i = start;
    for (;;) {
      const text = this.#text(i);
      if (text === 'case') i = this.#caseColon(i + 1, end) + 1;
      else if (this.#isWord(i) && this.#text(i + 1) === ':') i += 2;
      else return i;
    }
  }

  #caseColon(start: number, end: number): number {
    let choices = 0;
    for (let i = start; i < end; i++) {
      const text = this.#text(i);
      if (text === '(' || text === '[' || text === '{') i = this.#closing(i, text);
      else if (text === '?') choices += 1;
      else if (text === ':' && choices-- === 0) return i;
      else if (text === ';') break;
    }
    throw new Unreadable();
  }

  /** Reads a statement that ends before the token `end` at the latest; returns the next index. */
  #statement(start: number, end: number, around: Around): number {
    this.#depth += 1;
    if (this.#depth > deepest) throw new Unreadable();
    const behind = this.#labels(start, end);
    if (behind >= end) {
      this.#depth -= 1;
      return behind;
    }
    const reserved = this.#points.length;
    const next = this.#unlabelled(this.#skipAttributes(behind), end, around);
    // CBMC's label makes the statement behind it a thread: a fence has its place before the label.
    const label = this.#tokens.slice(start, behind).findIndex(startsThread);
    const first = label < 0 ? behind : start + label;
    if (this.#endsUnsure(behind, next)) this.#unsure += 1;
    if (!around.isFixed) this.#addBefore(first, next, reserved);
    this.#depth -= 1;
    return next;
  }

  #skipAttributes(start: number): number {
    let i = start;
    while (this.#text(i) === '[' && this.#text(i + 1) === '[') i = this.#closing(i, '[') + 1;
    return i;
  }

  /**
   * Adds the place before a statement to the list of places for fences, at `index` of the list:
   * before the places within the statement.
   */
  #addBefore(first: number, next: number, index: number, body?: BareBody): void {
    const token = this.#at(first);
    if (token.isAfterPragma) return;
    const statement = { start: token.start, end: this.#at(next - 1).end };
    const isEmpty = this.#text(first) === ';';
    const point: FencePoint = { kind: 'before', statement, isEmpty, ...(body && { body }) };
    this.#points.splice(index, 0, point);
  }

  #unlabelled(i: number, end: number, around: Around): number {
    switch (this.#text(i)) {
      case '{':
        return this.#block(i, around);
      case 'if': {
        const open = this.#text(i + 1) === '(' ? i + 1 : i + 2;
        const then = this.#body(i, this.#condition(open), end, {});
        return this.#text(then) === 'else' && then < end
          ? this.#body(then, then + 1, end, {})
          : then;
      }
      case 'while':
        return this.#body(i, this.#condition(i + 1), end, { hasEnd: true });
      case 'switch':
        return this.#body(i, this.#condition(i + 1), end, {});
      case 'for':
        return this.#body(i, this.#forHead(i + 1), end, { hasEnd: true });
      case 'do': {
        const behind = this.#body(i, i + 1, end, { hasEnd: true });
        if (this.#text(behind) !== 'while') throw new Unreadable();
        const semicolon = this.#condition(behind + 1);
        return this.#text(semicolon) === ';' ? semicolon + 1 : semicolon;
      }
      case 'try': {
        let next = this.#block(i + 1, {});
        while (this.#text(next) === 'catch')
          next = this.#block(this.#closing(next + 1, '(') + 1, {});
        return next;
      }
      case 'else':
      case 'catch':
        throw new Unreadable();
      default:
        return this.#macroHead(i, end) ?? this.#simple(i, end);
    }
  }

  /**
   * Reads a condition in parentheses, and adds the places before the condition and before its
   * conditionally evaluated operands; returns the next index.
   */
  #condition(open: number): number {
    const close = this.#closing(open, '(');
    let from = open + 1;
    for (let i = from; i < close; i++)
      if (this.#text(i) === ';') from = i + 1;
      else if (this.#text(i) === '(') i = this.#closing(i, '(');
    this.#inner(open + 1, close);
    this.#operand(from, close);
    this.#points.push(...this.#operandsIn(from, close));
    return close + 1;
  }

  #forHead(open: number): number {
    const close = this.#closing(open, '(');
    this.#inner(open + 1, close);
    const colons: number[] = [];
    for (let i = open + 1; i < close; i++) {
      const text = this.#text(i);
      if (text === ';') colons.push(i);
      else if (text === '(' || text === '{' || text === '[') i = this.#closing(i, text);
    }
    const [first, second] = colons;
    if (first === undefined || second === undefined) return close + 1;
    for (const [from, to] of [
      [first + 1, second],
      [second + 1, close],
    ] as const) {
      this.#operand(from, to);
      this.#points.push(...this.#operandsIn(from, to));
    }
    return close + 1;
  }

  #operand(from: number, to: number): void {
    if (from >= to) return;
    const operand = { start: this.#at(from).start, end: this.#at(to - 1).end };
    this.#points.push({ kind: 'operand', operand });
  }

  #operandsIn(from: number, to: number): readonly FencePoint[] {
    return findOperands(this.#tokens.slice(from, to)).map((operand) => ({
      kind: 'operand',
      operand,
    }));
  }

  /**
   * Notes the places for fences in the body of a loop or branch; returns the index of the token
   * after the body. `head` is the keyword of the loop or branch, `i` the first token of the body;
   * the text to be read ends before `end`. `around` says whether a fence may end the body.
   */
  #body(head: number, i: number, end: number, around: Pick<Around, 'hasEnd'>): number {
    if (this.#text(this.#skipAttributes(i)) === '{')
      return this.#statement(i, end, { ...around, isFixed: true });
    if (i >= end) throw new Unreadable();
    // The end of the body is known after reading; the places in the body then refer to the body.
    const from = this.#points.length;
    const unsure = this.#unsure;
    const next = this.#statement(i, end, { isFixed: true });
    const before = this.#at(i - 1);
    const last = this.#at(next - 1);
    if (this.#unsure > unsure || before.conditionals !== last.conditionals) return next;
    const { start, end: headEnd } = this.#at(head);
    const body: BareBody = {
      head: { start, end: headEnd },
      headEnd: before.end,
      start: this.#at(i).start,
      end: last.end,
    };
    const first = this.#labels(i, next);
    if (first < next) this.#addBefore(first, next, from, body);
    const isEmpty = this.#text(first) === ';';
    if (around.hasEnd && !isEmpty) this.#points.push({ kind: 'after', body });
    return next;
  }

  /**
   * Whether the end of a statement is unknown, since the macros in the statement are not expanded.
   */
  #endsUnsure(start: number, next: number): boolean {
    const last = this.#text(next - 1);
    if (last !== ';' && last !== '}') return true;
    const end = this.#isMacroCall(start);
    return end !== undefined && this.#isWord(end + 1);
  }

  /**
   * Returns the index of the closing parenthesis, if the statement begins with a word and
   * parentheses and is no declaration; `undefined` otherwise.
   */
  #isMacroCall(i: number): number | undefined {
    if (!this.#isWord(i) || this.#text(i + 1) !== '(') return undefined;
    const word = this.#text(i)!;
    return statementWords.has(word) || specifiers.has(word) ? undefined : this.#partner.get(i + 1);
  }

  /**
   * Reads macros that begin a loop, such as `for_each(x) { ... }`, `forever { ... }`, `for_each(x)
   * if ...`; returns the next index, `undefined` for other text.
   */
  #macroHead(i: number, end: number): number | undefined {
    if (this.#isWord(i) && this.#text(i + 1) === '{') {
      const isType = ['struct', 'union', 'enum', 'class'].includes(this.#text(i)!);
      return isType ? undefined : this.#block(i + 1, {});
    }
    const close = this.#isMacroCall(i);
    if (close === undefined) return undefined;
    const next = this.#text(close + 1);
    if (next === '{') {
      this.#inner(i + 2, close);
      return this.#block(close + 1, { hasEnd: true });
    }
    if (close + 1 >= end || next === undefined || !statementWords.has(next)) return undefined;
    this.#inner(i + 2, close);
    return this.#afterMacro(close + 1, end);
  }

  /**
   * Reads a statement after macros: either the body of a macro's loop, or a statement after macros
   * that end by themselves. Returns the next index.
   */
  #afterMacro(i: number, end: number): number {
    this.#unsure += 1;
    if (['else', 'case', 'default', 'catch'].includes(this.#text(i)!)) return i;
    return this.#statement(i, end, { isFixed: true });
  }

  /** Reads a declaration, an expression or a jump up to its semicolon; returns the next index. */
  #simple(start: number, end: number): number {
    let i = start;
    for (; i < end; i++) {
      const text = this.#text(i);
      if (text === ';') break;
      if (i > start && this.#isWord(i) && statementWords.has(text!)) {
        this.#inner(start, i);
        return this.#afterMacro(i, end);
      }
      if (text === '(' || text === '[' || text === '{') i = this.#closing(i, text);
    }
    this.#inner(start, i);
    this.#points.push(...this.#operandsIn(start, i));
    return i < end ? i + 1 : end;
  }

  /** Reads the blocks inside an expression: `({ ... })`, and the bodies of lambdas. */
  #inner(from: number, to: number): void {
    for (let i = from; i < to; i++) {
      if (this.#text(i) !== '{') continue;
      const isValue = this.#text(i - 1) === '(' && this.#text(this.#closing(i, '{') + 1) === ')';
      if (isValue) i = this.#block(i, {}) - 1;
      else if (this.#isLambda(i)) i = this.#block(i, { hasEnd: true }) - 1;
    }
  }

  /** Whether the brace opens the body of a lambda, after `[...]` or `[...](...)`. */
  #isLambda(brace: number): boolean {
    let i = brace - 1;
    while (this.#isWord(i) && ['mutable', 'noexcept', 'constexpr'].includes(this.#text(i)!)) i--;
    if (this.#text(i) === ')') i = (this.#partner.get(i) ?? 0) - 1;
    const open = this.#partner.get(i);
    if (this.#text(i) !== ']' || open === undefined) return false;
    // A subscript stands after a value.
    const before = this.#text(open - 1);
    return before === 'return' || (before !== undefined && /^[^\w$)\]]/.test(before));
  }
}
