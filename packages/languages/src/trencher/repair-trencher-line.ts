/** The line of a transition; blanks belong to the preceding word. */
interface TransitionLine {
  /** The keyword with surrounding blanks. */
  readonly keyword: string;
  readonly from: string;
  readonly to: string;
  /** The instruction, with the rest of the line. */
  readonly instruction: string;
}

const form = /^([ \t\v\f]*transition[ \t\v\f]+)([^ \t\v\f]+[ \t\v\f]+)([^ \t\v\f]+[ \t\v\f]+)(.*)$/;

/** Splits a line parsed as a transition. */
export function splitTransitionLine(line: string): TransitionLine {
  const [, keyword = '', from = '', to = '', instruction = ''] = form.exec(line) ?? [];
  return { keyword, from, to, instruction };
}

/**
 * Returns the line with some parts replaced, its columns kept if the words permit; absent parts
 * stay.
 */
export function withParts(
  { keyword, ...old }: TransitionLine,
  parts: Partial<Record<'from' | 'to' | 'instruction', string>>,
): string {
  const from = parts.from === undefined ? old.from : inPlaceOf(old.from, parts.from);
  const to = parts.to === undefined ? old.to : inPlaceOf(old.to, parts.to);
  return keyword + from + to + (parts.instruction ?? old.instruction);
}

function inPlaceOf(old: string, word: string): string {
  const blanks = old.slice(old.trimEnd().length);
  if (/^ {2,}$/.test(blanks)) return `${word} `.padEnd(old.length);
  return word + blanks;
}
