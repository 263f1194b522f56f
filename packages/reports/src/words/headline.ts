import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { countOf, enumerate } from '@fencewright/ground/base/number-words.js';
import type { Program } from '@fencewright/model/program/program.js';
import { claimsExistence } from '@fencewright/model/program/property.js';
import { memoryModels, type RelaxedModel } from '@fencewright/model/trace/memory-model.js';
import type { RaceFindings } from '@fencewright/model/verdict/data-race.js';
import type { DeadlockFindings } from '@fencewright/model/verdict/hang.js';
import { freedUseShown } from '@fencewright/model/verdict/freed-use-shown.js';
import {
  type AnsweredInstances,
  type Claim,
  isWorseThanDeadlock,
  type SoughtStates,
  type StateAnswer,
} from '@fencewright/model/verdict/state-answer.js';
import { asksForState } from '@fencewright/model/verdict/answer-over-all.js';
import { claimsInWords } from './answer-in-words.js';
import { freedUseInWords } from './freed-use-words.js';
import { hangPlaces, waitingInWords } from './hang-in-words.js';
import { notLookedAt } from './not-looked-at.js';
import { anyNumberInWords, scopeInWords } from './scope-in-words.js';
import { haveAllEnded } from './state-in-words.js';

/** A sentence in parts: the coloured words, and the words before and after them. */
export interface Headline {
  /** Whether the answer is good news, bad news, or neither. */
  readonly tone: 'good' | 'bad' | 'doubtful';
  /**
   * The words before the coloured words, such as `is `; absent if the coloured words come first.
   */
  readonly before?: string;
  /** The coloured words, such as `breaks on x86`. */
  readonly words: string;
  /** The words after the coloured words, such as `: mutex can fail`. */
  readonly rest: string;
}

/** Returns a headline from its parts in the order of the sentence. */
export function said(tone: Headline['tone'], before: string, words: string, rest = ''): Headline {
  return { tone, before, words, rest };
}

/** The rest of a headline on a program whose executions fault. */
const faults = ': an execution of the program ends in a fault (see the messages)';
export const faultHeadline = said('bad', '', 'cannot be decided', faults);

/** Returns a headline as a text without colours. */
export function headlineText({ before = '', words, rest }: Headline): string {
  return `${before}${words}${rest}`;
}

/**
 * Returns the words after the coloured words of a headline as a line of its own; empty if there are
 * none. The line may begin with a name, and so has no capital letter.
 */
export function leadOf({ words, rest }: Headline): string {
  if (rest === '') return '';
  // A scope, such as ` for any number of copies`, needs the words before it.
  return rest.startsWith(' ') ? `${words}${rest}.` : `${rest.replace(/^[\s:;,]+/, '')}.`;
}

/** Returns whether the program claims anything: a property or an assertion. */
export function claimsAnything(program: Program): boolean {
  const { properties, assertions } = notLookedAt(program);
  return properties.length + assertions > 0;
}

/** Returns whether the program claims anything besides the states that it asks for. */
function claimsToHold(program: Program): boolean {
  const { assertions } = notLookedAt(program);
  return program.properties.some((one) => !claimsExistence(one)) || assertions > 0;
}

/** Returns which of the states asked for are reached; empty if there are none, or unknown. */
function soughtInWords(
  program: Program,
  { reached = [], neverReached = [] }: SoughtStates,
): string {
  const isOrAre = (claims: readonly Claim[]): string => (claims.length === 1 ? 'is' : 'are');
  return [
    ...(reached.length > 0
      ? [
          `${claimsInWords(program, reached)} ${isOrAre(reached)} reached without store buffers already`,
        ]
      : []),
    ...(neverReached.length > 0
      ? [`${claimsInWords(program, neverReached)} ${isOrAre(neverReached)} never reached`]
      : []),
  ].join('; ');
}

/**
 * Returns a headline that begins with the number of data races, which leave the program undefined
 * in C, and ends with the given headline as a statement on the compiled program. Without data
 * races, returns the given headline.
 */
export function behindRaces(races: RaceFindings | undefined, headline: Headline): Headline {
  const number = races?.races.length ?? 0;
  if (number === 0) return headline;
  const found = countOf(number, 'data race');
  return {
    tone: 'doubtful',
    words: `has ${found}, which C leaves undefined`,
    rest: ` (see the messages); as compiled, it ${headlineText(headline)}`,
  };
}

/**
 * Returns the sentence on uses of freed memory, to follow the program's name; `undefined` if none
 * was found.
 */
export function freedUsesHeadline(
  program: Program,
  { answer, races }: Parameters<typeof freedUseShown>[0],
  machine: string,
): Headline | undefined {
  const first = freedUseShown({ answer, races });
  if (!first) return undefined;
  const [where, only] =
    first.model === 'SC'
      ? ['even without store buffers', '']
      : [`on ${machine}`, ', and does not without store buffers'];
  const others = (races?.freedUses.length ?? 1) - 1;
  const more = others > 0 ? `, and in ${countOf(others, 'more place')} (see the messages)` : '';
  return {
    tone: 'bad',
    words: `uses freed memory ${where}`,
    rest: `${only}: ${freedUseInWords(program, first)}${more}`,
  };
}

