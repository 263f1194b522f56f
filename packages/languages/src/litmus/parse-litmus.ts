import type { ParseResult } from '@fencewright/model/program/parse-result.js';
import {
  emptyInput,
  notSupported,
  notText,
  syntaxError,
} from '@fencewright/ground/source/diagnostic.js';
import { LineIndex } from '@fencewright/ground/source/line-index.js';
import { quote } from '@fencewright/ground/source/quote.js';
import { hasControlCharacters } from '@fencewright/ground/source/control-characters.js';
import { parseC } from './parse-c.js';
import { parseX86 } from './parse-x86.js';
import { type Sections, splitSections } from './sections.js';

/**
 * Returns the program of a litmus test of the herd tools; the first word tells the architecture.
 * Threads are numbered in the order of the text, shared variables are cells in the order of first
 * mention. The final condition is the property `condition`. All errors are found in one run, at
 * most a hundred are returned.
 */
export function parseLitmus(text: string): ParseResult {
  if (hasControlCharacters(text)) return { diagnostics: [notText()] };
  const sections = splitSections(text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text);
  const { architecture } = sections;
  if (architecture === '')
    return { diagnostics: [emptyInput("the first line of a litmus test is like 'X86 SB'")] };
  const missing = missingInitialState(sections);
  switch (architecture) {
    case 'X86':
    case 'X86_64':
      return missing ?? parseX86(sections, architecture);
    case 'C':
      return missing ?? parseC(sections);
    default:
      return { diagnostics: [unknownArchitecture(sections)] };
  }
}

function unknownArchitecture({ text, architecture, architectureAt }: Sections) {
  const span = new LineIndex(text).spanOf(architectureAt.start, architectureAt.end);
  return notSupported(
    span,
    `litmus tests of the architecture ${quote(architecture)} are not supported`,
    'the file has to start with X86, X86_64 or C',
  );
}

function missingInitialState({ text, initial, code }: Sections): ParseResult | undefined {
  if (initial) return undefined;
  const span = new LineIndex(text).spanOf(code.start, code.start);
  return {
    diagnostics: [
      syntaxError(
        span,
        'the initial state is missing',
        "write '{ }' where everything starts with 0",
      ),
    ],
  };
}
