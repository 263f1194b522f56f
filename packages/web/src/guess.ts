import type { WebFormat } from './messages.js';

/** The typical beginnings or necessary parts of texts, by format. */
const signs: readonly (readonly [WebFormat | 'c', RegExp])[] = [
  ['litmus', /^\s*(?:X86|X86_64|C)[ \t]+\S/],
  ['trencher', /^(?:\s|#.*\n)*(?:memory\s|thread\s+\w+\s+initial\b)/],
  ['memorax', /^(?:\s|\/\*[^]*?\*\/|\/\/.*\n)*(?:forbidden\s|data\s[^]*\bprocess\b)/],
  ['native', /^(?:\s|\/\*[^]*?\*\/|\/\/.*\n)*program\s+\w/],
  ['c', /^\s*#\s*include\b|\bint\s+main\s*\(/m],
];

/** Guesses the format of a text that is not a program in the current format. */
export function guessFormat(text: string): WebFormat | 'c' | undefined {
  const start = text.slice(0, 10_000);
  return signs.find(([, sign]) => sign.test(start))?.[0];
}
