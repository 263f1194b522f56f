import { printableLine, quoteName } from '@fencewright/ground/source/quote-name.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { AttackStage } from '@fencewright/model/verdict/attack.js';
import type {
  CheckResult,
  CheckStatistics,
  EnginePhases,
  FaultFindings,
  Scope,
  Witness,
} from '@fencewright/model/verdict/verdict.js';
import type { RaceFindings } from '@fencewright/model/verdict/data-race.js';
import { assumptionLines } from '../words/assumption-lines.js';
import { c11InOneLine } from '../words/c11-line.js';
import type { Headline } from '../words/headline.js';
import { hintOnC11, hintOnCheck } from '../words/hint-on-check.js';
import { openingOf, verdictInWords } from '../words/opening.js';
import { reasonInWords } from '../words/reason-in-words.js';
import { cellText, labelOf, placeCell, threadName } from '../words/action-words.js';
import { attackExcerpt, attackSentence } from './attack-in-words.js';
import { commitSteps, stepsOfEdge } from '../words/commit-steps.js';
import { hintLines } from './hint-lines.js';
import { computationTable } from './computation-table.js';
import { cycleInWords } from '../words/cycle-in-words.js';
import { notLookedAt } from '../words/not-looked-at.js';
import type { EventSubject } from '../words/event-subject.js';
import {
  countOf,
  enumerate,
  formatCount,
  formatDuration,
} from '@fencewright/ground/base/number-words.js';
import { attackPaint, type Palette } from './palette.js';
import { section } from './section.js';
import { anyNumberInWords } from '../words/scope-in-words.js';
import type { Subject } from '../words/subject.js';
import { stageWords } from '../words/stage-words.js';
import { type TableCell, type TableColumn, renderTable, withoutEmptyColumns } from './table.js';

/**
 * Returns the title of a report, `dekker.fw: Dekker`; the file alone if the program's name adds
 * nothing.
 */
export function titleOf({
  file,
  program,
}: {
  readonly file: string;
  readonly program: { readonly name: string };
}): string {
  const base = (file.split('/').at(-1) ?? '').replace(/\.[^.]*$/, '');
  const shown = quoteName(file);
  return program.name === '' || program.name === base
    ? shown
    : `${shown}: ${printableLine(program.name)}`;
}

/** Returns a sentence in the colours of a palette. */
export function painted({ tone, before = '', words, rest }: Headline, palette: Palette): string {
  return `${before}${palette[tone](words)}${rest}`;
}

/**
 * Returns the verdict of a check in one line, with the notion of happens-before if that is not the
 * standard one.
 */
export function verdictLine(subject: Subject, result: CheckResult, palette: Palette): string {
  return `${palette.strong(titleOf(subject))} ${painted(verdictInWords(result), palette)}`;
}

/**
 * Returns the threads of a program in words: `3 threads`; with any number of copies, `1 thread and
 * any number of copies of thief`.
 */
function threadsInWords({ statistics, scope }: CheckResult): string {
  if (scope?.kind !== 'all') return countOf(statistics.threads, 'thread');
  const single = statistics.threads - scope.templates.length;
  const copies = anyNumberInWords(scope.templates);
  return single === 0 ? copies : `${countOf(single, 'thread')} and ${copies}`;
}

/**
 * Returns two lines on the size of the program, the effort of the check, and the outcomes of the
 * attacks.
 */
export function statisticsLines(result: CheckResult): string[] {
  const { statistics } = result;
  const { attacks } = statistics;
  const size = [
    threadsInWords(result),
    countOf(statistics.labels, 'label'),
    countOf(statistics.instructions, 'instruction'),
  ].join(', ');
  const effort = `${countOf(statistics.states, 'state')} in ${formatDuration(statistics.milliseconds)}`;
  return [
    `${size}; ${effort}, engine ${statistics.engine}`,
    ...(statistics.phases ? [phasesLine(statistics.phases)] : []),
    attacks.total === 0
      ? 'no attacks: no thread has both a store and a load'
      : attackCounts(statistics),
  ];
}

/** Returns a line on the times of the phases, as in [BDM13] Table 2. */
function phasesLine({ generating, compiling, verifying }: EnginePhases): string {
  const [model, verifier, search] = [generating, compiling, verifying].map(formatDuration);
  return `of that: generating ${model}, compiling ${verifier}, verifying ${search}`;
}

