import { at } from '@fencewright/ground/base/at.js';
import { printableLine, quoteName } from '@fencewright/ground/source/quote-name.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { AttackStage, DecidedAttack } from '@fencewright/model/verdict/attack.js';
import type {
  CheckResult,
  CheckStatistics,
  EnginePhases,
  FaultFindings,
  Scope,
  Witness,
} from '@fencewright/model/verdict/verdict.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import { freedUseShown } from '@fencewright/model/verdict/freed-use-shown.js';
import type { RaceFindings } from '@fencewright/model/verdict/data-race.js';
import { assumptionLines } from '../words/assumption-lines.js';
import { c11InOneLine } from '../words/c11-line.js';
import {
  advice,
  blankLine,
  headlineWords,
  inToneOf,
  notes,
  numbered,
  say,
  section,
  tables,
  withoutEmptyColumns,
} from '../words/blocks.js';
import type { Block, Column, Table, TonedText } from '../words/document.js';
import { threadRun } from '../words/run.js';
import { headlineLine, printText } from './print-text.js';
import { hintOnC11, hintOnCheck } from '../words/hint-on-check.js';
import { openingOf, verdictInWords } from '../words/opening.js';
import { reasonInWords } from '../words/reason-in-words.js';
import { cellText, labelOf, placeCell, threadName } from '../words/action-words.js';
import { answerRunWords } from './answer-run.js';
import { attackExcerpt, attackSentence } from './attack-in-words.js';
import { commitSteps, stepsOfEdge } from '../words/commit-steps.js';
import { stepNumbers } from '../words/step-numbers.js';
import { cycleInWords, storeBehindAttack } from '../words/cycle-in-words.js';
import { notLookedAt } from '../words/not-looked-at.js';
import type { EventSubject } from '../words/event-subject.js';
import {
  countOf,
  enumerate,
  formatCount,
  formatDuration,
} from '@fencewright/ground/base/number-words.js';
import type { Palette } from './palette.js';
import { anyNumberInWords } from '../words/scope-in-words.js';
import type { Subject } from '../words/subject.js';
import { stageWords } from '../words/stage-words.js';
import { isWrongAnyway } from '../words/wrong-anyway.js';

/**
 * Returns the title of a report, `dekker.fw: Dekker`; only the file if the program's name adds
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

/**
 * Returns the verdict of a check in one line, with the notion of happens-before unless the notion
 * is the standard one.
 */
export function verdictLine(subject: Subject, result: CheckResult, palette: Palette): string {
  return headlineLine(titleOf(subject), verdictInWords(result), palette);
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
      : attackCounts(result),
  ];
}

/** Returns a line on the times of the phases, as in [BDM13] Table 2. */
function phasesLine({ generating, compiling, verifying }: EnginePhases): string {
  const [model, verifier, search] = [generating, compiling, verifying].map(formatDuration);
  return `of that: generating ${model}, compiling ${verifier}, verifying ${search}`;
}

function attackCounts({ statistics: { attacks }, cutShort }: CheckResult): string {
  const open = attacks.total - attacks.byCfg - attacks.infeasible - attacks.feasible;
  const isEnough = attacks.feasible > 0 && !cutShort;
  const ruledOut = ruledOutBy(attacks).map(
    ([stage, number], i) =>
      `${formatCount(number)}${i === 0 ? ' ruled out' : ''} by ${stageWords[stage]}`,
  );
  const parts = [
    attacks.feasible > 0 && `${formatCount(attacks.feasible)} feasible`,
    ...ruledOut,
    open > 0 && `${formatCount(open)} ${isEnough ? 'not tried, as one is enough' : 'not decided'}`,
  ].filter((part) => part !== false);
  return `${countOf(attacks.total, 'attack')}: ${enumerate(parts)}`;
}

/** Returns the number of attacks refuted by each method, without methods that refuted none. */
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
export function cycleBlocks(program: Program, witness: Witness): readonly Block[] {
  const { computation, cycle } = witness;
  const behind = storeBehindAttack(program, witness);
  const commits = commitSteps(computation);
  const numbers = stepNumbers(program, computation);
  const items = cycleInWords(program, computation, cycle).map(({ sentence: words, edge }) => {
    const [from, to] = stepsOfEdge(commits, computation, edge).map((step) => at(numbers, step));
    return { words, note: `${edge.relation}, step ${from} to step ${to}` };
  });
  const round =
    'Going round, each of these accesses would come before itself: no sequentially consistent run is like this.';
  if (items.length === 0) return [];
  return [...(behind === undefined ? [] : [say(behind)]), ...numbered(items), say(round)];
}

