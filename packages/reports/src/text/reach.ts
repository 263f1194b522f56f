import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { formatInstruction } from '@fencewright/model/program/format.js';
import { claimsExistence } from '@fencewright/model/program/property.js';
import type { Property } from '@fencewright/model/program/program.js';
import {
  compareAssertions,
  knowsEnds,
  type ModelReach,
  type PropertyVerdict,
  type ReachResult,
  type ReachSettler,
} from '@fencewright/model/verdict/reach-result.js';
import { assumptionLines } from '../words/assumption-lines.js';
import { reasonInWords } from '../words/reason-in-words.js';
import { findTransition, placeCell, threadName } from '../words/action-words.js';
import { inBrackets, painted, raceCaveat, titleOf } from './check.js';
import { computationTable } from './computation-table.js';
import { executionTitle, reachExecutions } from './reach-executions.js';
import {
  type FinalState,
  mergeFinalStates,
  type Observable,
  observablesOf,
} from './final-states.js';
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
import { section } from './section.js';
import { deadlockHeadline } from '../words/headline.js';
import { answerSentence } from '../words/opening.js';
import { reachOutcome, hangsOfTsoAlone } from '../words/reach-outcome.js';
import { statementSnippet } from './source-excerpt.js';
import type { Subject } from '../words/subject.js';
import { type TableCell, type TableColumn, renderTable } from './table.js';

const mostRows = 40;

function style(palette: Palette) {
  return { indent: '  ', gap: '  ', heading: palette.accent };
}

function foundHangs({ hangs }: ReachResult): readonly Hang[] {
  return hangs.kind === 'found' ? hangs.hangs : [];
}

/**
 * Returns the lines on threads that wait for ever, with places and reasons, also on those that do
 * so without store buffers.
 */
