import type { TextRange } from '@fencewright/ground/source/tokens.js';

/**
 * The parts of a litmus test. Comments and `<< ... >>` blocks are replaced by blanks, so that
 * offsets are offsets in the file.
 */
export interface Sections {
  readonly text: string;
  /** The architecture: the first word of the file, such as `X86`, `X86_64` or `C`. */
  readonly architecture: string;
  readonly architectureAt: TextRange;
  /** The name of the test: the second word of the file; empty if there is none. */
  readonly name: string;
  /** The text of the initial state, between the first braces; absent if the braces are missing. */
  readonly initial?: TextRange;
  readonly code: TextRange;
  /**
   * The text from the first word of the condition (or `locations`) to the end; empty if there is
   * none.
   */
  readonly final: TextRange;
}

/** Matches the first word of the condition, or of another section after the code. */
const finalWord = /(?:^|[;}\s])\s*(~?\s*exists|forall|final|locations|filter|observed)\b/g;

/** Returns the parts of the text of a litmus test of the herd tools. */
export function splitSections(original: string): Sections {
  const isC = /^\s*(?:\(\*[\s\S]*?\*\)\s*)*C\b/.test(original);
  const text = blankComments(original, isC);
  const [, before = '', architecture = '', rest = ''] = /^(\s*)(\S*)([^\n]*)/.exec(text) ?? [];
  const name = /^[^"]*/.exec(rest)?.[0].trim().split(/\s+/)[0] ?? '';
  const header = { text, architecture, architectureAt: rangeOf(before, architecture), name };
  const open = findOpeningBrace(text);
  if (open < 0) {
    const all = { start: before.length + architecture.length, end: text.length };
    return { ...header, code: all, final: { start: text.length, end: text.length } };
  }
  const close = findClosingBrace(text, open);
  const behind = Math.min(close + 1, text.length);
  const semicolon = /^\s*;/.exec(text.slice(behind))?.[0].length ?? 0;
  const code = findFinal(text, behind + semicolon, isC);
  return {
    ...header,
    initial: { start: open + 1, end: close },
    code: { start: behind + semicolon, end: code },
    final: { start: code, end: text.length },
  };
}

function rangeOf(before: string, word: string): TextRange {
  return { start: before.length, end: before.length + word.length };
}

/**
 * Returns the offset of the first brace outside quoted descriptions, or of the first brace if a
 * quote is not closed; -1 if there is none.
 */
function findOpeningBrace(text: string): number {
  const match = /^(?:[^"{]|"(?:[^"\\]|\\.)*")*\{/.exec(text);
  return match ? match[0].length - 1 : text.indexOf('{');
}

/** Returns the offset of the closing brace; the end of the text if the brace is not closed. */
function findClosingBrace(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth += 1;
    if (text[i] === '}') depth -= 1;
    if (depth === 0) return i;
  }
  return text.length;
}

/**
 * Returns the offset of the condition's first word outside braces; the end of the text if there is
 * none. `isC` means that braces enclose code.
 */
function findFinal(text: string, from: number, isC: boolean): number {
  const depths = isC ? nestingOf(text, from) : undefined;
  finalWord.lastIndex = Math.max(0, from - 1);
  for (let match = finalWord.exec(text); match; match = finalWord.exec(text)) {
    const start = match.index + match[0].length - (match[1] ?? '').length;
    if (start >= from && !(depths && depths[start - from]! > 0)) return start;
  }
  return text.length;
}

/**
 * Returns for each offset of the text the number of braces that are open at the offset, counted
 * from `from`.
 */
function nestingOf(text: string, from: number): readonly number[] {
  let depth = 0;
  return Array.from(text.slice(from).split(''), (character) => {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    return depth;
  });
}

/**
 * Returns the text with blanks in place of comments `(* *)`, also nested ones, and `<< >>` blocks,
 * and in C also of `//` comments and comments of slash and star.
 */
function blankComments(text: string, isC: boolean): string {
  const out: string[] = [];
  let at = 0;
  let braces = 0;
  let isInitialState = true;
  const blankTo = (end: number): void => {
    out.push(text.slice(at, end).replace(/[^\r\n]/g, ' '));
    at = end;
  };
  while (at < text.length) {
    const inBody = isC && braces > 0 && !isInitialState;
    const two = text.slice(at, at + 2);
    const character = text[at]!;
    if (two === '(*' && !inBody) blankTo(endOfNested(text, at));
    else if (two === '<<' && !inBody && !isInitialState) blankTo(endOf(text, at, '>>'));
    else if (isC && two === '//') blankTo(endOfLine(text, at));
    else if (isC && two === '/*') blankTo(endOf(text, at, '*/'));
    else {
      if (character === '{') braces += 1;
      if (character === '}') {
        braces -= 1;
        if (braces === 0) isInitialState = false;
      }
      out.push(character);
      at += 1;
    }
  }
  return out.join('');
}

function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    if (text.startsWith('(*', i)) {
      depth += 1;
      i += 1;
    } else if (text.startsWith('*)', i)) {
      depth -= 1;
      i += 1;
      if (depth === 0) return i + 1;
    }
  }
  return text.length;
}

function endOf(text: string, start: number, mark: string): number {
  const found = text.indexOf(mark, start + 2);
  return found < 0 ? text.length : found + 2;
}

function endOfLine(text: string, start: number): number {
  const found = text.slice(start).search(/[\r\n]/);
  return found < 0 ? text.length : start + found;
}