function attackCounts({ attacks }: CheckStatistics): string {
  const open = attacks.total - attacks.byCfg - attacks.infeasible - attacks.feasible;
  const ruledOut = ruledOutBy(attacks).map(
    ([stage, number], i) =>
      `${formatCount(number)}${i === 0 ? ' ruled out' : ''} by ${stageWords[stage]}`,
  );
  const parts = [
    attacks.feasible > 0 && `${formatCount(attacks.feasible)} feasible`,
    ...ruledOut,
    open > 0 && `${formatCount(open)} not decided`,
  ].filter((part) => part !== false);
  return `${countOf(attacks.total, 'attack')}: ${enumerate(parts)}`;
}

/** Returns the number of attacks refuted by each stage, without stages that refuted none. */
export function ruledOutBy({
  byCfg,
  infeasible,
  settledBy = {},
}: CheckStatistics['attacks']): readonly (readonly [AttackStage, number])[] {
  const refuting = (
    ['static-path', 'local-closure', 'pair-closure', 'any-number', 'proof'] as const
  ).map((stage) => [stage, settledBy[stage] ?? 0] as const);
  const bySearch = infeasible - refuting.reduce((sum, [, number]) => sum + number, 0);
  const all = [['control-flow', byCfg] as const, ...refuting, ['search', bySearch] as const];
  return all.filter(([, number]) => number > 0);
}

/** Returns the cycle of a witness as numbered sentences. */
export function cycleLines(program: Program, witness: Witness, palette: Palette): string[] {
  const commits = commitSteps(witness.computation);
  const sentences = cycleInWords(program, witness.computation, witness.cycle);
  const lines = sentences.map(({ sentence, edge }, i) => {
    const [from, to] = stepsOfEdge(commits, witness.computation, edge);
    const steps = palette.faint(`(${edge.relation}, step ${from + 1} to step ${to + 1})`);
    return `  ${i + 1}. ${sentence} ${steps}`;
  });
  if (lines.length > 0)
    lines.push(
      '  Going round, each of these accesses would come before itself: no sequentially consistent run is like this.',
    );
  return lines;
}

function witnessLines(
  subject: Subject,
  witness: Witness,
  { answer }: CheckResult,
  palette: Palette,
): string[] {
  const { program, source } = subject;
  const isOther = answer?.kind === 'breaks' || answer?.kind === 'hangs';
  return [
    '',
    palette.strong(`The attack: ${attackSentence(program, witness)}`),
    ...attackExcerpt(program, source, witness, palette),
    ...(isOther ? ['  It breaks robustness; what fails may show in another execution only.'] : []),
    ...section(
      'A TSO execution of the attack',
      computationTable(program, witness.computation, witness.cycle, palette),
      palette,
    ),
    ...section(
      'Why it is not sequentially consistent',
      cycleLines(program, witness, palette),
      palette,
    ),
  ];
}

const attackColumns: readonly TableColumn[] = [
  { title: 'thread' },
  { title: 'store' },
  { title: 'label' },
  { title: 'line', align: 'right' },
  { title: 'load' },
  { title: 'label' },
  { title: 'line', align: 'right' },
  { title: 'verdict' },
  { title: 'by' },
];

function attackTable(
  { program, advise }: Subject,
  result: CheckResult,
  palette: Palette,
): string[] {
  const paint = attackPaint(palette);
  const searched = result.attacks.filter(({ verdict }) => verdict !== 'by-cfg');
  const place = (thread: ThreadId, transition: TransitionId): TableCell[] => [
    cellText(program, thread, transition),
    labelOf(program, thread, transition) ?? '',
    placeCell(program, thread, transition),
  ];
  const rows = searched.map(
    ({ attack: { thread, store, load }, verdict, settledBy }): TableCell[] => [
      threadName(program, thread),
      ...place(thread, store),
      ...place(thread, load),
      { text: verdict, paint: paint[verdict] },
      verdict === 'infeasible' && settledBy ? stageWords[settledBy] : '',
    ],
  );
  const rest = result.attacks.length - searched.length;
  const listing = inBrackets(advise?.({ kind: 'list-all' }));
  const restLine = `  ${countOf(rest, 'attack')} ruled out by the control flow${listing}`;
  if (rows.length === 0) return rest > 0 ? [restLine] : [];
  const table = withoutEmptyColumns(attackColumns, rows);
  const style = { indent: '  ', gap: '  ', heading: palette.accent };
  return [
    ...renderTable(table.columns, table.rows, style),
    ...(rest > 0 ? [palette.faint(restLine)] : []),
  ];
}

