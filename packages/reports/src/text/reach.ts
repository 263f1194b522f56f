import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { formatInstruction } from '@fencewright/model/program/format.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import { claimsExistence } from '@fencewright/model/program/property.js';
import type { Property } from '@fencewright/model/program/program.js';
import {
  type AssertionVerdict,
  compareAssertions,
  type ComparedAssertion,
  knowsEnds,
  type ModelReach,
  type PropertyVerdict,
  type ReachResult,
  type ReachSettler,
} from '@fencewright/model/verdict/reach-result.js';
import { assumptionLines } from '../words/assumption-lines.js';
import { reasonInWords } from '../words/reason-in-words.js';
import { findTransition, placeCell, threadName } from '../words/action-words.js';
import { inBrackets, raceCaveat, titleOf } from './check.js';
import { assertionKey, executionTitle, reachExecutions } from './reach-executions.js';
import {
  type FinalState,
  mergeFinalStates,
  type Observable,
  observablesOf,
} from './final-states.js';
import { memoryModels } from '@fencewright/model/trace/memory-model.js';
import { deadlocksIn, type Hang } from '@fencewright/model/verdict/hang.js';
import { whyInWords } from '../words/answer-in-words.js';
import {
  hangInWords,
  hangTitle,
  joinersInWords,
  leftInWords,
  placedHang,
  waitingInWords,
} from '../words/hang-in-words.js';
import { placesInWords, valuesInWords } from '../words/state-in-words.js';
import { speaksOfHidden } from '../words/instruction-texts.js';
import {
  countOf,
  enumerate,
  formatCount,
  formatDuration,
} from '@fencewright/ground/base/number-words.js';
import type { Palette } from './palette.js';
import { advice, headlineWords, inToneOf, notes, say, section, tables } from '../words/blocks.js';
import type { Block, Column, TonedText } from '../words/document.js';
import { threadRun } from '../words/run.js';
import {
  deadlockHeadline,
  faultHeadline,
  freedUsesHeadline,
  type Headline,
  said,
} from '../words/headline.js';
import { printText } from './print-text.js';
import { answerSentence } from '../words/opening.js';
import { reachOutcome, hangsOfTsoAlone } from '../words/reach-outcome.js';
import { statementSnippet } from './source-excerpt.js';
import type { Subject } from '../words/subject.js';

const mostRows = 40;

function foundHangs({ hangs }: ReachResult): readonly Hang[] {
  return hangs.kind === 'found' ? hangs.hangs : [];
}

/**
 * Returns the lines on threads that wait for ever, with places and reasons; threads that wait for
 * ever without store buffers are included.
 */
function hangBlocks({ program }: Subject, result: ReachResult): readonly Block[] {
  const { hangs, model } = result;
  if (hangs.kind === 'unknown') {
    if (knownToBeOpen(result.answer)) return [];
    return [
      say(`whether a thread waits for ever is open: ${whyInWords(program, hangs.why, model)}`),
    ];
  }
  return [
    ...hangs.hangs.flatMap((hang) => {
      const places = [placesInWords(program, hang.state), valuesInWords(program, hang.state)];
      const details = [
        ...joinersInWords(program, hang),
        ...hang.waiting
          .filter(({ thread }) => hang.threads.length > 0 && !hang.threads.includes(thread))
          .map((one) => `meanwhile ${waitingInWords(program, one, hang.state)}`),
        `then ${places.filter((part) => part !== '').join('; ')}`,
        ...placedHang(program, hang).lateStores.map(({ text }) => text),
      ];
      return [
        say({ text: hangInWords(program, hang, model), tone: 'bad' }),
        ...details.map((line) => say(line, 2)),
      ];
    }),
    ...notes([
      ...(hangs.underSc ?? []).map(
        (one) => `${waitingInWords(program, one)}, without store buffers, too`,
      ),
      ...(hangs.left ?? []).map((one) => leftInWords(program, one, model)),
    ]),
  ];
}

/** Whether the answer already says that the question of waiting for ever is open, and why. */
function knownToBeOpen(answer: ReachResult['answer']): boolean {
  return answer.kind === 'unknown' || (answer.kind === 'differs' && answer.openHangs !== undefined);
}

