import { type Position, type Span, spanAt } from '@fencewright/ground/source/span.js';
import { keywords } from './keywords.js';
import type { NodeBase, Name, Skipped } from './syntax-node.js';
import type { SyntaxProblem } from './syntax-problem.js';
import {
  endOfToken,
  positionBehind,
  startsLine,
  type NativeToken,
  type TokenKind,
  type Trivia,
} from './token.js';

/**
 * The maximum nesting depth of statements and brackets: the parser and all later passes work
 * recursively.
 */
const deepest = 500;

/** Ends the parse of a too deeply nested text. */
export class TooDeep extends Error {
  override readonly name = 'TooDeep';
}

/** The start of a node that is being read. */
export interface NodeStart {
  readonly part: number;
  readonly complaint: number;
  readonly wasDamaged: boolean;
}

type Unparented<N> = Omit<N, Exclude<keyof NodeBase, 'kind'>>;

/** Tokens at which the parser knows its position again after an error. */
const recoveries: ReadonlySet<TokenKind> = new Set(
  '; { } const var domain thread property'.split(' '),
);

const shells: ReadonlySet<string> = new Set(
  'Model Automaton LabelledInstruction ConstDefinition Variable Block'.split(' '),
);

/** Whether a node of this kind that contains an error leaves the surrounding nodes usable. */
export function isShell(kind: string): boolean {
  return shells.has(kind) || /(Statement|Declaration)$/.test(kind);
}

/** Characters of C programs that are no part of this language, with hints. */
const charHabits: ReadonlyMap<string, string> = new Map([
  ['?', "there is no '?:': write if (...) ... else ..."],
  ['#', 'there is no preprocessor: write const N = 3; comments begin with //'],
  ['"', 'there are no strings: all values are numbers'],
  ["'", 'there are no characters: all values are numbers'],
]);

function describeTrivia({ kind, text, offset, start }: Trivia): SyntaxProblem {
  const length = kind === 'open-comment' ? 2 : text.length;
  const span = spanAt(start.line, start.column, length);
  const place = { offset, length, span, previousEnd: offset, behindPrevious: start };
  if (kind === 'open-comment')
    return { ...place, message: 'this comment has no end', hint: "close the comment with '*/'" };
  const shown = length > 20 ? `${text.slice(0, 20)}...` : text;
  const hint = charHabits.get(text.charAt(0));
  return {
    ...place,
    message: `'${shown}' has no meaning here`,
    ...(hint !== undefined && { hint }),
  };
}

/**
 * Reads the tokens of a text in turn, builds nodes of a syntax tree, and notes errors. Its callers
 * decide which tokens to expect and where to continue after an error.
 */
export class TokenReader {
  readonly #tokens: readonly NativeToken[];
  readonly #problems: SyntaxProblem[] = [];
  readonly #complaints: SyntaxProblem[] = [];
  /** The nodes and tokens that were read and belong to no closed node yet. */
  readonly #parts: (NodeBase | NativeToken)[] = [];
  readonly #awaited: TokenKind[] = [];
  #at = 0;
  #depth = 0;
  #isDamaged = false;
  /**
   * Whether the parser does not know its position: no token of `recoveries` followed the last
   * error. Further errors may only be consequences of that error.
   */
  #isLost = false;
  /** The index of the last token before which the trivia were checked for errors. */
  #noticed = -1;

  /** `tokens` are all tokens of a text; the last one is the end of the file. */
  constructor(tokens: readonly NativeToken[]) {
    this.#tokens = tokens;
  }

  /** The errors noted so far, without consequences of earlier errors. */
  get problems(): readonly SyntaxProblem[] {
    return this.#problems;
  }

  /**
   * Whether the parser does not know its position, as no token that shows the position followed the
   * last error.
   */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** The next token. */
  get token(): NativeToken {
    return this.#tokens[this.#at]!;
  }

  /** Returns the token `distance` tokens ahead; the end of the file if there are fewer tokens. */
  ahead(distance: number): NativeToken {
    return this.#tokens[this.#at + distance] ?? this.#tokens.at(-1)!;
  }

