import { lineInFile } from '@fencewright/ground/source/line-in-file.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { Program } from '@fencewright/model/program/program.js';
import { memoryModels, type RelaxedModel } from '@fencewright/model/trace/memory-model.js';
import { freedUseShown } from '@fencewright/model/verdict/freed-use-shown.js';
import {
  type AnsweredInstances,
  isWorseThanDeadlock,
  type StateAnswer,
} from '@fencewright/model/verdict/state-answer.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { answerInWords, answerWord, whyInWords } from './answer-in-words.js';
import {
  behindRaces,
  deadlockHeadline,
  freedUsesHeadline,
  type Headline,
  headlineInWords,
} from './headline.js';
import { scopeInWords } from './scope-in-words.js';
import { differenceLines } from './state-in-words.js';
import { underHappensBefore, verdictMeaning } from './verdict-meaning.js';
import { whyUndecided } from './why-undecided.js';
import { isWrongAnyway } from './wrong-anyway.js';

/** The beginning of a report on a check, in every format. */
export interface Opening {
  /** The main sentence of the answer, to follow the program's name. */
  readonly headline: Headline;
  /** Values and places of the state that only TSO reaches, if the headline is about it. */
  readonly difference: readonly string[];
  /** Sentences on the scope of the headline and on the evidence for it. */
  readonly grounds: readonly (Headline | string)[];
}

/** Returns the verdict as a sentence about the program: `is robust: TSO adds nothing to ...`. */
export function verdictInWords({
  verdict,
  happensBefore,
  scope,
  diagnostics,
}: Pick<CheckResult, 'verdict' | 'happensBefore' | 'scope' | 'diagnostics'>): Headline {
  const under = underHappensBefore(happensBefore) + (scope ? ` ${scopeInWords(scope)}` : '');
  switch (verdict.kind) {
    case 'robust':
    case 'not-robust': {
      const isGood = verdict.kind === 'robust';
      return {
        ...{
          tone: isGood ? 'good' : 'bad',
          before: 'is ',
          words: isGood ? 'robust' : 'not robust',
        },
        rest: `${under}: ${verdictMeaning[happensBefore][verdict.kind]}`,
      };
    }
    case 'unknown': {
      const rest = `${under}: ${whyUndecided(verdict)}`;
      return { tone: 'doubtful', before: 'is ', words: 'undecided', rest };
    }
    case 'error': {
      const isOurs = diagnostics.some(({ code }) => code === 'FW4001' || code === 'FW4002');
      // The first error says why an execution ends; its message may point to a place by "here".
      const fault = diagnostics.find(({ severity }) => severity === 'error');
      const place = fault?.span ? ` (${lineInFile(fault.span)})` : '';
      const why = isOurs
        ? 'the engine could not run (see the messages)'
        : `an execution of the program ends in a fault: ${fault ? fault.message + place : 'see the messages'}`;
      return { tone: 'bad', words: 'cannot be decided', rest: `: ${why}` };
    }
    default:
      return unreachable(verdict);
  }
}

/** Returns an answer as a sentence: `undecided: whether TSO breaks mutex is open: ...`. */
export function answerSentence(
  program: Program,
  answer: StateAnswer,
  answered?: AnsweredInstances,
  model: RelaxedModel = 'TSO',
): Headline {
  const tone = {
    ...{ breaks: 'bad', 'wrong-under-sc': 'bad', hangs: 'bad', differs: 'doubtful' },
    ...{ stricter: 'good', robust: 'good', unknown: 'doubtful' },
  }[answer.kind] as Headline['tone'];
  const rest = `: ${answerInWords(program, answer, answered, model)}`;
  return { tone, words: answerWord[answer.kind], rest };
}

/**
 * Returns the lines on the state that only TSO reaches; empty if the answer is about something
 * else.
 */
export function differenceOf(
  program: Program,
  answer: StateAnswer,
  answered?: AnsweredInstances,
): readonly string[] {
  return answer.kind === 'differs'
    ? differenceLines(
        answered?.shown?.program ?? answered?.templates ?? program,
        answer.state,
        answer.varying,
      )
    : [];
}

function furtherGrounds(
  program: Program,
  answer: StateAnswer,
  races: CheckResult['races'],
): readonly string[] {
  if (answer.kind === 'differs' && answer.openHangs)
    return [`whether a thread waits for ever is open: ${whyInWords(program, answer.openHangs)}`];
  // Uses of freed memory may do harm although the states agree.
  if (answer.kind === 'stricter' && !races?.freedUses[0])
    return [
      `${answerWord.stricter}: with empty buffers TSO reaches what SC reaches: memory, where threads stand, and registers that are still read or shown at the end`,
    ];
  return [];
}

/**
 * Returns the beginning of a report that has no answer about claims and states. The headline is the
 * verdict, except for a program that uses freed memory, which is wrong whatever the verdict.
 */
function openingOnVerdict(program: Program, result: CheckResult): Opening {
  const {
    answer,
    answered,
    races,
    verdict: { kind },
  } = result;
  const verdict = verdictInWords(result);
  const used =
    kind === 'error'
      ? undefined
      : freedUsesHeadline(program, { answer, races }, memoryModels.TSO.processors);
  return {
    headline: used ?? (kind === 'robust' ? behindRaces(races, verdict) : verdict),
    difference: [],
    grounds: [
      ...(used ? [{ ...verdict, before: 'it is ' }] : []),
      ...(answer ? [answerSentence(program, answer, answered)] : []),
    ],
  };
}

/** Returns the beginning of a report on a check. */
export function openingOf(program: Program, result: CheckResult): Opening {
  const { answer, answered, races, deadlocks } = result;
  const verdict = verdictInWords(result);
  const isDecided = result.verdict.kind === 'robust' || result.verdict.kind === 'not-robust';
  const headline =
    answer && isDecided && headlineInWords(program, answer, answered, races, { deadlocks });
  if (!answer || !headline) return openingOnVerdict(program, result);
  const further = isWorseThanDeadlock(answer)
    ? deadlockHeadline(answered?.templates ?? program, deadlocks)
    : undefined;
  return {
    headline,
    // A headline on a deadlock or on freed memory is not about the state that only TSO reaches.
    difference:
      isWrongAnyway(result) || freedUseShown(result) ? [] : differenceOf(program, answer, answered),
    grounds: [
      ...(further ? [{ ...further, before: 'it ' }] : []),
      { ...verdict, before: 'it is ' },
      ...furtherGrounds(answered?.templates ?? program, answer, races),
    ],
  };
}