/** The facts that a headline takes into account, besides the answer. */
export interface HeadlineOptions {
  /** The memory model that is compared with SC; TSO if absent. */
  readonly model?: RelaxedModel;
  readonly deadlocks?: DeadlockFindings | undefined;
}

/**
 * Returns the sentence on a deadlock without store buffers, to follow the program's name;
 * `undefined` if none is known.
 */
export function deadlockHeadline(
  program: Program,
  deadlocks: DeadlockFindings | undefined,
): Headline | undefined {
  if (deadlocks?.kind !== 'found' || deadlocks.waiting.length === 0) return undefined;
  const places = deadlocks.waiting.map((one) => waitingInWords(program, one)).join('; ');
  return {
    tone: 'bad',
    words: 'can deadlock even without store buffers',
    rest: `: ${places}; no fence helps`,
  };
}

/**
 * Returns the sentence that decides what a reader does next, to follow the program's name:
 * `breaks on x86: mutex can fail`; `undefined` if the question is open. `races` are the data races
 * that were found.
 */
export function headlineInWords(
  program: Program,
  answer: StateAnswer,
  answered?: AnsweredInstances,
  races?: RaceFindings,
  { model = 'TSO', deadlocks }: HeadlineOptions = {},
): Headline | undefined {
  const machine = memoryModels[model].processors;
  const { templates = program, names = [], shown } = answered ?? {};
  const deadlock = deadlockHeadline(templates, deadlocks);
  if (deadlock && !isWorseThanDeadlock(answer)) return deadlock;
  const used = freedUsesHeadline(templates, { answer, races }, machine);
  if (used && answer.kind !== 'unknown') return used;
  const where = shown ? ` ${scopeInWords({ kind: 'instance', copies: shown.copies })}` : '';
  const all = names.length > 0 ? `, for ${anyNumberInWords(names)}` : '';
  const nothingFails = claimsAnything(templates) ? ': nothing that it claims can fail' : '';
  switch (answer.kind) {
    case 'breaks': {
      const failing = answer.claims.filter((claim) => !asksForState(templates, claim));
      const reached = answer.claims.filter((claim) => asksForState(templates, claim));
      const parts = [
        ...(failing.length > 0 ? [`${claimsInWords(templates, failing)} can fail`] : []),
        ...(reached.length > 0 ? [`${claimsInWords(templates, reached)} can be reached`] : []),
      ];
      return {
        tone: 'bad',
        words: `breaks on ${machine}${where}`,
        rest: `: ${parts.join('; ')}, and cannot without store buffers`,
      };
    }
    case 'wrong-under-sc':
      return {
        tone: 'bad',
        words: `is wrong even without store buffers${where}`,
        rest: `: ${claimsInWords(templates, answer.claims)} can fail, and no fence helps`,
      };
    case 'hangs': {
      const about = shown?.program ?? templates;
      const hangs = answer.hangs.map((hang) => hangPlaces(about, hang));
      return {
        tone: 'bad',
        words: `can hang on ${machine}${where}`,
        rest: `: ${enumerate(hangs)}`,
      };
    }
    case 'differs': {
      const ends = haveAllEnded(shown?.program ?? templates, answer.state);
      const words = ends
        ? `ends on ${machine}${where} as it never does without store buffers`
        : `reaches on ${machine}${where} what it never reaches without store buffers`;
      return behindRaces(races, { tone: 'doubtful', words, rest: nothingFails });
    }
    case 'stricter':
    case 'robust':
      return behindRaces(races, fineHeadline(templates, answer, machine, all));
    case 'unknown':
      return undefined;
    default:
      return unreachable(answer);
  }
}

/**
 * Returns the headline on a program of which TSO breaks nothing; `all` names the threads of which
 * there may be any number of copies.
 */
function fineHeadline(
  templates: Program,
  answer: Extract<StateAnswer, { kind: 'stricter' | 'robust' }>,
  machine: string,
  all: string,
): Headline {
  const sought = soughtInWords(templates, answer);
  if (claimsToHold(templates))
    return {
      tone: 'good',
      words: `holds on ${machine} as it stands`,
      rest: `: nothing that it claims can fail${sought === '' ? '' : `; ${sought}`}${all}`,
    };
  if (answer.neverReached && answer.reached?.length === 0)
    return {
      tone: 'good',
      words: `never reaches ${claimsInWords(templates, answer.neverReached)} on ${machine}`,
      rest: all,
    };
  if (sought !== '')
    return {
      tone: 'good',
      words: `needs no further fence on ${machine}`,
      rest: `: ${sought}${all}`,
    };
  const what = answer.kind === 'robust' ? 'it behaves' : 'what it ends in is';
  return {
    tone: 'good',
    words: `needs no further fence on ${machine}`,
    rest: `: ${what} as without store buffers${all}`,
  };
}