/** Returns ` (words)`, to be appended to a text; empty for `undefined`. */
export function inBrackets(words: string | undefined): string {
  return words === undefined ? '' : ` (${words})`;
}

/** Returns the answer of a check: the main sentence, then the scope and the reasons. */
function answerLines(subject: Subject, result: CheckResult, palette: Palette): string[] {
  const { headline, difference, grounds } = openingOf(subject.program, result);
  return [
    `${palette.strong(titleOf(subject))} ${painted(headline, palette)}`,
    ...difference.map((line) => `    ${line}`),
    ...grounds.map((one) => `  ${typeof one === 'string' ? one : painted(one, palette)}`),
  ];
}

/** Whether a program is wrong without weak memory: a claim fails, or threads wait for ever. */
function isWrong({ answer, deadlocks }: CheckResult): boolean {
  const waits = deadlocks?.kind === 'found' && deadlocks.waiting.length > 0;
  return answer?.kind === 'wrong-under-sc' || waits;
}

/** Returns the answer, advice, and the statistics with which every report on a check begins. */
export function checkSummary(subject: Subject, result: CheckResult, palette: Palette): string[] {
  const lines = answerLines(subject, result, palette);
  const hint = hintOnCheck(subject, result);
  lines.push(...hintLines(hint, palette));
  if (result.portable) {
    lines.push(`  ${painted(c11InOneLine(subject.program, result.portable), palette)}`);
    if (hint === undefined)
      lines.push(
        ...hintLines(hintOnC11(subject, result.portable, false, isWrong(result)), palette),
      );
  }
  const notes = [
    ...assumptionLines(subject.program),
    ...statisticsLines(result),
    ...caveatLines(result),
    ...(result.answer ? [] : notLookedAtLine(subject, result.scope)),
  ];
  lines.push(...notes.map((line) => `  ${palette.faint(line)}`));
  if (result.invariant !== undefined) {
    const elements = countOf(result.invariant, 'configuration');
    const proof = `proved by an inductive invariant of ${elements}, which was checked apart from the search`;
    lines.push(`  ${palette.faint(proof)}`);
  }
  return lines;
}

/** Returns the remark that the check did not look for faults; empty if it did. */
export function faultCaveat(faults: FaultFindings | undefined): string[] {
  return faults?.kind === 'not-looked-for' ? ['faults were not looked for'] : [];
}

/** Returns the remark that the search for data races was incomplete; empty if it was complete. */
export function raceCaveat(races: RaceFindings | undefined): string[] {
  return races?.incomplete ? ['data races were not looked for to the end'] : [];
}

/**
 * Returns remarks on prerequisites of the verdict `robust` that were not examined, and on data
 * races.
 */
export function caveatLines(result: CheckResult): string[] {
  const { verdict, faults, vacuity, races, cutShort } = result;
  const open = [
    ...raceCaveat(races),
    ...(cutShort
      ? [`the analyses after the verdict are incomplete: ${reasonInWords[cutShort]}`]
      : []),
  ];
  if (verdict.kind !== 'robust') return open;
  return [
    ...faultCaveat(faults),
    ...(vacuity?.kind === 'not-looked-for' ? ['accesses that never run were not looked for'] : []),
    ...open,
  ];
}

/**
 * Returns a line on the questions of a file that a check does not examine; `scope` as in the
 * result.
 */
export function notLookedAtLine(
  { file, program, advise }: Subject | EventSubject,
  scope?: Scope,
): string[] {
  const { properties, assertions } = notLookedAt(program);
  const parts = [
    ...properties.map((name) => `property ${name}`),
    ...(assertions > 0 ? [countOf(assertions, 'assertion')] : []),
  ];
  if (parts.length === 0) return [];
  const states = advise?.({ kind: 'compare-states', file, ...(scope && { scope }) });
  return [`not looked at: ${enumerate(parts)}${states === undefined ? '' : `; ${states} does`}`];
}

/**
 * Returns the report on a check: verdict, statistics, and for a program that is not robust the
 * attack, a computation and its cycle.
 */
export function checkReport(
  subject: Subject,
  result: CheckResult,
  options: { readonly palette: Palette; readonly listAttacks?: boolean },
): string {
  const { palette } = options;
  const lines = checkSummary(subject, result, palette);
  if (result.verdict.kind === 'not-robust')
    lines.push(...witnessLines(subject, result.verdict.witness, result, palette));
  if (options.listAttacks)
    lines.push(...section('Attacks one by one', attackTable(subject, result, palette), palette));
  return `${lines.join('\n')}\n`;
}
