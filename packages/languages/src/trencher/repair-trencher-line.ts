/** The parts of a transition's line; blanks belong to the word before them. */
interface TransitionLine {
  /** The keyword `transition` of the line, with the blanks around it. */
  readonly keyword: string;
  readonly from: string;
  readonly to: string;
  /** The instruction of the transition's line, and the rest of the line. */
  readonly instruction: string;
}

const form = /^([ \t\v\f]*transition[ \t\v\f]+)([^ \t\v\f]+[ \t\v\f]+)([^ \t\v\f]+[ \t\v\f]+)(.*)$/;

/** Returns the parts of a line that was parsed as a transition. */
export function splitTransitionLine(line: string): TransitionLine {
  const [, keyword = '', from = '', to = '', instruction = ''] = form.exec(line) ?? [];
  return { keyword, from, to, instruction };
}

/**
 * Returns the line with some parts replaced, in the same columns if the words permit; absent parts
 * are unchanged.
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
