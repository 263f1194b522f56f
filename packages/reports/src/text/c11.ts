import { countOf, formatDuration } from '@fencewright/ground/base/number-words.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { lineInFile } from '@fencewright/ground/source/line-in-file.js';
import {
  type EndedSequence,
  sequenceEndedInExecution,
  sequenceEndedInRace,
} from '@fencewright/model/c11/ended-sequence.js';
import type { ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type {
  C11Effect,
  C11Race,
  C11Result,
  C11Violation,
  FailingAssertion,
} from '@fencewright/model/verdict/c11-result.js';
import { threadName } from '../words/action-words.js';
import { answerWord } from '../words/answer-in-words.js';
import {
  assumptionsAboutC11,
  c11LimitInWords,
  eventInWords,
  eventLine,
  eventNoun,
  eventOfThread,
  failingClaim,
  newerStores,
  placeOfEvent,
  storeInWords,
  wayOnC11,
} from '../words/c11-words.js';
import { assumptionLines } from '../words/assumption-lines.js';
import { hintOnC11 } from '../words/hint-on-check.js';
import { reasonInWords } from '../words/reason-in-words.js';
import type { Subject } from '../words/subject.js';
import { titleOf } from './check.js';
import { hintLines } from './hint-lines.js';
import type { Palette } from './palette.js';

export const modelNames = { c11: 'C11', ra: 'C11 with seq_cst accesses as acq_rel' } as const;

/** An event of an execution in words. */
interface GraphRow {
  readonly thread: ThreadId;
  /** The thread, the line, the event, and the store that is read. */
  readonly cells: readonly string[];
  readonly isMarked: boolean;
}

/** Returns the events of all threads, in program order, with the stores read. */
export function graphRows(
  program: Program,
  graph: ExecutionGraph,
  marked: readonly number[],
): readonly GraphRow[] {
  const rows = graph.events.flatMap((event, index) => {
    if (event.thread === undefined) return [];
    const newer = newerStores(graph, index);
    const seen = event.from === undefined ? '' : `saw ${storeInWords(program, graph, event.from)}`;
    const old =
      marked.includes(index) && newer.length > 0
        ? `; ${newer.map((store) => storeInWords(program, graph, store)).join(' and ')} ${newer.length > 1 ? 'are' : 'is'} newer`
        : '';
    const cells = [
      threadName(program, event.thread),
      placeOfEvent(program, event),
      eventInWords(program, event),
      (seen + old).replace(/^; /, ''),
    ];
    return [{ thread: event.thread, cells, isMarked: marked.includes(index) }];
  });
  return rows.toSorted((a, b) => a.thread - b.thread);
}

/** Returns the events of all threads, in program order, as lines. */
function graphLines(
  program: Program,
  graph: ExecutionGraph,
  marked: readonly number[],
  palette: Palette,
): string[] {
  const sorted = graphRows(program, graph, marked);
  const widths = [0, 1, 2].map((column) =>
    Math.max(...sorted.map(({ cells }) => cells[column]!.length)),
  );
  return sorted.map(({ cells, isMarked }) => {
    const line = cells
      .map((cell, column) => (column < 3 ? cell.padEnd(widths[column]!) : cell))
      .join('  ')
      .trimEnd();
    return isMarked ? `  > ${palette.strong(line)}` : `    ${line}`;
  });
}

/**
 * Returns the sentences on the standard without which an execution, or a race, would not exist;
 * empty if it exists in all standards.
 */
function standardLine(
  program: Program,
  graph: ExecutionGraph,
  ended: EndedSequence | undefined,
): string {
  if (!ended) return '';
  const [head, store] = [ended.head, ended.store].map((index) =>
    storeInWords(program, graph, index),
  );
  return `In C++20 ([intro.races]), ${store} ends the release sequence of ${head}. In C11 (5.1.2.4) and up to C++17, later stores of the same thread continue it, and exclude this.`;
}

/**
 * Returns the sentences on the changes that exclude an execution: stronger orders, or older
 * standards.
 */
export function preventionLine(program: Program, violation: C11Violation): string {
  const ended = sequenceEndedInExecution(violation.graph, 'c11');
  const standard = standardLine(program, violation.graph, ended);
  return [ordersLine(program, violation), standard].join(' ').trim();
}

function ordersLine(program: Program, { graph, preventedBy }: C11Violation): string {
  if (!preventedBy) return 'One or two stronger orders do not exclude this execution.';
  const changes = preventedBy.map(({ event, order }) => {
    const one = graph.events[event]!;
    const owner = one.thread === undefined ? '' : ` by ${threadName(program, one.thread)}`;
    return `${order} at the ${eventNoun(program, one)}${owner}${eventLine(program, one)}`;
  });
  return `This execution is excluded by ${changes.join(', together with ')}.`;
}

/**
 * Returns a violation as a sentence without a full stop: the behaviour that C11 allows and SC does
 * not.
 */
export function violationInWords(program: Program, { graph, event, kind }: C11Violation): string {
  const one = graph.events[event]!;
  const who = eventOfThread(program, one);
  const [newest] = newerStores(graph, event).slice(-1);
  if (kind === 'load-buffering')
    return `${who} may be executed after a later store of its thread, and see an effect of that store: C++20 allows this execution ([atomics.order]), and so do ARM, POWER and RISC-V; the strict model RC20 excludes it`;
  const newer = newest === undefined ? 'a newer store' : storeInWords(program, graph, newest);
  return one.kind === 'read'
    ? `${who} may see ${storeInWords(program, graph, one.from!)}, although ${newer} comes first in every interleaving`
    : `${who} may be older than ${newer}, although every interleaving executes ${newer} first`;
}

/** Returns the lines about a violation: the behaviour that C11 allows, and an execution. */
export function violationLines(
  program: Program,
  violation: C11Violation,
  palette: Palette,
): string[] {
  const { graph, event } = violation;
  return [
    `  ${violationInWords(program, violation)}`,
    '',
    'An execution that no order of all events explains; the events of each thread, with the stores they read:',
    ...graphLines(program, graph, [event], palette),
    preventionLine(program, violation),
  ];
}

/** Returns the two accesses of a data race, as a sentence without a full stop. */
export function raceInWords(program: Program, { graph, first, second }: C11Race): string {
  const [one, other] = [first, second].map((index) => eventOfThread(program, graph.events[index]!));
  return `${one} and ${other} are not ordered, and one of them is plain: undefined behaviour in C11`;
}

/**
 * Returns the line on the standard without which a race would not exist; empty if the race exists
 * in all standards.
 */
function raceLines(program: Program, { graph, first, second }: C11Race): readonly string[] {
  const ended = sequenceEndedInRace(graph, [first, second]);
  return ended ? [`  ${standardLine(program, graph, ended)}`] : [];
}

function verdictText(
  subject: Subject,
  { model, verdict, effect }: C11Result,
  palette: Palette,
): string[] {
  const title = palette.strong(titleOf(subject));
  const against = `against ${modelNames[model]}`;
  switch (verdict.kind) {
    case 'robust':
      return [`${title} is ${palette.good('robust')} ${against}: every execution is one of SC`];
    case 'not-robust':
      return [
        `${title} is ${palette.bad('not robust')} ${against}`,
        // If an assertion fails, the execution with the failure is printed instead of the cycle.
        ...(effect?.kind === 'assertion-fails'
          ? []
          : violationLines(subject.program, verdict.violation, palette)),
      ];
    case 'unknown': {
      const { reason, limit, at } = verdict;
      const place = at ? ` (${lineInFile(at)})` : '';
      const why = limit ? `${c11LimitInWords[limit]}${place}` : reasonInWords[reason];
      const advice = wayOnC11(subject, reason, limit);
      return [
        `${title} is ${palette.doubtful('undecided')} ${against}: ${why}`,
        ...(advice === undefined ? [] : [`  hint: ${advice}`]),
      ];
    }
    default:
      return unreachable(verdict);
  }
}

/** Returns the lines about an assertion that fails, and the execution. */
export function failureLines(
  program: Program,
  failure: FailingAssertion,
  palette: Palette,
): string[] {
  const { execution, oldReads } = failure;
  return [
    `  ${palette.bad(`${failingClaim(program, failure)} can fail`)}: ${violationInWords(program, execution)}`,
    '',
    'An execution in which it fails; for each thread, what it did and saw:',
    ...graphLines(program, execution.graph, oldReads, palette),
    preventionLine(program, execution),
  ];
}

/**
 * Returns the lines on the effect of the violations on states and assertions, for a program that is
 * not robust.
 */
function effectLines(program: Program, effect: C11Effect, palette: Palette): string[] {
  switch (effect.kind) {
    case 'none':
      return [
        `  ${palette.good(answerWord.stricter)}: the states that last, and the assertions that fail, are those of SC`,
      ];
    case 'no-assertion':
      return [
        '  assertions fail only as under SC; whether the states that last differ is not known',
      ];
    case 'assertion-fails':
      return failureLines(program, effect, palette);
    case 'unknown':
      return ['  whether it matters is not decided'];
    default:
      return unreachable(effect);
  }
}

/** Returns the line about assertions; none if the program has none. */
function assertionLines({ assertions, effect }: C11Result): string[] {
  switch (assertions) {
    case 'none':
      return [];
    case 'hold':
      return ['  all assertions hold'];
    case 'fail':
      return effect?.kind === 'assertion-fails' ? [] : ['  an assertion fails under SC'];
    case 'unknown':
      return ['  whether the assertions hold is not known'];
  }
}

/** Returns the report on robustness against C11. */
export function c11Report(
  subject: Subject,
  result: C11Result,
  { palette }: { readonly palette: Palette },
): string {
  const { program } = subject;
  const { race, states, milliseconds, verdict } = result;
  const lines = verdictText(subject, result, palette);
  if (typeof race === 'object')
    lines.push(
      `  ${palette.bad('data race')}: ${raceInWords(program, race)}`,
      ...raceLines(program, race),
    );
  else if (race === 'none' && verdict.kind === 'robust' && program.symbols.some((s) => s.isPlain))
    lines.push('  no data race');
  if (result.effect) lines.push(...effectLines(program, result.effect, palette));
  lines.push(...assertionLines(result));
  lines.push(...hintLines(hintOnC11(subject, result, true), palette));
  lines.push(
    ...assumptionLines({
      assumptions: [...(program.assumptions ?? []), ...assumptionsAboutC11(program, result)],
    }).map((line) => palette.faint(`  ${line}`)),
  );
  // The text may be in an older version of the language.
  const rules = result.model === 'c11' ? ', by the rules of C++20' : '';
  lines.push(
    palette.faint(`  ${countOf(states, 'state')} in ${formatDuration(milliseconds)}${rules}`),
  );
  return `${lines.join('\n')}\n`;
}