  is(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.token.kind);
  }

  /** Whether the token `distance` tokens ahead can be a name. */
  isName(distance = 0): boolean {
    const { kind } = this.ahead(distance);
    return kind === 'NAME' || keywords.get(kind)?.mayBeName === true;
  }

  /** Reads and returns the next token, as part of the current node. */
  advance(): NativeToken {
    const token = this.#take();
    if (recoveries.has(token.kind)) this.recover();
    return token;
  }

  /** Notes that the parser knows its position again after an error. */
  recover(): void {
    this.#isLost = false;
  }

  /** Reads the next token if it is of this kind; returns whether one was read. */
  accept(kind: TokenKind): boolean {
    if (this.token.kind !== kind) return false;
    this.advance();
    return true;
  }

  /**
   * Reads a token of this kind; returns whether one was read. A missing token is an error: a single
   * surplus token is skipped, and otherwise parsing continues as if the token were present.
   */
  expect(kind: TokenKind, expected = `'${kind}'`): boolean {
    if (this.accept(kind)) return true;
    this.report(expected);
    if (this.ahead(1).kind !== kind || this.#isAnchor()) return false;
    this.skip(1);
    this.advance();
    return true;
  }

  /**
   * Reads and returns a name. A missing name is an error and gives an empty name; a keyword or
   * number in its place is skipped.
   */
  name(): Name {
    if (this.isName()) {
      const mark = this.open();
      const text = this.advance().text.replaceAll('′', "'");
      return this.close<Name>(mark, { kind: 'Name', text });
    }
    this.report('a name');
    if (this.is('NUMBER') || this.#isNamedByKeyword()) this.skip(1);
    return this.missingName();
  }

  /** Returns an empty name in place of a missing one. */
  missingName(): Name {
    return this.close<Name>(this.open(), { kind: 'Name', text: '' });
  }

  /** Skips the next `count` tokens. */
  skip(count: number): void {
    if (count === 0) return;
    const mark = this.open();
    for (let left = count; left > 0; left--) this.#take();
    this.close<Skipped>(mark, { kind: 'Skipped' });
    this.#isDamaged = true;
  }

  /** Skips tokens up to the first token for which `isEnd` holds, or to the end of the file. */
  skipUntil(isEnd: () => boolean): void {
    if (this.is('EOF') || isEnd()) return;
    const mark = this.open();
    do this.#take();
    while (!this.is('EOF') && !isEnd());
    this.close<Skipped>(mark, { kind: 'Skipped' });
    this.#isDamaged = true;
  }

  /**
   * Notes the error that `expected` is missing at the next token, unless the error only follows
   * from an earlier one.
   */
  report(expected: string, { damages = true }: { readonly damages?: boolean } = {}): void {
    this.#notice();
    if (damages) this.#isDamaged = true;
    if (!this.#isLost) this.#problems.push({ ...this.#placeOf(this.token), expected });
    this.#isLost = true;
  }

  /**
   * Notes an error with an obvious correction. The error is dropped if the innermost node around it
   * that is a shell (`isShell`) has another error.
   */
  complain(
    place: { readonly start: number; readonly span: Span },
    message: string,
    hint?: string,
  ): void {
    const { start: offset, span } = place;
    this.#complaints.push({
      ...{ offset, length: 1, span, message },
      ...{ previousEnd: offset, behindPrevious: span.start },
      ...(hint !== undefined && { hint }),
    });
  }

  open(): NodeStart {
    const mark = {
      part: this.#parts.length,
      complaint: this.#complaints.length,
      wasDamaged: this.#isDamaged,
    };
    this.#isDamaged = false;
    return mark;
  }

  /** Ends the node that started at `mark`, with everything read since; returns the node. */
  close<N extends NodeBase>(mark: NodeStart, content: Unparented<N>): N {
    const parts = this.#parts.splice(mark.part);
    const isDamaged = this.#isDamaged;
    const node = Object.assign(content, this.#extent(parts), {
      parts,
      parent: undefined,
      isDamaged,
    });
    for (const part of parts) if ('parts' in part) (part as { parent: unknown }).parent = node;
    this.#parts.push(node);
    const isOwn = isShell(content.kind);
    this.#isDamaged = mark.wasDamaged || (isDamaged && !isOwn);
    if (isOwn) {
      const complaints = this.#complaints.splice(mark.complaint);
      if (!isDamaged) this.#problems.push(...complaints);
    }
    return node as unknown as N;
  }

  /** Gives up a node that started at `mark`; nothing has been read since. */
  abandon(mark: NodeStart): void {
    this.#isDamaged ||= mark.wasDamaged;
  }

  /**
   * Runs `read` for a construct that a token of this kind may follow. Meanwhile `isAwaited` is true
   * at such a token, so that unclosed constructs inside end there.
   */
  before<T>(kind: TokenKind, read: () => T): T {
    this.#awaited.push(kind);
    const result = read();
    this.#awaited.pop();
    return result;
  }

  /** Whether the next token is awaited by a construct around the current one: see `before`. */
  isAwaited(): boolean {
    return this.#awaited.includes(this.token.kind);
  }

  /** Runs `read` one level of nesting deeper; throws `TooDeep` beyond the limit. */
  nested<T>(read: () => T): T {
    if (this.#depth >= deepest) throw new TooDeep();
    this.#depth += 1;
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #take(): NativeToken {
    this.#notice();
    const { token } = this;
    this.#parts.push(token);
    this.#at += 1;
    return token;
  }

  /** Notes the errors in the blanks and comments before the next token. */
  #notice(): void {
    if (this.#noticed >= this.#at) return;
    this.#noticed = this.#at;
    for (const trivia of this.token.trivia) {
      if (trivia.kind !== 'unreadable' && trivia.kind !== 'open-comment') continue;
      if (!this.#isLost || trivia.kind === 'open-comment')
        this.#problems.push(describeTrivia(trivia));
      this.#isDamaged = true;
      this.#isLost = true;
    }
  }

  /**
   * Whether the next token is never skipped as surplus, since much depends on it: `;`, a brace, the
   * end of the file, or the start of a declaration.
   */
  #isAnchor(): boolean {
    return this.is(';', '{', '}', 'EOF') || this.#startsWhole();
  }

  /** Whether the next token is a keyword that the user apparently meant as a name. */
  #isNamedByKeyword(): boolean {
    const use = keywords.get(this.token.kind)?.use;
    if (use === undefined || use === 'declaration' || startsLine(this.token)) return false;
    return use !== 'statement' || [';', ',', '=', ':'].includes(this.ahead(1).kind);
  }

  #startsWhole(): boolean {
    return keywords.get(this.token.kind)?.use === 'declaration';
  }

  #previousEnd(): Position {
    const previous = this.#tokens[this.#at - 1];
    return previous ? positionBehind(previous) : { line: 0, column: 0 };
  }

  #placeOf(token: NativeToken) {
    const previous = this.#tokens[this.#at - 1];
    const previousEnd = previous ? endOfToken(previous) : 0;
    const { line, column } = token.start;
    return {
      offset: token.offset,
      length: token.text.length,
      span: spanAt(line, column, token.text.length),
      previousEnd,
      behindPrevious: this.#previousEnd(),
    };
  }

  #extent(parts: readonly (NodeBase | NativeToken)[]): Pick<NodeBase, 'start' | 'end' | 'span'> {
    const isSolid = (part: NodeBase | NativeToken): boolean =>
      !('parts' in part) || part.start < part.end;
    const first = parts.find(isSolid) ?? parts[0];
    const last = parts.findLast(isSolid) ?? parts.at(-1);
    if (!first || !last) {
      const at = this.#previousEnd();
      const previous = this.#tokens[this.#at - 1];
      const offset = previous ? endOfToken(previous) : 0;
      return { start: offset, end: offset, span: { start: at, end: at } };
    }
    return {
      start: 'parts' in first ? first.start : first.offset,
      end: 'parts' in last ? last.end : endOfToken(last),
      span: {
        start: 'parts' in first ? first.span.start : first.start,
        end: 'parts' in last ? last.span.end : positionBehind(last),
      },
    };
  }
}
