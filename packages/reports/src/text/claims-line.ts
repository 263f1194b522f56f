import type { Program } from '@fencewright/model/program/program.js';
import type { AnsweredInstances, StateAnswer } from '@fencewright/model/verdict/state-answer.js';
import { headlineInWords } from '../words/headline.js';
import { answerSentence } from '../words/opening.js';
import { titleOf } from './check.js';
import type { Palette } from './palette.js';
import { headlineLine } from './print-text.js';

/** Returns the answer about the claims of a program in one line, with the file and the program. */
export function claimsLine(
  { file, program }: { readonly file: string; readonly program: Program },
  answer: StateAnswer,
  answered: AnsweredInstances | undefined,
  palette: Palette,
): string {
  const sentence =
    headlineInWords(program, answer, answered) ?? answerSentence(program, answer, answered);
  return headlineLine(titleOf({ file, program }), sentence, palette);
}
