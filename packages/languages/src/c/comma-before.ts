import { type ScannedC, tokenAt } from './find-call.js';

/** Words in front of parentheses that are no call. */
const statementWords: ReadonlySet<string> = new Set([
  ...['if', 'while', 'for', 'switch', 'return', 'sizeof'],
]);

/**
 * Whether the parenthesis at an index opens the arguments of a call; the commas inside then
 * separate arguments.
 */
function opensCall({ tokens }: ScannedC, open: number): boolean {
  const before = tokens[open - 1];
  if (before?.kind === 'word') return !statementWords.has(before.text);
  return before?.text === ')' || before?.text === ']';
}

/**
 * Whether the statement that begins at an index looks like a declaration: two words, or a word and
 * a star.
 */
function isDeclaration({ tokens }: ScannedC, begin: number): boolean {
  const [first, second] = [tokens[begin], tokens[begin + 1]];
  if (first?.kind !== 'word' || statementWords.has(first.text)) return false;
  return second?.kind === 'word' || second?.text === '*';
}

/**
 * Whether the comma operator of C stands before a place, so that a fence may be the operand between
 * the comma and the place: `x = 1, fence(), r = y`. Commas between arguments, declared variables
 * and values of lists are no operators.
 */
export function isBehindComma(c: ScannedC, offset: number): boolean {
  const { tokens, partner } = c;
  let hasComma = false;
  for (let i = tokenAt(c, offset) - 1; i >= 0; i--) {
    const text = tokens[i]!.text;
    const other = partner.get(i);
    if (text === ',') hasComma = true;
    else if ([';', '{', '}'].includes(text)) return hasComma && !isDeclaration(c, i + 1);
    else if (other !== undefined && other < i) i = other;
    else if (text === '(') {
      if (hasComma && !opensCall(c, i)) return !isDeclaration(c, i + 1);
      hasComma = false;
    } else if (text === '[') hasComma = false;
  }
  return false;
}
