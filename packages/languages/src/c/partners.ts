import type { CToken } from './c-token.js';

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * Returns for each bracket, by the index of its token, the index of the matching bracket; unmatched
 * brackets are absent.
 */
export function partnersOf(tokens: readonly CToken[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach(({ kind, text }, index) => {
    if (kind !== 'symbol') return;
    if (text in closing) open.push(index);
    else if (text === ')' || text === ']' || text === '}') {
      // A bracket left open inside braces is not closed by a bracket outside.
      const at = open.findLastIndex((each) => {
        const opened = tokens[each]!.text;
        return closing[opened] === text || opened === '{';
      });
      const start = open[at];
      if (start === undefined || closing[tokens[start]!.text] !== text) return;
      open.length = at;
      found.set(start, index);
      found.set(index, start);
    }
  });
  return found;
}
