import type { Program } from '@fencewright/model/program/program.js';
import { claimsExistence } from '@fencewright/model/program/property.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { FreedUse } from '@fencewright/model/verdict/data-race.js';
import { freedUseShown } from '@fencewright/model/verdict/freed-use-shown.js';
import type { Claim } from '@fencewright/model/verdict/state-answer.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { findTransition, threadName } from '../words/action-words.js';
import { claimInWords } from '../words/answer-in-words.js';
import { hangTitle } from '../words/hang-in-words.js';
import { scopeInWords } from '../words/scope-in-words.js';
import type { Subject } from '../words/subject.js';
import { lineSnippet, statementSnippet } from './source-excerpt.js';

/** An execution that shows an answer, in words. */
interface AnswerRunWords {
  /** The title of the execution, such as `How mutex breaks`. */
  readonly title: string;
  /** A description of the last state of the execution. */
  readonly end: string;
}

function spanOf(program: Program, claim: Claim): Span | undefined {
  return claim.kind === 'property'
    ? program.properties[claim.property]?.span
    : program.threads[claim.thread]?.transitions[claim.transition]?.origin.span;
}

/** Returns the title and the end of the execution of a use of freed memory. */
function freedUseWords(
  program: Program,
  source: string,
  { use, cell, model }: FreedUse,
): AnswerRunWords {
  const found = findTransition(program, use.thread, use.transition);
  const { block, span } = found?.transition.origin ?? {};
  const without = model === 'SC' ? ', without store buffers' : '';
  const what = block === 'freed' ? 'frees memory twice' : 'uses freed memory';
  const text = span && !span.source ? `: ${lineSnippet(source, span)}` : '';
  const end = block === 'freed' ? `frees '${cell}' again` : `accesses '${cell}' of a freed block`;
  return {
    title: `How ${threadName(program, use.thread)} ${what}${without}`,
    end: `The last step ${end}${text}`,
  };
}

/**
 * Returns the title of the execution that shows an answer, and a description of its last state;
 * `undefined` if no execution shows the answer.
 */
export function answerRunWords(
  { program, source }: Pick<Subject, 'program' | 'source'>,
  { answer, answered, races }: Pick<CheckResult, 'answer' | 'answered' | 'races'>,
): AnswerRunWords | undefined {
  const used = freedUseShown({ answer, races });
  if (used) return freedUseWords(program, source, used);
  if (!answer) return undefined;
  const { templates = program, shown } = answered ?? {};
  const where = shown ? ` ${scopeInWords({ kind: 'instance', copies: shown.copies })}` : '';
  if (answer.kind === 'differs')
    return {
      title: `How TSO gets to another state${where}`,
      end: 'All buffers are empty now; no execution without buffers reaches this state.',
    };
  if (answer.kind === 'hangs')
    return {
      title: `How ${hangTitle(shown?.program ?? templates, answer.hangs[0])}${where}`,
      end: 'All buffers are empty, and no later step needs a buffer: the wait is for ever.',
    };
  if (answer.kind !== 'breaks' && answer.kind !== 'wrong-under-sc') return undefined;
  const [claim] = answer.claims;
  if (!claim) return undefined;
  const name = claimInWords(templates, claim);
  const span = spanOf(templates, claim);
  const text = span && !span.source ? `: ${statementSnippet(source, span)}` : '';
  const without = answer.kind === 'breaks' ? '' : ', without store buffers';
  if (claim.kind === 'assertion')
    return {
      title: `How ${name} fails${where}${without}`,
      end: `The last step fails the assertion${text}`,
    };
  const property = templates.properties[claim.property];
  const isQuestion = property !== undefined && claimsExistence(property);
  return isQuestion
    ? { title: `How ${name} is reached${where}`, end: `This state satisfies the condition${text}` }
    : {
        title: `How ${name} fails${where}${without}`,
        end: `The property does not hold in this state${text}`,
      };
}
