import type { Position } from '@fencewright/ground/source/span.js';

/** Matches comments and literals of C. */
const unread = /\/\/(?:[^\\\n]|\\[^])*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/g;

/** The part of a text that a statement takes: offsets in UTF-16 units, without the end. */
export interface StatementRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The call of `name` that begins at offset `start` and is the whole statement behind a label that
 * begins with `label`; `undefined` if the text there is something else, such as a macro.
 */
export function callBehindLabel(
  text: string,
  start: number,
  name: string,
  label: string,
): StatementRange | undefined {
  const code = text.replaceAll(unread, (part) => part.replaceAll(/[^\n]/g, ' '));
  const before = /([A-Za-z_$][\w$]*)\s*:\s*$/.exec(code.slice(0, start));
  if (!before || !before[1]!.startsWith(label) || !code.startsWith(name, start)) return undefined;
  const open = start + name.length + /^\s*/.exec(code.slice(start + name.length))![0].length;
  if (code[open] !== '(') return undefined;
  let depth = 0;
  for (let i = open; i < code.length; i++) {
    if (code[i] === '(') depth += 1;
    else if (code[i] === ')') depth -= 1;
    if (depth > 0) continue;
    const behind = /^\s*;/.exec(code.slice(i + 1));
    return behind ? { start, end: i + 1 + behind[0].length } : undefined;
  }
  return undefined;
}

/** The offset of a place in a text, in UTF-16 units. */
export function offsetAt(text: string, { line, column }: Position): number {
  let start = 0;
  for (let i = 0; i < line; i++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  return start + column;
}
