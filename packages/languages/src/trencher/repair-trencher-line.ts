/** The line of a transition; blanks belong to the word before them. */
interface TransitionLine {
  /** The keyword with what stands around it. */
  readonly keyword: string;
  readonly from: string;
  readonly to: string;
  /** With all that follows. */
  readonly instruction: string;
}

const form = /^([ \t\v\f]*transition[ \t\v\f]+)([^ \t\v\f]+[ \t\v\f]+)([^ \t\v\f]+[ \t\v\f]+)(.*)$/;

/** The parts of a line that has been parsed as a transition. */
export function splitTransitionLine(line: string): TransitionLine {
  const [, keyword = '', from = '', to = '', instruction = ''] = form.exec(line) ?? [];
  return { keyword, from, to, instruction };
}

/** The line with other parts, its columns kept where the words allow; absent parts stay. */
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
