import { keywords, parseSyntax, tokensOf } from '@fencewright/core/text';

const closes: Readonly<Record<string, string>> = { '{': '}', begin: 'end' };
/** Words that continue a statement after a block, or an instruction after `;`. */
const goesOn = ['else', 'or', 'while', 'goto'];

/** An open block: the words of the current statement in the block. */
interface OpenBlock {
  readonly closer: string;
  words: string[];
  /** Whether the words of the current statement may already be a complete statement. */
  mayBeComplete: boolean;
}

/**
 * Returns the part of the text before the cursor on which the grammar still depends, for a text in
 * the native language. Complete statements, complete declarations and the bodies of complete blocks
 * are left out, so the length does not depend on the length of the text.
 */
export function openPartOf(before: string): string {
  const frames: OpenBlock[] = [{ closer: '', words: [], mayBeComplete: false }];
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
  // A program has a name, which text after the title does not need.
  const isBehindTitle = words.length > 0 && words[0] !== 'program';
  return `${isBehindTitle ? 'program P ' : ''}${words.join(' ')} `;
}

/** Returns the number of errors detected before the last character of the text. */
function errorsIn(text: string): number {
  const last = text.trimEnd().length;
  return parseSyntax(text).errors.filter(
    ({ span }) => span !== undefined && span.start.column < last,
  ).length;
}

/** Whether the grammar allows a piece of text after an open part; each is one line. */
export function mayFollow(open: string, piece: string): boolean {
  return errorsIn(`${open}${piece}`) <= errorsIn(open);
}
