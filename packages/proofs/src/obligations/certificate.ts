import { printableLine } from '@fencewright/ground/source/quote-name.js';
import type { SolverQuestion } from './obligation.js';
import { operatorPrelude } from '../steps/terms.js';
import { countOf } from '@fencewright/ground/base/number-words.js';

/**
 * Returns the questions of a proof as one SMT-LIB 2 script: the claims hold iff a solver answers
 * `unsat` to every `check-sat`. `head` holds comment lines for the beginning.
 */
export function certificateScript(
  questions: readonly Pick<SolverQuestion, 'claim' | 'script'>[],
  head: readonly string[],
): string {
  const parts = questions.map(
    ({ claim, script }) =>
      `(push 1)\n; ${printableLine(claim.replaceAll('\n', ' '))}\n${script}\n(check-sat)\n(pop 1)\n`,
  );
  return [
    ...head.map((line) => `; ${printableLine(line)}\n`),
    `; ${countOf(questions.length, 'question')}; every answer has to be unsat\n`,
    '(set-logic ALL)\n',
    `${operatorPrelude}\n\n`,
    parts.join('\n'),
  ].join('');
}
