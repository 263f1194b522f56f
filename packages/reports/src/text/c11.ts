import { countOf, enumerate, formatDuration } from '@fencewright/ground/base/number-words.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import {
  type EndedSequence,
  sequenceEndedInExecution,
  sequenceEndedInRace,
} from '@fencewright/model/c11/ended-sequence.js';
import type { ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import { orderingOrders, type RaisedOrder } from '@fencewright/model/c11/preventing-orders.js';
import type { SeenOn } from '@fencewright/model/c11/seen-on.js';
import type { Program } from '@fencewright/model/program/program.js';
import type {
  C11Claim,
  C11Effect,
  C11Race,
  C11Result,
  C11Violation,
  FailingAssertion,
} from '@fencewright/model/verdict/c11-result.js';
import type { FreedUse } from '@fencewright/model/verdict/data-race.js';
import { threadName } from '../words/action-words.js';
import { freedUseInWords } from '../words/freed-use-words.js';
import { answerWord } from '../words/answer-in-words.js';
import {
  allAssumptionsAboutC11,
  limitInWords,
  eventInWords,
  eventLine,
  eventNoun,
  eventOfThread,
  failingClaim,
  newerStores,
  notLookedAtInC11,
  placeOfEvent,
  storeInWords,
  waitInWords,
  wayOnC11,
} from '../words/c11-words.js';
import { assumptionLines } from '../words/assumption-lines.js';
import { hintOnC11 } from '../words/hint-on-check.js';
import { reasonInWords } from '../words/reason-in-words.js';
import type { Subject } from '../words/subject.js';
import { advice, notes, say, section, tables } from '../words/blocks.js';
import type { Block, Table, TonedText } from '../words/document.js';
import { type Headline, said } from '../words/headline.js';
import { titleOf } from './check.js';
import { printText } from './print-text.js';
import type { Palette } from './palette.js';

export const modelNames = { c11: 'C11', ra: 'C11 with seq_cst accesses as acq_rel' } as const;

const graphColumns = ['thread', 'line', 'event', 'store read'].map((title) => ({ title }));

/** Returns the events of all threads, in program order, with the stores read, as a table. */
export function graphTable(
  program: Program,
  graph: ExecutionGraph,
  marked: readonly number[],
): Table {
  const rows = graph.events.flatMap((event, index) => {
    const { thread, from } = event;
    if (thread === undefined) return [];
    const isMarked = marked.includes(index);
    const newer = isMarked ? newerStores(graph, index) : [];
    const seen = from === undefined ? '' : `saw ${storeInWords(program, graph, from)}`;
    const names = enumerate(newer.map((store) => storeInWords(program, graph, store)));
    const old = names === '' ? '' : `; ${names} ${newer.length > 1 ? 'are' : 'is'} newer`;
    const cells = [
      threadName(program, thread),
      placeOfEvent(program, event),
      eventInWords(program, event),
      (seen + old).replace(/^; /, ''),
    ];
    return [
      {
        thread,
        cells: cells.map((text): TonedText => (isMarked ? { text, tone: 'strong' } : text)),
      },
    ];
  });
  const sorted = rows.toSorted((a, b) => a.thread - b.thread);
  return { columns: graphColumns, rows: sorted.map(({ cells }) => cells) };
}

/** Returns the events of all threads, in program order, as lines. */
function graphBlocks(
  program: Program,
  graph: ExecutionGraph,
  marked: readonly number[],
): readonly Block[] {
  const { columns, rows } = graphTable(program, graph, marked);
  const cells = rows.map(([thread = '', ...rest]) => {
    const isMarked = typeof thread !== 'string';
    return [isMarked ? { ...thread, text: `> ${thread.text}` } : `  ${thread}`, ...rest];
  });
  return tables({ isUntitled: true, columns: columns.map(() => ({ title: '' })), rows: cells });
}

/**
 * Returns the sentences that name the standard by which an execution or a race exists; empty if it
 * exists by all standards.
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
 * Returns the sentences below an execution: the changes (stronger orders, or older standards) that
 * exclude the execution, and the processors that show the execution.
 */
export function sentencesBelow(program: Program, violation: C11Violation): string {
  const ended = sequenceEndedInExecution(violation.graph, 'c11');
  const standard = standardLine(program, violation.graph, ended);
  const sentences = [ordersLine(program, violation), standard, machinesLine(violation)];
  return sentences.filter((one) => one !== '').join(' ');
}

/** Returns the sentences on the processors that show an execution; empty if not looked at. */
function machinesLine({ seenOn = [] }: C11Violation): string {
  if (seenOn.length === 0) return '';
  const those = (wanted: SeenOn['answer']): string =>
    seenOn
      .filter(({ answer }) => answer === wanted)
      .map(({ machine }) => machine)
      .join(', ');
  const [yes, no, open] = [those('yes'), those('no'), those('unknown')];
  const parts = [
    ...(yes === '' ? [] : [`can be seen on ${yes}`]),
    ...(no === '' ? [] : [`cannot be seen on ${no}`]),
  ];
  const certain = parts.length === 0 ? '' : `By the usual mapping, it ${parts.join(', and ')}.`;
  const depends =
    open === '' ? '' : `Whether it can be seen on ${open} depends on the compiled code.`;
  return [certain, depends].filter((one) => one !== '').join(' ');
}

function ordersLine(program: Program, { graph, preventedBy }: C11Violation): string {
  return preventedBy
    ? `This execution is excluded by ${changesInWords(program, graph, preventedBy)}.`
    : 'Stronger orders at one or two of these events do not exclude this execution.';
}

/** Returns changes of orders in words: `release at the store of x by t1 at line 3`. */
function changesInWords(
  program: Program,
  { events }: ExecutionGraph,
  changes: readonly RaisedOrder[],
): string {
  const words = changes.map(({ event, order }) => {
    const one = events[event]!;
    const owner = one.thread === undefined ? '' : ` by ${threadName(program, one.thread)}`;
    return `${order} at the ${eventNoun(program, one)}${owner}${eventLine(program, one)}`;
  });
  return words.join(', together with ');
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
    return `${who} may be executed after a later store of its thread, and see an effect of that store: C++20 allows this execution ([atomics.order]), and processors that let stores overtake loads, such as ARM, may show it; the strict model RC20 excludes it`;
  const newer = newest === undefined ? 'a newer store' : storeInWords(program, graph, newest);
  return one.kind === 'read'
    ? `${who} may see ${storeInWords(program, graph, one.from!)}, although ${newer} comes first in every interleaving whose other loads see the same stores`
    : `${who} may be older than ${newer}, although every interleaving whose other loads see the same stores executes ${newer} first`;
}

/** Returns an execution with a title, and the changes that exclude the execution. */
function executionBlocks(
  program: Program,
  title: string,
  {
    execution,
    oldReads,
  }: { readonly execution: C11Violation; readonly oldReads: readonly number[] },
): readonly Block[] {
  return section(title, [
    ...graphBlocks(program, execution.graph, oldReads),
    say(sentencesBelow(program, execution), 0),
  ]);
}

/** Returns the behaviour that C11 allows, and an execution. */
export function c11ViolationBlocks(program: Program, violation: C11Violation): readonly Block[] {
  const title =
    'An execution that no order of all events explains; the events of each thread, with the stores they read:';
  const shown = { execution: violation, oldReads: [violation.event] };
  return [say(violationInWords(program, violation)), ...executionBlocks(program, title, shown)];
}

/** Returns the two accesses of a data race, as a clause. */
function racingPair(program: Program, { graph, first, second, late }: C11Race): string {
  const [one, other] = [first, second].map((index) => eventOfThread(program, graph.events[index]!));
  const pair = `${one} and ${other} are not ordered, and one of them is plain`;
  return late === undefined
    ? pair
    : `${pair}, if ${eventOfThread(program, graph.events[late]!)} is executed after a later store of its thread`;
}

/** Returns the two accesses of a data race, as a sentence without a full stop. */
export function raceInWords(program: Program, race: C11Race): string {
  return `${racingPair(program, race)}: undefined behaviour in C11`;
}

/**
 * Returns the sentence that names the standard by which a race exists; nothing if the race exists
 * by all standards.
 */
function raceStandard(program: Program, { graph, first, second }: C11Race): readonly Block[] {
  const ended = sequenceEndedInRace(graph, [first, second]);
  return ended ? [say(standardLine(program, graph, ended))] : [];
}

/** Returns an execution with a data race, the racing accesses marked. */
function raceExecution(program: Program, race: C11Race): readonly Block[] {
  const { graph, first, second } = race;
  const title = 'An execution with the race; the events of each thread, with the stores they read:';
  return [
    ...section(title, graphBlocks(program, graph, [first, second])),
    ...raceOrders(program, race),
  ];
}

/**
 * Returns the sentence on the changes of memory orders by which the two accesses of a race become
 * ordered in this execution; nothing if more than two changes are needed, or a load is late.
 */
function raceOrders(program: Program, { graph, first, second, late }: C11Race): readonly Block[] {
  const changes = late === undefined ? orderingOrders(graph, [first, second]) : undefined;
  if (!changes) return [];
  return [say(`Its two accesses are ordered by ${changesInWords(program, graph, changes)}.`, 0)];
}

/** Returns the headline on a data race, which leaves the whole program without a meaning in C. */
function raceHeadline(program: Program, race: C11Race, model: C11Result['model']): Headline {
  const rest = `, undefined behaviour in ${modelNames[model]}: ${racingPair(program, race)}`;
  return said('bad', 'has ', 'a data race', rest);
}

/** Returns the answer about a program that uses freed memory: such a program has no meaning. */
export function freedUseBlocks(
  subject: Subject,
  use: FreedUse,
  model: C11Result['model'],
): readonly Block[] {
  const { program, file, advise } = subject;
  const used = freedUseInWords(program, use);
  const rest = `, undefined behaviour in ${modelNames[model]}, whatever its orders: ${used}`;
  const headline = said('bad', '', 'uses freed memory', rest);
  const shows = advise?.({ kind: 'compare-states', file });
  return [
    { kind: 'headline', title: titleOf(subject), headline },
    ...advice(shows && `${shows} shows an execution`),
  ];
}

/**
 * Returns the behaviour that breaks robustness, with an execution; nothing if an assertion fails or
 * a thread waits for ever, as the execution of the failure or wait is printed instead.
 */
function violationBlocksOf(
  program: Program,
  violation: C11Violation,
  effect: C11Effect | undefined,
): readonly Block[] {
  return effect?.kind === 'assertion-fails' || effect?.kind === 'waits'
    ? []
    : c11ViolationBlocks(program, violation);
}

function verdictBlocks(
  subject: Subject,
  { model, verdict, effect, race, freedUse }: C11Result,
): readonly Block[] {
  const title = titleOf(subject);
  const against = `against ${modelNames[model]}`;
  if (freedUse) return freedUseBlocks(subject, freedUse, model);
  if (typeof race === 'object' && verdict.kind === 'robust') {
    const headline = raceHeadline(subject.program, race, model);
    return [
      { kind: 'headline', title, headline },
      ...raceExecution(subject.program, race),
      say(`beside that, it is robust ${against}: every execution is one of SC`),
    ];
  }
  // What follows from a race is not defined, so the race comes before old values.
  if (typeof race === 'object' && verdict.kind === 'not-robust') {
    const headline = raceHeadline(subject.program, race, model);
    return [
      { kind: 'headline', title, headline },
      ...raceExecution(subject.program, race),
      say(['beside that, it is ', { text: 'not robust', tone: 'bad' }, ` ${against}`]),
      ...violationBlocksOf(subject.program, verdict.violation, effect),
    ];
  }
  switch (verdict.kind) {
    case 'robust': {
      const rest = ` ${against}: every execution is one of SC`;
      return [{ kind: 'headline', title, headline: said('good', 'is ', 'robust', rest) }];
    }
    case 'not-robust':
      return [
        { kind: 'headline', title, headline: said('bad', 'is ', 'not robust', ` ${against}`) },
        ...violationBlocksOf(subject.program, verdict.violation, effect),
      ];
    case 'unknown': {
      const { reason, limit } = verdict;
      const why = limit ? limitInWords(subject.program, limit, verdict) : reasonInWords[reason];
      const headline = said('doubtful', 'is ', 'undecided', ` ${against}: ${why}`);
      return [{ kind: 'headline', title, headline }, ...advice(wayOnC11(subject, reason, limit))];
    }
    default:
      return unreachable(verdict);
  }
}

/** Returns an assertion that fails, and the execution. */
export function failureBlocks(program: Program, failure: FailingAssertion): readonly Block[] {
  const claim: TonedText = { text: `${failingClaim(program, failure)} can fail`, tone: 'bad' };
  const title = 'An execution in which it fails; for each thread, what it did and saw:';
  return [
    say([claim, `: ${violationInWords(program, failure.execution)}`]),
    ...executionBlocks(program, title, failure),
  ];
}

/**
 * Returns the effect of the violations on states and assertions, for a program that is not robust.
 */
function effectBlocks(program: Program, effect: C11Effect): readonly Block[] {
  switch (effect.kind) {
    case 'none': {
      const stricter: TonedText = { text: answerWord.stricter, tone: 'good' };
      return [
        say([stricter, ': the states that last, and the assertions that fail, are those of SC']),
      ];
    }
    case 'no-assertion':
      return [
        say(
          `assertions fail only as under SC; whether the states that last differ is not known${notLookedAtInC11(program)}`,
        ),
      ];
    case 'states-differ':
      return [say('some states that last do not occur under SC')];
    case 'assertion-fails':
      return failureBlocks(program, effect);
    case 'waits': {
      const wait: TonedText = { text: waitInWords(program, effect), tone: 'bad' };
      const title = 'An execution in which it waits; for each thread, what it did and saw:';
      return [
        say([wait, '; under SC, no thread waits for ever there']),
        ...executionBlocks(program, title, effect),
      ];
    }
    case 'unknown':
      return [say('whether it matters is not decided')];
    default:
      return unreachable(effect);
  }
}

/** Returns what is known about assertions; nothing if the program has none. */
function assertionBlocks({ assertions, effect }: C11Result): readonly Block[] {
  switch (assertions) {
    case 'none':
      return [];
    case 'hold':
      return [say('all assertions hold')];
    case 'fail':
      return effect?.kind === 'assertion-fails' ? [] : [say('an assertion fails under SC')];
    case 'unknown':
      return [say('whether the assertions hold is not known')];
  }
}

/** Returns what is known about a property `exists` or `finally`, in words. */
function claimInWords(program: Program, { property, answer, underSC }: C11Claim): string {
  const [yes, no] =
    program.properties[property]!.kind === 'exists'
      ? (['reached', 'never reached'] as const)
      : (['holds', 'fails'] as const);
  const sc = underSC === undefined ? undefined : `under SC, ${underSC ? yes : no}`;
  if (answer === 'unknown') return sc === undefined ? 'not decided' : `not decided; ${sc}`;
  const said = answer === 'holds' ? yes : no;
  if (sc === undefined) return said;
  return underSC === (answer === 'holds') ? `${said}, as under SC` : `${said}; ${sc}`;
}

/**
 * Returns the properties of the program with their answers, each with an execution if the answer
 * under SC is different.
 */
function claimBlocks(program: Program, { claims = [] }: C11Result): readonly Block[] {
  return claims.flatMap((claim) => {
    const { property, answer, underSC, graph } = claim;
    const line = say(`${program.properties[property]!.name}: ${claimInWords(program, claim)}`);
    const isShown = graph && underSC !== undefined && underSC !== (answer === 'holds');
    return isShown ? [line, ...graphBlocks(program, graph, [])] : [line];
  });
}

/**
 * Returns the data race, or a statement that there is none; nothing if the verdict already says so.
 */
function raceBlocks(
  program: Program,
  { race, verdict }: Pick<C11Result, 'race' | 'verdict'>,
): readonly Block[] {
  // The headline on a decided program names the accesses of the race.
  if (typeof race === 'object' && verdict.kind !== 'unknown') return raceStandard(program, race);
  if (typeof race === 'object') {
    const found: TonedText = { text: 'data race', tone: 'bad' };
    return [
      say([found, `: ${raceInWords(program, race)}`]),
      ...raceStandard(program, race),
      ...raceExecution(program, race),
    ];
  }
  const isSaid =
    race === 'none' && verdict.kind === 'robust' && program.symbols.some((s) => s.isPlain);
  return isSaid ? [say('no data race')] : [];
}

/** Returns the report on robustness against C11. */
export function c11Report(
  subject: Subject,
  result: C11Result,
  { palette }: { readonly palette: Palette },
): string {
  const { program } = subject;
  const { effect, states, milliseconds } = result;
  const assumptions = allAssumptionsAboutC11(program, result);
  // The text may be in an older version of the language.
  const rules = result.model === 'c11' ? ', by the rules of C++20' : '';
  // After a use of freed memory nothing is defined, so no other answer is given.
  const others = result.freedUse
    ? []
    : [
        ...raceBlocks(program, result),
        ...(effect ? effectBlocks(program, effect) : []),
        ...assertionBlocks(result),
        ...claimBlocks(program, result),
        ...advice(hintOnC11(subject, result, true)),
      ];
  const blocks = [
    ...verdictBlocks(subject, result),
    ...others,
    ...notes([
      ...assumptionLines({ assumptions }),
      `${countOf(states, 'state')} in ${formatDuration(milliseconds)}${rules}`,
    ]),
  ];
  return printText(blocks, palette);
}
