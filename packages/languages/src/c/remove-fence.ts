import {
  applyEdits,
  lineAt,
  replacement,
  type TextEdit,
} from '@fencewright/ground/source/text-edit.js';
import type { TextRange } from '@fencewright/ground/source/tokens.js';
import { callAt, tokenAt } from './find-call.js';
import type { EditedC } from './edit-store.js';

const fences = new Set([
  ...['atomic_thread_fence', '__atomic_thread_fence', '__c11_atomic_thread_fence'],
  ...['__sync_synchronize', 'smp_mb', 'mb'],
]);

/**
 * Returns the range of the call or assembly at an offset that does nothing but fence; `undefined`
 * if there is none.
 */
function fenceAt(c: EditedC, offset: number): TextRange | undefined {
  const call = callAt(c, offset);
  if (call && fences.has(call.name)) return call.range;
  const { text, tokens, partner } = c;
  let at = tokenAt(c, offset);
  if (!/^(?:asm|__asm|__asm__)$/.test(tokens[at]?.text ?? '')) return undefined;
  while (tokens[at]?.kind === 'word') at += 1;
  const close = partner.get(at);
  if (close === undefined) return undefined;
  const range = { start: offset, end: tokens[close]!.end };
  const body = text.slice(tokens[at]!.start, range.end).replaceAll(/\s/g, '');
  return /^\("(?:mfence)[;\\nt]*"(?:::(?::"memory"(?:,"cc")?)?)?\)$/.test(body) ? range : undefined;
}

/** Returns the edits that remove the fence at an offset; empty if no known fence is there. */
export function removeFenceInC(c: EditedC, offset: number): readonly TextEdit[] {
  const range = fenceAt(c, offset);
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
const behindAll = /^[ \t]*(?:\/\*(?:(?!\*\/).)*\*\/[ \t]*)?(?:\/\/[^\\]*)?$/;

/**
 * Returns the edits, where edits that together remove all statements of a line remove the line,
 * too.
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
