import type { TextRange } from '@fencewright/ground/source/tokens.js';
import { type CToken, scanC } from './c-token.js';
import { partnersOf } from './partners.js';

/** A call, or the use of a macro in the form of a call. */
export interface CCall {
  /** The name of the called function without `std::`. */
  readonly name: string;
  /** The range of the call from the name, including `std::`, to the closing parenthesis. */
  readonly range: TextRange;
  readonly operands: readonly TextRange[];
  /** Whether a member is called: a dot or an arrow precedes the name. */
  readonly isMember: boolean;
  /** The offset of the opening parenthesis of the call. */
  readonly open: number;
  /**
   * Whether the operands of the call only read: they contain no call, assignment, increment or
   * decrement.
   */
  readonly isPlain: boolean;
}

/** A text of C with its tokens, and the partner of each bracket. */
export interface ScannedC {
  readonly text: string;
  readonly tokens: readonly CToken[];
  readonly partner: ReadonlyMap<number, number>;
}

export function scan(text: string): ScannedC {
  const tokens = scanC(text);
  return { text, tokens, partner: partnersOf(tokens) };
}

/** Returns the index of the token that starts at an offset; a negative number if there is none. */
export function tokenAt({ tokens }: ScannedC, offset: number): number {
  return tokens.findIndex(({ start }) => start === offset);
}

/** Returns the call whose name starts at an offset; `undefined` if there is none. */
export function callAt(scanned: ScannedC, offset: number): CCall | undefined {
  const { tokens, partner } = scanned;
  const first = tokenAt(scanned, offset);
  const isQualified = tokens[first]?.text === 'std' && tokens[first + 1]?.text === '::';
  const at = isQualified ? first + 2 : first;
  const name = tokens[at];
  const close = partner.get(at + 1);
  if (name?.kind !== 'word' || tokens[at + 1]?.text !== '(' || close === undefined)
    return undefined;
  const before = tokens[first - 1]?.text ?? '';
  return {
    name: name.text,
    range: { start: offset, end: tokens[close]!.end },
    operands: operandsBetween(scanned, at + 2, close),
    isMember: before === '.' || before === '->',
    open: tokens[at + 1]!.start,
    isPlain: onlyReads(tokens.slice(at + 2, close)),
  };
}

/** Returns the ranges of the operands between commas, from one token up to another. */
function operandsBetween(
  { tokens, partner }: ScannedC,
  from: number,
  to: number,
): readonly TextRange[] {
  const found: TextRange[] = [];
  let start = from;
  for (let i = from; i <= to; i++) {
    const token = tokens[i]!;
    if (i === to || (token.kind === 'symbol' && token.text === ',')) {
      if (i > start) found.push({ start: tokens[start]!.start, end: tokens[i - 1]!.end });
      start = i + 1;
    } else i = Math.max(i, partner.get(i) ?? i);
  }
  return found;
}

/** Whether an expression only reads, judging by its tokens. */
export function onlyReads(tokens: readonly CToken[]): boolean {
  return tokens.every(({ kind, text }, i) => {
    if (kind === 'directive') return false;
    if (kind !== 'symbol') return true;
    if (text === '{') return false;
    if (text === '(') return tokens[i - 1]?.kind !== 'word' && tokens[i - 1]?.text !== ')';
    if (text === '=' || /^(?:<<|>>|[-+*/%&|^])=$/.test(text)) return false;
    return !((text === '+' || text === '-') && tokens[i + 1]?.text === text);
  });
}
