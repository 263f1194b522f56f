import type { SyntaxProblem } from './syntax-problem.js';

/** What C has, and what this language has instead, by the first character. */
const charHabits: ReadonlyMap<string, string> = new Map([
  ['?', "there is no '?:': write if (...) ... else ..."],
  ['#', 'there is no preprocessor: write const N = 3'],
]);

/** A text of which the lexer can make tokens, with what was left out. */
export interface ReadableText {
  /** The text up to a comment without an end, with blanks for characters that have no meaning. */
  readonly text: string;
  readonly problems: readonly SyntaxProblem[];
  /** Whether the end of `text` is not that of the file. */
  readonly isCut: boolean;
}

/** How many meaningless characters are reported. */
const reported = 1000;

/** Comments, a comment without an end, and what no token starts with. The lexer itself would take long over the latter. */
const pieces =
  /\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|\/\*[\s\S]*|(?:[^-\s\w'′←!%&()*+,./:;<=>@[\]^{|}~]|(?<![\w'′])['′])+/g;

/** Finds the meaningless characters of a text, and a comment without an end. */
export function toReadable(text: string): ReadableText {
  const problems: SyntaxProblem[] = [];
  let isCut = false;
  const report = (offset: number, length: number, message: string, hint?: string): void => {
    const end = offset + length;
    if (problems.length < reported)
      problems.push({
        offset,
        length,
        previousEnd: offset,
        skippedTo: end,
        message,
        ...(hint !== undefined && { hint }),
      });
  };
  const readable = text.replaceAll(pieces, (piece: string, offset: number) => {
    if (piece.startsWith('//')) return piece;
    if (!piece.startsWith('/*')) {
      const shown = piece.length > 20 ? `${piece.slice(0, 20)}...` : piece;
      const hint = charHabits.get(piece.charAt(0));
      report(offset, piece.length, `'${shown}' has no meaning here`, hint);
      return ' '.repeat(piece.length);
    }
    if (piece.length > 3 && piece.endsWith('*/')) return piece;
    isCut = true;
    report(offset, 2, 'this comment has no end', "close it with '*/'");
    return '';
  });
  return { text: readable, problems, isCut };
}