/**
 * Returns the execution without store buffers in which a claim fails or freed memory is used;
 * nothing if there is none.
 */
function failureBlocks(subject: Subject, result: CheckResult): readonly Block[] {
  const { answer, answered } = result;
  const used = freedUseShown(result);
  const known = answer?.kind === 'wrong-under-sc' ? answer : undefined;
  const computation = used?.model === 'SC' ? used.computation : known?.computation;
  if (!computation) return [];
  const ofAnswer = answered?.shown?.program ?? answered?.templates;
  const about = (used ? undefined : ofAnswer) ?? subject.program;
  const words = answerRunWords(subject, result);
  if (!words) return [];
  const run = threadRun(about, computation, []);
  return section(words.title, [{ kind: 'run', run }, say(words.end)]);
}

/**
 * Returns one line about the attack on a program that is wrong without store buffers, too, with the
 * command that shows the attack's execution.
 */
function attackLine({ program, file, advise }: Subject, witness: Witness): readonly Block[] {
  const shows = advise?.({ kind: 'show-failure', file });
  const sentence = attackSentence(program, witness).replace(/\.$/, '');
  const how = shows === undefined ? '' : `; ${shows} shows the execution`;
  return [blankLine, say(`An attack on robustness, beside that: ${sentence}${how}`, 0)];
}

function witnessBlocks(
  { program, source }: Subject,
  witness: Witness,
  { answer }: CheckResult,
): readonly Block[] {
  const isOther = ['breaks', 'hangs'].includes(answer?.kind ?? '');
  const remark = 'It breaks robustness; what fails may show in another execution only.';
  const run = threadRun(program, witness.computation, witness.cycle);
  return [
    ...section(`The attack: ${attackSentence(program, witness)}`, [
      attackExcerpt(program, source, witness),
      ...(isOther ? [say(remark)] : []),
    ]),
    ...section('A TSO execution of the attack', [{ kind: 'run', run }]),
    ...section('Why it is not sequentially consistent', cycleBlocks(program, witness)),
  ];
}

