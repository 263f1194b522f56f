import type { Program } from '@fencewright/model/program/program.js';
import { claimsExistence } from '@fencewright/model/program/property.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type {
  AnsweredInstances,
  Claim,
  StateAnswer,
} from '@fencewright/model/verdict/state-answer.js';
import { claimInWords } from '../words/answer-in-words.js';
import { hangTitle } from '../words/hang-in-words.js';
import { scopeInWords } from '../words/scope-in-words.js';
import { statementSnippet } from './source-excerpt.js';

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

/**
 * Returns the title of the execution that shows an answer, and a description of its last state;
 * `undefined` if no execution shows the answer.
 */
export function answerRunWords(
  program: Program,
  source: string,
  answer: StateAnswer,
  answered?: AnsweredInstances,
): AnswerRunWords | undefined {
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
