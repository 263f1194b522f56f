import {
  applyEdits,
  lineAt,
  replacement,
  type TextEdit,
} from '@fencewright/ground/source/text-edit.js';
import type { TextRange } from '@fencewright/ground/source/tokens.js';
import type { EditedC } from './edit-store.js';
import { fenceAt } from './fence-in-text.js';

/** Returns the edits that remove the fence at an offset; empty if no known fence is there. */
export function removeFenceInC(c: EditedC, offset: number): readonly TextEdit[] {
  const range = fenceAt(c, offset, c.barriers);
  if (!range) return [];
  const { text, tokens, points } = c;
  const semicolon = tokens.find(({ start }) => start >= range.end);
  const own = points.find(
    (point) => point.kind === 'before' && point.statement.start === range.start,
  );
  const isStatement = semicolon?.text === ';' && own?.kind === 'before';
  if (!isStatement || own.statement.end !== semicolon.end)
    return [replacement(range.start, range.end, '(void)0')];
  const before = tokens.findLast(({ end }) => end <= range.start)?.text ?? '';
  // A construct that requires a statement gets an empty one.
  if (own.body || !/^[;{}]$/.test(before)) return [replacement(range.start, range.end, '')];
  return [wholeLine(text, { start: range.start, end: semicolon.end })];
}

/** Matches blanks before the first statement of a line. */
const beforeAll = /^[ \t]*$/;
/** Matches blanks and comments from the last statement of a line to the end of the line. */
const behindAll = /^[ \t]*(?:\/\*(?:(?!\*\/).)*\*\/[ \t]*)?(?:\/\/[^\\]*)?$/;

/**
 * Returns the edits, changed so that edits that together remove all statements of a line remove the
 * line, too.
 */
export function withWholeLines(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  const byLine = new Map<number, TextEdit[]>();
  for (const edit of edits) {
    const { start } = lineAt(text, edit.start);
    byLine.set(start, [...(byLine.get(start) ?? []), edit]);
  }
  return [...byLine].flatMap(([start, own]) => {
    const line = lineAt(text, start);
    const last = Math.max(...own.map(({ end }) => end));
    if (own.length < 2 || last > line.end || own.some((edit) => edit.text !== '')) return own;
    const first = Math.min(...own.map((edit) => edit.start));
    const moved = own.map((edit) => ({
      ...edit,
      start: edit.start - first,
      end: edit.end - first,
    }));
    const between = applyEdits(text.slice(first, last), moved);
    const isEmpty =
      beforeAll.test(text.slice(line.start, first)) &&
      beforeAll.test(between) &&
      behindAll.test(text.slice(last, line.end));
    return isEmpty ? [replacement(line.start, line.next, '')] : own;
  });
}

/**
 * Returns the edit that removes a statement; a line with nothing else is removed with its comments.
 */
function wholeLine(text: string, { start, end }: TextRange): TextEdit {
  const line = lineAt(text, start);
  const last = lineAt(text, end);
  const rest = text.slice(end, last.end);
  const isAlone = beforeAll.test(text.slice(line.start, start)) && behindAll.test(rest);
  if (isAlone) return replacement(line.start, last.next, '');
  return replacement(start, end + (/^[ \t]*/.exec(rest)?.[0].length ?? 0), '');
}
