import type { LangiumParser } from 'langium';
import type { Diagnostic } from '../../source/diagnostic.js';
import { syntaxError } from '../../source/diagnostic.js';
import { spanOfOffsets } from './check-text.js';
import type { SyntaxProblem } from './syntax-problem.js';
import { hintFor, isKeyword, statementStart } from './syntax-hints.js';

type ParserError = ReturnType<LangiumParser['parse']>['parserErrors'][number];

/** The errors that the parser met. */
export function toProblems(errors: readonly ParserError[], text: string): SyntaxProblem[] {
  return errors.map((error) => toProblem(error, text));
}

function toProblem(error: ParserError, text: string): SyntaxProblem {
  const atEnd = Number.isNaN(error.token.startOffset) || error.token.image === '';
  const offset = atEnd ? text.length : error.token.startOffset;
  const length = atEnd ? 0 : error.token.image.length;
  const previous =
    'previousToken' in error ? (error.previousToken as ParserError['token']) : undefined;
  const previousEnd = (previous?.endOffset ?? Number.NaN) + 1;
  const skipped = error.resyncedTokens.at(-1)?.endOffset ?? -1;
  return {
    offset,
    length,
    previousEnd: Number.isNaN(previousEnd) ? text.slice(0, offset).trimEnd().length : previousEnd,
    skippedTo: Math.max(offset + length, skipped + 1),
    expected: error.message,
  };
}

/** What shows that the parser found its way again after an error. */
const recovered = /[;{}]|\b(const|var|domain|thread|property|invariant|event|events|procedure)\b/;

/** Leaves out the errors that only follow from the one before; they have to be in the order of their places. */
export function withoutConsequences(
  problems: readonly SyntaxProblem[],
  text: string,
): readonly SyntaxProblem[] {
  let kept: SyntaxProblem | undefined;
  return problems.filter((problem, i) => {
    const last = problems[i - 1];
    const follows =
      last &&
      kept &&
      (problem.offset === last.offset ||
        !recovered.test(text.slice(last.offset, problem.offset)) ||
        isInParentheses(text, kept.offset, problem.offset) ||
        isTargetTakenForLabel(problem, text.slice(kept.offset, problem.offset)));
    if (!follows) kept = problem;
    return !follows;
  });
}

/** Whether `to` lies on the line of `from`, and a parenthesis of the statement there is still open. */
function isInParentheses(text: string, from: number, to: number): boolean {
  let open = 0;
  for (let offset = statementStart(text, from); offset < to; offset++)
    switch (text[offset]) {
      case '(':
        open += 1;
        break;
      case ')':
        open -= 1;
        break;
      case '\n':
        return false;
      default:
    }
  return open > 0;
}

/** Whether the parser went on in the middle of an instruction of the automaton form, with the label behind `goto`. */
function isTargetTakenForLabel({ expected }: SyntaxProblem, between: string): boolean {
  return expected === "':'" && !between.includes('\n');
}

/** The message to the user: what was expected, and what was found instead. */
export function describeProblem(problem: SyntaxProblem, text: string): Diagnostic {
  const { offset, length, expected, previousEnd } = problem;
  const here = spanOfOffsets(text, offset, length);
  if (expected === undefined) return syntaxError(here, problem.message ?? '', problem.hint);
  const image = text.slice(offset, offset + length);
  const shown = image.length > 20 ? `${image.slice(0, 20)}...` : image;
  const word = expected === 'a name' && isKeyword(image) ? 'the keyword ' : '';
  const found = length === 0 ? 'the file ends' : `found ${word}'${shown}'`;
  // What is missing at the end of a line is shown there, and not where the next line starts.
  const closing = /^'[^\w]'$/.test(expected);
  const late = length === 0 || (closing && text.slice(previousEnd, offset).includes('\n'));
  return syntaxError(
    late ? spanOfOffsets(text, previousEnd, 1) : here,
    `expected ${expected} but ${found}`,
    hintFor(problem, text),
  );
}