function differences(
  { program }: Subject,
  result: ReachResult,
  states: readonly FinalState[],
): string[] {
  const onlyTso = states.filter((state) => state.tso && !state.sc).length;
  const properties = result.sc.properties.flatMap(({ property, verdict }, i) => {
    const other = result.tso.properties[i]?.verdict;
    if (verdict === 'unknown' || other === 'unknown' || verdict === other) return [];
    const { kind = 'never' } = program.properties[i] ?? {};
    if (!claimsExistence({ kind })) return [`${property} fails`];
    return [`${property} is ${verdict === 'holds' ? 'never ' : ''}reached`];
  });
  const hanging = foundHangs(result);
  const rests = hangsOfTsoAlone(result);
  const assertions = compareAssertions(result).filter((a) => a.sc === 'holds' && a.tso === 'fails');
  return [
    ...(result.sameFinalStates === 'no' && onlyTso > 0
      ? [countOf(onlyTso, 'more final state')]
      : []),
    ...properties,
    ...(assertions.length > 0 ? [`${countOf(assertions.length, 'assertion')} can fail`] : []),
    ...hanging.map((hang) => hangTitle(program, hang)),
    ...(hanging.length === 0 && rests.length > 0
      ? [`${countOf(rests.length, 'more state')} at rest`]
      : []),
  ];
}

/**
 * Returns the failures that an incomplete comparison has found, as words that follow the outcome;
 * empty if there are none.
 */
function failuresInWords(subject: Subject, result: ReachResult): string {
  const failures = reachExecutions(subject, result).filter(({ isFailure }) => isFailure);
  if (failures.length === 0) return '';
  return `; ${enumerate(failures.map(executionTitle))}`;
}

/** Returns the outcome of the comparison, to follow the program's name. */
export function reachHeadline(subject: Subject, result: ReachResult): Headline {
  const states = mergeFinalStates(observablesOf(subject.program, result), result);
  const { answer, model, sc, tso } = result;
  const outcome = reachOutcome(result);
  switch (outcome) {
    case 'same':
      if (answer.kind === 'differs') {
        const ends = states.length > 0 ? 'ends in those of SC' : 'never ends all threads';
        return said('bad', 'passes through ', `states of ${model} alone`, `, and ${ends}`);
      }
      return states.length > 0
        ? said('good', 'ends in ', 'the same states', ` under SC and under ${model}`)
        : said('good', '', 'ends in no state', `, under SC or under ${model}`);
    case 'different': {
      const list = enumerate(differences(subject, result, states));
      return said('bad', 'is ', `different under ${model}`, list === '' ? '' : `: ${list}`);
    }
    case 'unknown': {
      const stores = countOf(tso.buffer ?? 0, 'store');
      const why =
        tso.incomplete === 'buffer' && sc.incomplete === undefined
          ? `no difference shows with at most ${stores} in each buffer, but longer buffers may show one`
          : `not all states were explored${failuresInWords(subject, result)}`;
      return said('doubtful', 'is ', 'undecided', `: ${why}`);
    }
    case 'error':
      return faultHeadline;
    default:
      return unreachable(outcome);
  }
}

function incompleteness(reason: NonNullable<ModelReach['incomplete']>, buffer = 0): string {
  switch (reason) {
    case 'buffer':
      return `bounded: at most ${countOf(buffer, 'store')} in each buffer`;
    case 'unsupported':
      return 'incomplete: executions end in faults';
    default:
      return `incomplete: ${reasonInWords[reason]}`;
  }
}

const settledInWords: Readonly<Record<ReachSettler, string>> = {
  robustness: 'robust',
  'load-buffers': 'searched backwards',
};

function explored(model: ModelReach): TonedText {
  if (model.incomplete === undefined) return { text: 'complete', tone: 'good' };
  if (!model.settledBy)
    return { text: incompleteness(model.incomplete, model.buffer), tone: 'doubtful' };
  return { text: `cut short: ${settledInWords[model.settledBy]}`, tone: 'good' };
}

function modelTable({ sc, tso, model }: ReachResult): Block {
  const right = 'right' as const;
  const columns: Column[] = [
    { title: 'model' },
    { title: 'states', align: right },
    { title: 'final states', align: right },
    { title: 'exploration' },
  ];
  const row = (name: string, model: ModelReach): TonedText[] => [
    name,
    formatCount(model.states),
    formatCount(model.finalStates.length),
    explored(model),
  ];
  return { kind: 'table', columns, rows: [row('SC', sc), row(model, tso)] };
}

