import { type Diagnostic, syntaxError } from '@fencewright/ground/source/diagnostic.js';
import { spanAt } from '@fencewright/ground/source/span.js';
import { isReserved } from './keywords.js';
import { hintFor } from './syntax-hints.js';
import type { SyntaxProblem } from './syntax-problem.js';

/** Returns the error message for the user: the expected text and the found text. */
export function describeProblem(problem: SyntaxProblem, text: string): Diagnostic {
  const { offset, length, span, expected, previousEnd, behindPrevious } = problem;
  if (expected === undefined) return syntaxError(span, problem.message ?? '', problem.hint);
  const image = text.slice(offset, offset + length);
  const shown = image.length > 20 ? `${image.slice(0, 20)}...` : image;
  const word = expected === 'a name' && isReserved(image) ? 'the keyword ' : '';
  const found = length === 0 ? 'the file ends' : `found ${word}'${shown}'`;
  // A sign missing at the end of a line is reported there, not at the start of the next line.
  const closing = /^'[^\w]'$/.test(expected);
  const late = length === 0 || (closing && /[\n\r]/.test(text.slice(previousEnd, offset)));
  return syntaxError(
    late ? spanAt(behindPrevious.line, behindPrevious.column, 1) : span,
    `expected ${expected} but ${found}`,
    hintFor(problem, text),
  );
}
