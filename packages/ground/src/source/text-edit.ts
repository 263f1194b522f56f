/**
 * A change of a text: `text` replaces the text between the zero-based offsets `start` and `end`, in
 * UTF-16 units; an insertion if `start` equals `end`.
 */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A line of a text, as zero-based offsets. */
export interface TextLine {
  readonly start: number;
  /**
   * The offset of the line break that ends the line; in the last line, the offset of the end of the
   * text.
   */
  readonly end: number;
  /**
   * The offset of the start of the next line; for the last line, the offset of the end of the text.
   */
  readonly next: number;
}

export function insertion(at: number, text: string): TextEdit {
  return { start: at, end: at, text };
}

export function replacement(start: number, end: number, text: string): TextEdit {
  return { start, end, text };
}

/**
 * Returns the text after all edits, whose offsets are in the original text. Insertions at one place
 * are made in the given order, and before a replacement of the text after the place. Throws if two
 * edits overlap.
 */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.toSorted((a, b) => a.start - b.start || width(a) - width(b));
  let result = '';
  let at = 0;
  for (const edit of sorted) {
    if (edit.start < at) throw new Error(`two edits overlap at offset ${edit.start}`);
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/**
 * Returns the rank of an edit among the edits that start at one offset: 0 for an insertion, 1 for a
 * replacement. (Two replacements at one offset overlap, in whatever order.)
 */
function width({ start, end }: TextEdit): number {
  return start === end ? 0 : 1;
}

/** Returns the line that contains `offset`. */
export function lineAt(text: string, offset: number): TextLine {
  let start = offset;
  while (start > 0 && !startsLine(text, start)) start -= 1;
  let end = offset;
  while (end < text.length && text[end] !== '\n' && text[end] !== '\r') end += 1;
  const next = end + (text.startsWith('\r\n', end) ? 2 : end < text.length ? 1 : 0);
  return { start, end, next };
}

function startsLine(text: string, offset: number): boolean {
  const before = text[offset - 1];
  return before === '\n' || (before === '\r' && text[offset] !== '\n');
}

/** Returns the lines of a text, including the empty line after a final line break. */
export function linesOf(text: string): readonly TextLine[] {
  const lines: TextLine[] = [];
  for (const match of text.matchAll(/\r\n|\n|\r/g))
    lines.push({
      start: lines.at(-1)?.next ?? 0,
      end: match.index,
      next: match.index + match[0].length,
    });
  lines.push({ start: lines.at(-1)?.next ?? 0, end: text.length, next: text.length });
  return lines;
}

/** Returns the line break that the text uses: the break of its first line. */
export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}