/**
 * Returns advice if only TSO has too many states, since the buffers may be the reason; empty
 * otherwise.
 */
function bufferAdvice({ advise }: Subject, { sc, tso }: ReachResult): readonly Block[] {
  const ranOut = tso.incomplete === 'states' || tso.incomplete === 'memory';
  if ((!ranOut && tso.incomplete !== 'time') || tso.settledBy) return [];
  if (sc.incomplete !== undefined) return [];
  return advice(advise?.({ kind: 'bound-buffers' }));
}

/**
 * Returns the sentence on a question about TSO that was answered without exploring all states, with
 * the method; nothing if there is none.
 */
function robustnessBlocks({ tso }: ReachResult): readonly Block[] {
  if (!tso.settledBy) return [];
  const how =
    tso.settledBy === 'load-buffers'
      ? 'final states and failing assertions were decided for buffers of any length, by a backward search over load buffers'
      : 'the program is robust: TSO has the final states and failing assertions of SC, for buffers of any length';
  return [say(how)];
}

function reachedCell(reached: boolean, model: ModelReach): string {
  if (reached) return 'yes';
  return knowsEnds(model) ? 'no' : '?';
}

function finalStateBlocks(
  { advise }: Subject,
  result: ReachResult,
  observables: readonly Observable[],
  states: readonly FinalState[],
): readonly Block[] {
  if (states.length === 0) return [say('none: no execution found ends all threads')];
  const varies = observables.map((_, o) =>
    states.some((s) => s.values[o] !== states[0]?.values[o]),
  );
  const same = observables.flatMap(({ name, show }, o) =>
    varies[o] ? [] : [`${name} = ${show(at(at(states, 0).values, o))}`],
  );
  const columns: Column[] = [
    ...observables
      .filter((_, o) => varies[o])
      .map(({ name }) => ({ title: name, align: 'right' as const })),
    { title: 'SC' },
    { title: result.model },
    { title: '' },
  ];
  const rows = states.slice(0, mostRows).map((state): TonedText[] => {
    const onlyTso = state.tso && !state.sc && result.sc.incomplete === undefined;
    const values = state.values.flatMap((value, o) =>
      varies[o] ? [observables[o]?.show(value) ?? String(value)] : [],
    );
    const models = [reachedCell(state.sc, result.sc), reachedCell(state.tso, result.tso)];
    const cells = [...values, ...models];
    if (!onlyTso) return cells;
    return [...cells, `only under ${result.model}`].map((text) => ({ text, tone: 'bad' }));
  });
  const rest = states.length - rows.length;
  const listing = inBrackets(advise?.({ kind: 'list-all' }));
  return [
    ...tables({ columns, rows }),
    ...(rest > 0 ? [say(`... and ${formatCount(rest)} more${listing}`)] : []),
    ...(same.length > 0 ? notes([`in all of them: ${same.join(', ')}`]) : []),
  ];
}

/** The maximum number of values named that final states do not show. */
const mostNotShown = 8;

/** Returns the sentence on values that final states do not show; nothing if all are shown. */
function notShownBlocks({ notShown = [] }: ReachResult): readonly Block[] {
  if (notShown.length === 0) return [];
  const named = notShown.slice(0, mostNotShown);
  const rest = notShown.length - named.length;
  const names = rest > 0 ? [...named, countOf(rest, 'more value')] : named;
  return notes([`without ${enumerate(names)}: there are too many states with them`]);
}

function propertyWord(property: Property | undefined, verdict: string): string {
  if (!property || !claimsExistence(property) || verdict === 'unknown') return verdict;
  return verdict === 'holds' ? 'reached' : 'never reached';
}

function propertyTable(subject: Subject, { sc, tso, model }: ReachResult): readonly Block[] {
  const { properties } = subject.program;
  const cell = (property: Property | undefined, found: PropertyVerdict | undefined): TonedText => {
    const verdict = found?.verdict ?? 'unknown';
    const text = `${propertyWord(property, verdict)}${found?.isVacuous ? ', but no execution ends' : ''}`;
    return property && claimsExistence(property) ? text : inToneOf(verdict, text);
  };
  const rows = sc.properties.map((found, i): TonedText[] => [
    found.property,
    at(properties, i).kind,
    cell(properties[i], found),
    cell(properties[i], tso.properties[i]),
  ]);
  const columns = [{ title: 'property' }, { title: 'kind' }, { title: 'SC' }, { title: model }];
  return tables({ columns, rows });
}

