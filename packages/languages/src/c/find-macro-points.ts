import type { TextRange } from '@fencewright/ground/source/tokens.js';
import { type CToken, scanC } from './c-token.js';
import type { FencePoint } from './fence-point.js';
import { wantsNoFences } from './find-fence-points.js';
import { findOperands } from './find-operands.js';
import type { FollowedToken } from './follow-branches.js';
import { partnersOf } from './partners.js';
import { StatementReader } from './read-statements.js';

/**
 * Matches the start of a macro definition, up to the text of the macro: the name, and the
 * parameters if there are some.
 */
const definition = /^#[ \t]*define[ \t]+[\w$]+(?:\([^()]*\))?(?=[\s\\])/;

/** Words that may come before the opening brace of a block of statements. */
const blockWords = new Set(['do', 'else', 'try']);

/**
 * Returns the places for fences in the macros that a text defines: before the statements in braces
 * of a macro's text, at the ends of loops there, and before operands that are evaluated
 * conditionally or after a comma. A fence there is a fence of every use of the macro.
 *
 * The statements of a macro outside of braces have no places: the use may be the body of an `if`.
 */
export function findMacroPoints(text: string): readonly FencePoint[] {
  if (wantsNoFences(text)) return [];
  return scanC(text).flatMap(({ kind, text: line, start }) => {
    const head = kind === 'directive' ? definition.exec(line)?.[0] : undefined;
    if (head === undefined) return [];
    const shift = start + head.length;
    const tokens = scanC(line.slice(head.length)).map((token) => ({
      ...token,
      start: token.start + shift,
      end: token.end + shift,
    }));
    return pointsOf(tokens).map((point) => ({ ...point, isInMacro: true as const }));
  });
}

/** Returns the places for fences in the text of a macro, given its tokens. */
function pointsOf(tokens: readonly CToken[]): readonly FencePoint[] {
  const read: readonly FollowedToken[] = tokens.map((token) => ({
    ...token,
    conditionals: 0,
    isAfterPragma: false,
  }));
  const partner = partnersOf(read);
  const operands = [...findOperands(read), ...afterCommas(read, partner)];
  const points: FencePoint[] = operands.map((operand) => ({ kind: 'operand', operand }));
  for (let i = 0; i < read.length; i++) {
    const end = partner.get(i);
    if (read[i]!.text !== '{' || end === undefined || end < i) continue;
    const isValue = read[i - 1]?.text === '(';
    if (opensBlock(read, i, partner))
      points.push(...new StatementReader(read.slice(i, end + 1)).read(isValue));
    i = end;
  }
  return points;
}

/** Whether a brace opens a block of statements, and no list of values. */
function opensBlock(
  tokens: readonly CToken[],
  brace: number,
  partner: ReadonlyMap<number, number>,
): boolean {
  const before = tokens[brace - 1];
  const within = tokens.slice(brace, partner.get(brace));
  if (!within.some(({ text }) => text === ';')) return false;
  if (!before || blockWords.has(before.text)) return true;
  if (before.text === ')') return tokens[(partner.get(brace - 1) ?? 0) - 1]?.kind === 'word';
  return ['(', ';', '{', '}'].includes(before.text);
}

/**
 * Returns the operands after the commas of expressions in parentheses. Commas between arguments of
 * calls are left out, as they do not determine an order of evaluation.
 */
function afterCommas(
  tokens: readonly CToken[],
  partner: ReadonlyMap<number, number>,
): readonly TextRange[] {
  const found: TextRange[] = [];
  tokens.forEach(({ text }, open) => {
    const close = partner.get(open);
    const before = tokens[open - 1];
    const isCall = before?.kind === 'word' || before?.text === ')' || before?.text === ']';
    if (text !== '(' || close === undefined || isCall) return;
    // What precedes the first comma follows no comma.
    let start: number | undefined;
    for (let i = open + 1; i <= close; i++) {
      const end = partner.get(i);
      const isEnd = i === close || tokens[i]!.text === ',';
      if (isEnd && start !== undefined && start < i)
        found.push({ start: tokens[start]!.start, end: tokens[i - 1]!.end });
      if (isEnd) start = i + 1;
      else if (end !== undefined && end > i) i = end;
    }
  });
  return found;
}
