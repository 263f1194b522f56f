import type { WebFormat } from './messages.js';

/** How texts of each format begin, or what they cannot do without. */
const signs: readonly (readonly [WebFormat | 'c', RegExp])[] = [
  ['litmus', /^\s*(?:X86|X86_64|C)[ \t]+\S/],
  ['trencher', /^(?:\s|#.*\n)*(?:memory\s|thread\s+\w+\s+initial\b)/],
  ['memorax', /^(?:\s|\/\*[^]*?\*\/|\/\/.*\n)*(?:forbidden\s|data\s[^]*\bprocess\b)/],
  ['native', /^(?:\s|\/\*[^]*?\*\/|\/\/.*\n)*program\s+\w/],
  ['c', /^\s*#\s*include\b|\bint\s+main\s*\(/m],
];

/** What a text seems to be that is no program of the format it is read in. */
export function guessFormat(text: string): WebFormat | 'c' | undefined {
  const start = text.slice(0, 10_000);
  return signs.find(([, sign]) => sign.test(start))?.[0];
}
