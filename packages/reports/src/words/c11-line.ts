import { enumerate } from '@fencewright/ground/base/number-words.js';
import type { GraphEvent } from '@fencewright/model/c11/execution-graph.js';
import { noFreedUse, noOtherUse } from '@fencewright/model/program/assumption.js';
import type { Program } from '@fencewright/model/program/program.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { C11Race, C11Result, C11Violation } from '@fencewright/model/verdict/c11-result.js';
import {
  assumptionsAboutC11,
  eventLine,
  eventNoun,
  failingClaim,
  limitInWords,
  notLookedAtInC11,
  waitInWords,
} from './c11-words.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { answerWord } from './answer-in-words.js';
import type { Headline } from './headline.js';

const plurals = { read: 'loads', write: 'stores', update: 'updates', fence: 'fences' } as const;

/**
 * Returns one or more events of a graph in words; two of one kind at one line, as threads with
 * equal code have, are named once, in the plural.
 */
function eventsInWords(program: Program, events: readonly GraphEvent[]): string {
  const lines = events.map((event) => eventLine(program, event));
  const [one, other] = events;
  if (one && one.kind === other?.kind && lines[0] !== '' && lines[0] === lines[1])
    return `the ${plurals[one.kind]}${lines[0]}`;
  return enumerate(events.map((event, i) => `the ${eventNoun(program, event)}${lines[i]}`));
}

/** The words between the sentence on an execution and the advice that excludes this execution. */
const against = '; against this execution, ';

/**
 * Returns the advice for excluding the execution, `make it acquire`; empty if no advice is known.
 * Other executions may need other orders.
 */
function adviceOn(program: Program, { graph, event, preventedBy = [] }: C11Violation): string {
  const [first, second] = preventedBy;
  if (!first) return '';
  if (!second && first.event === event) return `${against}make it ${first.order}`;
  const changes =
    second?.order === first.order ? [[first, second]] : preventedBy.map((one) => [one]);
  const words = changes.map((some) => {
    const events = some.map((one) => graph.events[one.event]!);
    return `${eventsInWords(program, events)} ${some[0]!.order}`;
  });
  return `${against}make ${enumerate(words)}`;
}

/** Returns the behaviour that C11 allows and SC does not, without advice. */
function violationInWords(program: Program, violation: C11Violation): string {
  const { graph, event, kind } = violation;
  const one = graph.events[event]!;
  const who = `the ${eventNoun(program, one)}${eventLine(program, one)}`;
  if (kind === 'load-buffering') return `${who} may be executed behind a later store`;
  return one.kind === 'read'
    ? `${who} may see an old value`
    : `${who} may stand before a newer store`;
}

function raceInWords(program: Program, { graph, first, second, late }: C11Race): string {
  const nameOf = (index: number): string => {
    const event = graph.events[index]!;
    return `the ${eventNoun(program, event)}${eventLine(program, event)}`;
  };
  const race = `${nameOf(first)} and ${nameOf(second)} race`;
  return late === undefined ? race : `${race}, if ${nameOf(late)} is executed behind a later store`;
}

/** Returns the line about a program that is not robust. */
function notRobust(
  program: Program,
  violation: C11Violation,
  { effect, assertions }: C11Result,
  isWrongOnX86: boolean,
): Omit<Headline, 'before'> {
  const what = violationInWords(program, violation);
  const advice = adviceOn(program, violation);
  const claims = assertions === 'hold' ? ', and all assertions hold' : '';
  switch (effect?.kind) {
    case 'none': {
      const rest = `: ${what}; the states that last are as in interleavings${claims}`;
      return { tone: 'good', words: answerWord.stricter, rest };
    }
    case 'no-assertion': {
      const freed = notLookedAtInC11(program);
      const rest = `: ${what}${advice}; assertions fail only as in interleavings${claims}${freed}`;
      return { tone: 'doubtful', words: 'not robust', rest };
    }
    case 'states-differ': {
      const rest = `: ${what}${advice}; some states that last are not those of interleavings${claims}`;
      return { tone: 'doubtful', words: 'not robust', rest };
    }
    case 'assertion-fails': {
      const { execution } = effect;
      const why = `${violationInWords(program, execution)}${adviceOn(program, execution)}`;
      const rest = `: ${failingClaim(program, effect)} can fail: ${why}`;
      return { tone: 'bad', words: 'not robust', rest };
    }
    case 'waits': {
      const rest = `: ${waitInWords(program, effect)}${adviceOn(program, effect.execution)}`;
      return { tone: 'bad', words: 'not robust', rest };
    }
    default: {
      const freed = notLookedAtInC11(program);
      // x86 is one of the machines that C11 is compiled to: C11 has all executions of x86.
      if (isWrongOnX86) {
        const rest = `: ${what}${advice}; what goes wrong on x86 goes wrong here, too`;
        return { tone: 'bad', words: 'not robust', rest };
      }
      const rest = `: ${what}${advice}; whether it matters is not decided${freed}`;
      return { tone: 'doubtful', words: 'not robust', rest };
    }
  }
}

/**
 * Returns the result of a check against C11, in one line, for a program that was checked for x86;
 * `races` are the data races and uses of freed memory that the check for x86 has found, `answer`
 * the answer about x86.
 */
export function c11InOneLine(
  program: Program,
  result: C11Result,
  { races, answer }: Pick<CheckResult, 'races' | 'answer'> = {},
): Headline {
  const { verdict, race, assertions } = result;
  const all = assumptionsAboutC11(program, result);
  const where = all.some(({ name }) => name === noOtherUse.name) ? ' for this main' : '';
  // Whether the orders place each use of memory before its free is not known.
  const areEnough = all.every(({ name }) => name !== noFreedUse.name);
  const assumptions = all.filter(({ name }) => name !== noOtherUse.name);
  const assumed =
    assumptions.length > 0 ? `, if ${enumerate(assumptions.map(({ text }) => text))}` : '';
  const before = 'C11, any machine: ';
  // After a use of freed memory the behaviour is undefined, whatever the memory orders.
  if (result.freedUse ?? races?.freedUses[0])
    return { tone: 'bad', before, words: 'undefined', rest: ': freed memory is used' };
  if (typeof race === 'object')
    return { tone: 'bad', before, words: 'undefined', rest: `: ${raceInWords(program, race)}` };
  switch (verdict.kind) {
    case 'robust': {
      const claims = assertions === 'hold' ? ', and all assertions hold' : '';
      return {
        tone: 'good',
        before,
        words: 'robust',
        rest: `${areEnough ? ', its orders are enough' : ''}${where}${claims}${assumed}`,
      };
    }
    case 'not-robust':
      return {
        before,
        ...notRobust(
          program,
          verdict.violation,
          result,
          answer?.kind === 'breaks' || answer?.kind === 'hangs',
        ),
      };
    case 'unknown': {
      const { limit } = verdict;
      const rest = limit
        ? `: ${limitInWords(program, limit, verdict)}`
        : ': not looked at to the end';
      return { tone: 'doubtful', before, words: 'undecided', rest };
    }
    default:
      return unreachable(verdict);
  }
}
