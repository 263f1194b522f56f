import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { checkText } from './check-text.js';
import { computeLayout, type TokenLayout } from './layout.js';
import { tokensOf } from './lexer.js';
import { parseSyntax } from './parse-syntax.js';
import { allTokensIn } from './syntax-tree.js';
import type { NativeToken, Trivia } from './token.js';

const indent = '  ';

/** A line of formatted text, without its line break. */
interface Line {
  readonly level: number;
  code: string;
  /** The comment after the code of the line. */
  comment?: { readonly text: string; readonly column: number; readonly gap: number };
}

function breaksIn(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

/** Puts the tokens and comments of a text into lines, with line breaks where the text has them. */
class LineWriter {
  readonly lines: Line[] = [];
  /** The number of line breaks since the token or comment written last. */
  #breaks = 0;
  /** The blanks in the text after the token or comment written last. */
  #blanks = '';
  #last: { readonly token: NativeToken; readonly layout: TokenLayout } | undefined;
  /** The end of the token or comment written last, as an offset in the unformatted text. */
  #end = 0;
  /** Whether a comment without an end was written: no text may follow. */
  #isOpen = false;

  constructor(private readonly text: string) {}

  token(token: NativeToken, layout: TokenLayout): void {
    const level = layout.closes ? layout.level + 1 : layout.level;
    for (const one of token.trivia) this.#trivia(one, level);
    if (token.kind !== 'EOF') {
      this.#write(token.text, layout.level, this.#gap(token, layout));
      this.#end = token.offset + token.text.length;
    }
    this.#last = { token, layout };
  }

  /** Returns the whole formatted text. A non-empty text ends with a line break. */
  toText(): string {
    const end = /\r\n|\n|\r/.exec(this.text)?.[0] === '\r\n' ? '\r\n' : '\n';
    alignComments(this.lines);
    const lines = this.lines.map(({ level, code }) => (code && indent.repeat(level)) + code);
    return lines.join(end) + (this.#isOpen || lines.length === 0 ? '' : end);
  }

  #trivia({ kind, text, offset, start }: Trivia, level: number): void {
    if (kind === 'blank') {
      this.#breaks += breaksIn(text);
      this.#blanks += text;
      return;
    }
    const line = this.lines.at(-1);
    if (kind === 'comment' && text.startsWith('//') && line && this.#breaks === 0) {
      const { column } = start;
      line.comment = { text: text.trimEnd(), column, gap: offset - this.#end };
    } else {
      const keeps = kind === 'unreadable' && this.#blanks === '';
      this.#write(kind === 'comment' ? text.trimEnd() : text, level, keeps ? '' : ' ');
    }
    this.#last = undefined;
    this.#isOpen ||= kind === 'open-comment';
    this.#end = offset + text.length;
  }

  /** Returns the blanks to write before a token on a line. */
  #gap(token: NativeToken, layout: TokenLayout): string {
    const last = this.#last;
    if (!last) return this.#blanks !== '' || this.#endsComment() ? ' ' : '';
    if (layout.keepsBlanks || last.layout.keepsBlanks === 'around')
      return ' '.repeat(this.#blanks.length);
    const { joinsRight, appliesTo } = last.layout;
    const joins = layout.joinsLeft || joinsRight || token.kind === appliesTo;
    return joins && staysApart(last.token, token) ? '' : ' ';
  }

  #endsComment(): boolean {
    return this.lines.at(-1)?.code.endsWith('*/') === true;
  }

  #write(text: string, level: number, gap: string): void {
    const line = this.lines.at(-1);
    if (!line || this.#breaks > 0) {
      if (line && this.#breaks > 1) this.lines.push({ level: 0, code: '' });
      this.lines.push({ level, code: text });
    } else line.code += gap + text;
    this.#breaks = 0;
    this.#blanks = '';
  }
}

/**
 * Whether two tokens without a blank between them are read as these two tokens again. True also for
 * a word next to a sign.
 */
function staysApart(first: NativeToken, second: NativeToken): boolean {
  if (/\w$/.test(first.text) !== /^\w/.test(second.text)) return true;
  const [one, two, end] = tokensOf(first.text + second.text);
  return one?.text === first.text && two?.text === second.text && end?.kind === 'EOF';
}

/** Aligns comments after the code of neighbouring lines that were aligned before formatting. */
function alignComments(lines: readonly Line[]): void {
  for (let from = 0; from < lines.length;) {
    const column = lines[from]?.comment?.column;
    let to = from + 1;
    if (column !== undefined) while (lines[to]?.comment?.column === column) to += 1;
    place(lines.slice(from, to));
    from = to;
  }
}

function place(lines: readonly Line[]): void {
  const widthOf = ({ level, code }: Line): number =>
    indent.length * level + (code.length - 1 - code.lastIndexOf('\n')) + 1;
  const gap = Math.max(1, Math.min(...lines.map(({ comment }) => comment?.gap ?? 1)));
  const widest = Math.max(...lines.map(widthOf));
  for (const line of lines)
    if (line.comment) line.code += ' '.repeat(widest - widthOf(line) + gap) + line.comment.text;
}

/**
 * Returns the text with the usual indentation and blanks. Tokens, comments and line breaks are
 * unchanged; several empty lines in a row become one. In a text with errors, the readable parts are
 * laid out. Formatting formatted text changes nothing.
 */
export function formatNative(text: string): string {
  const { model } = parseSyntax(text);
  const layouts = computeLayout(model);
  const writer = new LineWriter(text);
  for (const token of allTokensIn(model)) writer.token(token, layouts[token.index]!);
  return writer.toText();
}

/** Returns the formatted text, or the errors of an unreadable text, whose structure is unknown. */
export function formatSound(
  text: string,
):
  | { readonly kind: 'formatted'; readonly text: string }
  | { readonly kind: 'unreadable'; readonly diagnostics: readonly Diagnostic[] } {
  const refusal = checkText(text);
  if (refusal) return { kind: 'unreadable', diagnostics: [refusal] };
  const { errors } = parseSyntax(text);
  if (errors.length > 0) return { kind: 'unreadable', diagnostics: errors };
  return { kind: 'formatted', text: formatNative(text) };
}
