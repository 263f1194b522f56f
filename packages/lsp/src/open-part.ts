import { keywords, parseSyntax, tokensOf } from '@fencewright/core/text';

const closes: Readonly<Record<string, string>> = { '{': '}', begin: 'end' };
/** What goes on with a statement behind a block of it, or with an instruction behind its `;`. */
const goesOn = ['else', 'or', 'while', 'goto'];

/** A block that is open: the words of what is being said in it. */
interface Frame {
  readonly closer: string;
  words: string[];
  /** Whether what is being said may be complete. */
  mayBeComplete: boolean;
}

/**
 * What the grammar still knows of the text before a place of the native language: statements and
 * declarations that are complete are left out, and so are the bodies of complete blocks. However
 * long the text is, this is as long as what is open.
 */
export function openPartOf(before: string): string {
  const frames: Frame[] = [{ closer: '', words: [], mayBeComplete: false }];
  let parentheses = 0;
  for (const { kind, text } of tokensOf(before)) {
    if (kind === 'EOF') break;
    const frame = frames.at(-1)!;
    if (text === frame.closer && frames.length > 1) {
      frames.pop();
      const outer = frames.at(-1)!;
      outer.words.push(text);
      outer.mayBeComplete = true;
      continue;
    }
    const isDeclaration = frames.length === 1 && keywords.get(text)?.use === 'declaration';
    if (isDeclaration || (frame.mayBeComplete && !goesOn.includes(text))) frame.words = [];
    frame.mayBeComplete = false;
    if (text === '(') parentheses += 1;
    if (text === ')') parentheses = Math.max(0, parentheses - 1);
    if (text === ';' && parentheses === 0 && frames.length > 1) {
      if (frame.closer === '}') {
        frame.words = [];
        continue;
      }
      frame.mayBeComplete = true;
    }
    frame.words.push(text);
    const closer = closes[text];
    if (closer !== undefined) frames.push({ closer, words: [], mayBeComplete: false });
  }
  const words = frames.flatMap((frame) => frame.words);
  // A program has a name: whoever is behind it need not see it.
  const isBehindTitle = words.length > 0 && words[0] !== 'program';
  return `${isBehindTitle ? 'program P ' : ''}${words.join(' ')} `;
}

/** How many errors of the text are noticed before its last character. */
function errorsIn(text: string): number {
  const last = text.trimEnd().length;
  return parseSyntax(text).errors.filter(
    ({ span }) => span !== undefined && span.start.column < last,
  ).length;
}

/** Whether the grammar lets a piece of text stand behind an open part; each is one line. */
export function mayFollow(open: string, piece: string): boolean {
  return errorsIn(`${open}${piece}`) <= errorsIn(open);
}
