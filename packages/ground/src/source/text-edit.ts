/**
 * Puts `text` in place of what stands from `start` to `end`, which are zero-based offsets in UTF-16
 * units; an insertion if they are equal.
 */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A line of a text, as zero-based offsets. */
export interface TextLine {
  readonly start: number;
  /** Where its line break starts. */
  readonly end: number;
  /** Where the next line starts; the end of the text for the last line. */
  readonly next: number;
}

export function insertion(at: number, text: string): TextEdit {
  return { start: at, end: at, text };
}

export function replacement(start: number, end: number, text: string): TextEdit {
  return { start, end, text };
}

/**
 * The text after all edits, whose offsets are those of the text before. Insertions at one place
 * come in the order given, and before what replaces the text behind it. Throws if two edits
 * overlap.
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

/** 0 for an insertion; two replacements at one place overlap, whatever their order. */
function width({ start, end }: TextEdit): number {
  return start === end ? 0 : 1;
}

/** The line in which `offset` lies. */
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

/** The lines of a text, the empty one behind a final line break included. */
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

/** How the lines of the text end: as its first one does. */
export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}
