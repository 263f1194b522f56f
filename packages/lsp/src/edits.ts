import type { TextEdit } from 'vscode-languageserver';

/** Splits a text into lines, each with its line end. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

/**
 * Returns edits of whole lines that turn one text into another. Lines that the texts have in common
 * at the beginning and the end are left alone. Between them, equal lines are left alone if both
 * texts have equally many lines there.
 */
export function editsBetween(before: string, after: string): TextEdit[] {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let from = 0;
  while (from < old.length && old[from] === fresh[from]) from += 1;
  let tail = 0;
  while (
    tail < Math.min(old.length, fresh.length) - from &&
    old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]
  )
    tail += 1;
  const [oldEnd, freshEnd] = [old.length - tail, fresh.length - tail];
  const edit = (start: number, end: number, lines: readonly string[]): TextEdit => ({
    range: { start: placeOfLine(old, start), end: placeOfLine(old, end) },
    newText: lines.join(''),
  });
  if (old.length !== fresh.length)
    return from === oldEnd && from === freshEnd
      ? []
      : [edit(from, oldEnd, fresh.slice(from, freshEnd))];
  const edits: TextEdit[] = [];
  for (let line = from; line < oldEnd; line++)
    if (old[line] !== fresh[line]) edits.push(edit(line, line + 1, fresh.slice(line, line + 1)));
  return edits;
}

/** Returns the start of a line; after the last line, the end of the text. */
function placeOfLine(lines: readonly string[], line: number) {
  const last = lines.at(-1);
  if (line < lines.length || last === undefined || /[\r\n]$/.test(last))
    return { line, character: 0 };
  return { line: lines.length - 1, character: last.length };
}