/**
 * Returns the assertion as written in the source, for assertions compiled or split by the front
 * end; otherwise the formatted instruction.
 */
function assertionText({ program, source }: Subject, thread: number, transition: number): string {
  const found = findTransition(program, thread, transition);
  if (!found) return '';
  const { instruction, origin } = found.transition;
  return origin.span && (isOfC(program) || speaksOfHidden(found.owner, instruction))
    ? statementSnippet(source, origin.span)
    : formatInstruction(program, found.owner, instruction);
}

/** Returns the verdict on an assertion, given the verdicts on the parts that it is compiled to. */
function verdictOfParts(verdicts: readonly AssertionVerdict[]): TonedText {
  return inToneOf((['fails', 'unknown'] as const).find((one) => verdicts.includes(one)) ?? 'holds');
}

function assertionTable(subject: Subject, result: ReachResult): readonly Block[] {
  const { program } = subject;
  const assertions = new Map<string, ComparedAssertion[]>();
  for (const part of compareAssertions(result)) {
    const key = assertionKey(program, part.thread, part.transition);
    assertions.set(key, [...(assertions.get(key) ?? []), part]);
  }
  const rows = [...assertions.values()].map((parts): TonedText[] => {
    const { thread, transition } = at(parts, 0);
    return [
      threadName(program, thread),
      placeCell(program, thread, transition),
      assertionText(subject, thread, transition),
      verdictOfParts(parts.map(({ sc }) => sc)),
      verdictOfParts(parts.map(({ tso }) => tso)),
    ];
  });
  const columns: Column[] = [
    { title: 'thread' },
    { title: 'line', align: 'right' },
    { title: 'assertion' },
    { title: 'SC' },
    { title: result.model },
  ];
  return tables({ columns, rows });
}

function executionBlocks(subject: Subject, result: ReachResult): readonly Block[] {
  const none = 'none is needed: the initial state satisfies the condition';
  return reachExecutions(subject, result).flatMap((execution) => {
    const run = threadRun(subject.program, execution.computation, []);
    const shown: Block = execution.computation.length === 0 ? say(none) : { kind: 'run', run };
    return section(`An execution: ${executionTitle(execution)}`, [shown]);
  });
}

/** Returns the final states, the threads that wait for ever, and the verdicts on claims. */
export function reachDetails(subject: Subject, result: ReachResult): readonly Block[] {
  const observables = observablesOf(subject.program, result);
  const states = mergeFinalStates(observables, result);
  return [
    ...section('Final states', [
      ...finalStateBlocks(subject, result, observables, states),
      ...notShownBlocks(result),
    ]),
    ...section('Who waits for ever', hangBlocks(subject, result)),
    ...section('Properties', propertyTable(subject, result)),
    ...section('Assertions that can fail', assertionTable(subject, result)),
  ];
}

/**
 * Returns the comparison of SC and TSO side by side: explored states, final states, properties and
 * assertions, with executions.
 */
export function reachBlocks(subject: Subject, result: ReachResult): readonly Block[] {
  const { program } = subject;
  const deadlock = deadlockHeadline(program, deadlocksIn(result.hangs));
  const answer = answerSentence(program, result.answer, undefined, result.model);
  const outcome = reachHeadline(subject, result);
  const used = freedUsesHeadline(program, result, memoryModels[result.model].processors);
  return [
    { kind: 'headline', title: titleOf(subject), headline: used ?? outcome },
    say(headlineWords(used ? { ...outcome, before: `it ${outcome.before}` } : answer)),
    ...(deadlock ? [say(headlineWords({ ...deadlock, before: 'it ' }))] : []),
    ...notes(assumptionLines(program)),
    modelTable(result),
    ...robustnessBlocks(result),
    ...bufferAdvice(subject, result),
    ...notes([...raceCaveat(result.races), `in ${formatDuration(result.milliseconds)}`]),
    ...reachDetails(subject, result),
    ...executionBlocks(subject, result),
  ];
}

/** Returns the report on SC and TSO side by side. */
export function reachReport(subject: Subject, result: ReachResult, palette: Palette): string {
  return printText(reachBlocks(subject, result), palette);
}