const attackColumns: readonly Column[] = [
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

/** Returns the table of attacks, with the verdict and the deciding method of each attack. */
export function attackTable(program: Program, attacks: readonly DecidedAttack[]): Table {
  const place = (thread: ThreadId, transition: TransitionId): TonedText[] => [
    cellText(program, thread, transition),
    labelOf(program, thread, transition) ?? '',
    placeCell(program, thread, transition),
  ];
  const rows = attacks.map(
    ({ attack: { thread, store, load }, verdict, settledBy }): TonedText[] => [
      threadName(program, thread),
      ...place(thread, store),
      ...place(thread, load),
      inToneOf(verdict),
      ['infeasible', 'by-cfg'].includes(verdict) && settledBy ? stageWords[settledBy] : '',
    ],
  );
  return withoutEmptyColumns({ columns: attackColumns, rows });
}

function attackBlocks({ program, advise }: Subject, { attacks }: CheckResult): readonly Block[] {
  const searched = attacks.filter(({ verdict }) => verdict !== 'by-cfg');
  const rest = attacks.length - searched.length;
  const listing = inBrackets(advise?.({ kind: 'list-all' }));
  const restLine = `${countOf(rest, 'attack')} ruled out by the control flow${listing}`;
  return [...tables(attackTable(program, searched)), ...(rest > 0 ? notes([restLine]) : [])];
}

/** Returns ` (words)`, to be appended to a text; empty for `undefined`. */
export function inBrackets(words: string | undefined): string {
  return words === undefined ? '' : ` (${words})`;
}

/** Returns the answer of a check: the main sentence, then the scope and the reasons. */
function answerBlocks(subject: Subject, result: CheckResult): readonly Block[] {
  const { headline, difference, grounds } = openingOf(subject.program, result);
  return [
    { kind: 'headline', title: titleOf(subject), headline },
    ...difference.map((line) => say(line, 2)),
    ...grounds.map((one) => say(typeof one === 'string' ? one : headlineWords(one))),
  ];
}

/**
 * Returns the line on C11. With `isAdvised`, the hint of the report is about x86, so the line
 * itself names the command that shows the failing claim or the wait.
 */
function c11Line(
  { program, file, advise }: Subject,
  result: CheckResult,
  portable: C11Result,
  isAdvised: boolean,
): Block {
  const { races } = result;
  const headline = c11InOneLine(program, portable, result);
  const { effect, model } = portable;
  const isSeen = effect?.kind === 'waits' || effect?.kind === 'assertion-fails';
  const shows =
    isAdvised && isSeen && !races?.freedUses[0]
      ? advise?.({ kind: 'show-c11', file, model })
      : undefined;
  const rest = shows === undefined ? headline.rest : `${headline.rest}; ${shows} shows it`;
  return say(headlineWords({ ...headline, rest }));
}

/** Returns the answer, advice, and the statistics with which every report on a check begins. */
export function checkSummary(subject: Subject, result: CheckResult): readonly Block[] {
  const { program } = subject;
  const { portable, invariant, races } = result;
  const hint = hintOnCheck(subject, result);
  const isUsingFreed = races !== undefined && races.freedUses.length > 0;
  const hintBeside =
    portable && hint === undefined && !isUsingFreed
      ? hintOnC11(subject, portable, false, isWrongAnyway(result))
      : undefined;
  const elements = countOf(invariant ?? 0, 'configuration');
  return [
    ...answerBlocks(subject, result),
    ...advice(hint),
    ...(portable ? [c11Line(subject, result, portable, hint !== undefined)] : []),
    ...advice(hintBeside),
    ...notes([
      ...assumptionLines(program),
      ...statisticsLines(result),
      ...caveatLines(result),
      ...(result.answer ? [] : notLookedAtLine(subject, result.scope)),
      ...(invariant === undefined
        ? []
        : [
            `proved by an inductive invariant of ${elements}, which was checked apart from the search`,
          ]),
    ]),
  ];
}

/** Returns the remark that the check did not look for faults; otherwise an empty list. */
export function faultCaveat(faults: FaultFindings | undefined): string[] {
  return faults?.kind === 'not-looked-for' ? ['faults were not looked for'] : [];
}

/**
 * Returns the remarks that the searches for data races and for uses of freed memory were
 * incomplete; empty if they were complete.
 */
export function raceCaveat(races: RaceFindings | undefined): string[] {
  return [
    ...(races?.incomplete ? ['data races were not looked for to the end'] : []),
    ...(races?.freedIncomplete ? ['uses of freed memory were not looked for to the end'] : []),
  ];
}

/** Returns the statement that the work after the verdict is incomplete. */
function unfinished({ attacks }: CheckResult): string {
  return attacks.some(({ verdict }) => verdict === 'unknown')
    ? 'not all attacks are decided'
    : 'the analyses after the verdict are incomplete';
}

/**
 * Returns remarks on prerequisites of the verdict `robust` that were not examined, and on data
 * races.
 */
export function caveatLines(result: CheckResult): string[] {
  const { verdict, faults, vacuity, races, cutShort } = result;
  const open = [
    ...raceCaveat(races),
    ...(cutShort ? [`${unfinished(result)}: ${reasonInWords[cutShort]}`] : []),
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
 * Returns the report on a check: verdict, statistics, the execution in which a claim fails without
 * store buffers, and for a program that is not robust the attack, a computation and its cycle.
 */
export function checkReport(
  subject: Subject,
  result: CheckResult,
  options: { readonly palette: Palette; readonly listAttacks?: boolean },
): string {
  const { verdict } = result;
  // In a program that is already wrong without weak memory, the attack is not the first thing to
  // look at.
  const shown = isWrongAnyway(result) && !options.listAttacks ? attackLine : witnessBlocks;
  const blocks = [
    ...checkSummary(subject, result),
    ...failureBlocks(subject, result),
    ...(verdict.kind === 'not-robust' ? shown(subject, verdict.witness, result) : []),
    ...(options.listAttacks ? section('Attacks one by one', attackBlocks(subject, result)) : []),
  ];
  return printText(blocks, options.palette);
}