function hangLines({ program }: Subject, result: ReachResult, palette: Palette): string[] {
  const { hangs, model } = result;
  if (hangs.kind === 'unknown') {
    if (knownToBeOpen(result.answer)) return [];
    return [`  whether a thread waits for ever is open: ${whyInWords(program, hangs.why, model)}`];
  }
  return [
    ...hangs.hangs.flatMap((hang) => [
      `  ${palette.bad(hangInWords(program, hang, model))}`,
      ...joinersInWords(program, hang).map((line) => `    ${line}`),
      ...hang.waiting
        .filter(({ thread }) => hang.threads.length > 0 && !hang.threads.includes(thread))
        .map((one) => `    meanwhile ${waitingInWords(program, one, hang.state)}`),
      `    then ${[placesInWords(program, hang.state), valuesInWords(program, hang.state)].filter((part) => part !== '').join('; ')}`,
      ...placedHang(program, hang).lateStores.map(({ text }) => `    ${text}`),
    ]),
    ...(hangs.underSc ?? []).map((one) =>
      palette.faint(`  ${waitingInWords(program, one)}, without store buffers, too`),
    ),
    ...(hangs.left ?? []).map((one) => palette.faint(`  ${leftInWords(program, one, model)}`)),
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
 * Returns the failures known from an incomplete comparison, to follow other words; empty if there
 * are none.
 */
function failuresInWords(subject: Subject, result: ReachResult): string {
  const failures = reachExecutions(subject, result).filter(({ isFailure }) => isFailure);
  if (failures.length === 0) return '';
  return `; ${enumerate(failures.map(executionTitle))}`;
}

function headline(
  subject: Subject,
  result: ReachResult,
  states: readonly FinalState[],
  palette: Palette,
): string {
  const title = palette.strong(titleOf(subject));
  const outcome = reachOutcome(result);
  switch (outcome) {
    case 'same':
      if (result.answer.kind === 'differs')
        return `${title} passes through ${palette.bad(`states of ${result.model} alone`)}, and ${states.length > 0 ? 'ends in those of SC' : 'never ends all threads'}`;
      return states.length > 0
        ? `${title} ends in ${palette.good('the same states')} under SC and under ${result.model}`
        : `${title} ${palette.good('ends in no state')}, under SC or under ${result.model}`;
    case 'different': {
      const list = enumerate(differences(subject, result, states));
      return `${title} is ${palette.bad(`different under ${result.model}`)}${list === '' ? '' : `: ${list}`}`;
    }
    case 'unknown':
      return result.tso.incomplete === 'buffer' && result.sc.incomplete === undefined
        ? `${title} is ${palette.doubtful('undecided')}: no difference shows with at most ${countOf(result.tso.buffer ?? 0, 'store')} in each buffer, but longer buffers may show one`
        : `${title} is ${palette.doubtful('undecided')}: not all states were explored${failuresInWords(subject, result)}`;
    case 'error':
      return `${title} ${palette.bad('cannot be decided')}: an execution of the program ends in a fault (see the messages)`;
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

function explored(model: ModelReach, palette: Palette): TableCell {
  if (model.incomplete === undefined) return { text: 'complete', paint: palette.good };
  if (!model.settledBy)
    return { text: incompleteness(model.incomplete, model.buffer), paint: palette.doubtful };
  return { text: `cut short: ${settledInWords[model.settledBy]}`, paint: palette.good };
}

function modelTable({ sc, tso, model }: ReachResult, palette: Palette): string[] {
  const right = 'right' as const;
  const columns: TableColumn[] = [
    { title: 'model' },
    { title: 'states', align: right },
    { title: 'final states', align: right },
    { title: 'exploration' },
  ];
  const row = (name: string, model: ModelReach): TableCell[] => [
    name,
    formatCount(model.states),
    formatCount(model.finalStates.length),
    explored(model, palette),
  ];
  return renderTable(columns, [row('SC', sc), row(model, tso)], style(palette));
}

/**
 * Returns advice if only TSO has too many states, since the buffers may be the reason; empty
 * otherwise.
 */
function advice({ advise }: Subject, { sc, tso }: ReachResult, palette: Palette): string[] {
  const ranOut = tso.incomplete === 'states' || tso.incomplete === 'memory';
  if ((!ranOut && tso.incomplete !== 'time') || tso.settledBy) return [];
  if (sc.incomplete !== undefined) return [];
  const words = advise?.({ kind: 'bound-buffers' });
  return words === undefined ? [] : [palette.faint(`  hint: ${words}`)];
}

/** Returns the lines on the facts known without a complete exploration of TSO, and the reasons. */
function robustnessLines({ tso }: ReachResult): string[] {
  if (tso.settledBy === 'load-buffers')
    return [
      '  final states and failing assertions were decided for buffers of any length, by a backward search over load buffers',
    ];
  if (tso.settledBy)
    return [
      '  the program is robust: TSO has the final states and failing assertions of SC, for buffers of any length',
    ];
  return [];
}

function reachedCell(reached: boolean, model: ModelReach): string {
  if (reached) return 'yes';
  return knowsEnds(model) ? 'no' : '?';
}

function finalStateLines(
  { advise }: Subject,
  result: ReachResult,
  observables: readonly Observable[],
  states: readonly FinalState[],
  palette: Palette,
): string[] {
  if (states.length === 0) return ['  none: no execution found ends all threads'];
  const varies = observables.map((_, o) =>
    states.some((s) => s.values[o] !== states[0]?.values[o]),
  );
  const same = observables.flatMap(({ name, show }, o) =>
    varies[o] ? [] : [`${name} = ${show(at(at(states, 0).values, o))}`],
  );
  const columns: TableColumn[] = [
    ...observables
      .filter((_, o) => varies[o])
      .map(({ name }) => ({ title: name, align: 'right' as const })),
    { title: 'SC' },
    { title: result.model },
    { title: '' },
  ];
  const rows = states.slice(0, mostRows).map((state): TableCell[] => {
    const onlyTso = state.tso && !state.sc && result.sc.incomplete === undefined;
    const values = state.values.flatMap((value, o) =>
      varies[o] ? [observables[o]?.show(value) ?? String(value)] : [],
    );
    const models = [reachedCell(state.sc, result.sc), reachedCell(state.tso, result.tso)];
    const paint = onlyTso ? palette.bad : undefined;
    const cells: TableCell[] = [...values, ...models].map((text) =>
      paint ? { text, paint } : text,
    );
    return onlyTso ? [...cells, { text: `only under ${result.model}`, paint: palette.bad }] : cells;
  });
  const lines = renderTable(columns, rows, style(palette));
  const rest = states.length - rows.length;
  if (rest > 0)
    lines.push(`  ... and ${formatCount(rest)} more${inBrackets(advise?.({ kind: 'list-all' }))}`);
  if (same.length > 0) lines.push(palette.faint(`  in all of them: ${same.join(', ')}`));
  return lines;
}

function propertyWord(property: Property | undefined, verdict: string): string {
  if (!property || !claimsExistence(property) || verdict === 'unknown') return verdict;
  return verdict === 'holds' ? 'reached' : 'never reached';
}

function propertyLines(
  subject: Subject,
  { sc, tso, model }: ReachResult,
  palette: Palette,
): string[] {
  const { properties } = subject.program;
  const cell = (property: Property | undefined, found: PropertyVerdict | undefined): TableCell => {
    const verdict = found?.verdict ?? 'unknown';
    const paint = { holds: palette.good, violated: palette.bad, unknown: palette.doubtful };
    const text = `${propertyWord(property, verdict)}${found?.isVacuous ? ', but no execution ends' : ''}`;
    return property && claimsExistence(property) ? text : { text, paint: paint[verdict] };
  };
  const rows = sc.properties.map((found, i): TableCell[] => [
    found.property,
    at(properties, i).kind,
    cell(properties[i], found),
    cell(properties[i], tso.properties[i]),
  ]);
  if (rows.length === 0) return [];
  const columns = [{ title: 'property' }, { title: 'kind' }, { title: 'SC' }, { title: model }];
  return renderTable(columns, rows, style(palette));
}

/**
 * Returns the assertion as written if the front end split its condition, otherwise its instruction.
 */
function assertionText({ program, source }: Subject, thread: number, transition: number): string {
  const found = findTransition(program, thread, transition);
  if (!found) return '';
  const { instruction, origin } = found.transition;
  return origin.span && speaksOfHidden(found.owner, instruction)
    ? statementSnippet(source, origin.span)
    : formatInstruction(program, found.owner, instruction);
}

function assertionLines(subject: Subject, result: ReachResult, palette: Palette): string[] {
  const { program } = subject;
  const paint = { holds: palette.good, fails: palette.bad, unknown: palette.doubtful };
  const rows = compareAssertions(result).map(({ thread, transition, sc, tso }): TableCell[] => {
    return [
      threadName(program, thread),
      placeCell(program, thread, transition),
      assertionText(subject, thread, transition),
      { text: sc, paint: paint[sc] },
      { text: tso, paint: paint[tso] },
    ];
  });
  if (rows.length === 0) return [];
  const columns: TableColumn[] = [
    { title: 'thread' },
    { title: 'line', align: 'right' },
    { title: 'assertion' },
    { title: 'SC' },
    { title: result.model },
  ];
  return renderTable(columns, rows, style(palette));
}

function executionLines(subject: Subject, result: ReachResult, palette: Palette): string[] {
  return reachExecutions(subject, result).flatMap((execution) =>
    section(
      `An execution: ${executionTitle(execution)}`,
      execution.computation.length === 0
        ? ['  none is needed: the initial state satisfies the condition']
        : computationTable(subject.program, execution.computation, [], palette),
      palette,
    ),
  );
}

/**
 * Returns the report on SC and TSO side by side: explored states, final states, properties and
 * assertions, with executions.
 */
export function reachReport(subject: Subject, result: ReachResult, palette: Palette): string {
  const observables = observablesOf(subject.program, result);
  const states = mergeFinalStates(observables, result);
  const deadlock = deadlockHeadline(subject.program, deadlocksIn(result.hangs));
  const lines = [
    headline(subject, result, states, palette),
    `  ${painted(answerSentence(subject.program, result.answer, undefined, result.model), palette)}`,
    ...(deadlock ? [`  it ${painted(deadlock, palette)}`] : []),
    ...assumptionLines(subject.program).map((line) => palette.faint(`  ${line}`)),
    ...modelTable(result, palette),
    ...robustnessLines(result),
    ...advice(subject, result, palette),
    ...raceCaveat(result.races).map((line) => palette.faint(`  ${line}`)),
    palette.faint(`  in ${formatDuration(result.milliseconds)}`),
    ...section(
      'Final states',
      finalStateLines(subject, result, observables, states, palette),
      palette,
    ),
    ...section('Who waits for ever', hangLines(subject, result, palette), palette),
    ...section('Properties', propertyLines(subject, result, palette), palette),
    ...section('Assertions that can fail', assertionLines(subject, result, palette), palette),
    ...executionLines(subject, result, palette),
  ];
  return `${lines.join('\n')}\n`;
}
