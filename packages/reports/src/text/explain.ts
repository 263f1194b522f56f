import { at } from '@fencewright/ground/base/at.js';
import { countOf } from '@fencewright/ground/base/number-words.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { countDelays } from '@fencewright/model/trace/count-delays.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { AnswerRun, Replay } from '@fencewright/model/verdict/replay.js';
import type { CheckResult, Witness } from '@fencewright/model/verdict/verdict.js';
import { placeCell, stepSentence, threadName } from '../words/action-words.js';
import { answerRunWords } from './answer-run.js';
import { attackExcerpt, attackSentence } from './attack-in-words.js';
import { checkSummary, cycleLines } from './check.js';
import { instructionTexts } from '../words/instruction-texts.js';
import type { Palette } from './palette.js';
import type { ShownExecution } from '../words/shown-execution.js';
import type { Subject } from '../words/subject.js';
import { type TableCell, type TableColumn, renderTable, tableWidth } from './table.js';
import { accessedValue, cellValueText } from '../words/pointer-values.js';

/** The columns of a table of steps: the addresses accessed, and the threads that buffer stores. */
interface Scene {
  readonly addresses: readonly number[];
  readonly buffering: readonly ThreadId[];
}

function sceneOf({ computation }: Shown): Scene {
  const addresses = new Set<number>();
  const buffering = new Set<ThreadId>();
  for (const action of computation) {
    if ('address' in action) addresses.add(action.address);
    if (action.kind === 'issue') buffering.add(action.thread);
  }
  const byNumber = (a: number, b: number): number => a - b;
  return {
    addresses: [...addresses].sort(byNumber),
    buffering: [...buffering].sort(byNumber),
  };
}

/** An execution that a report shows step by step. */
type Shown = Pick<ShownExecution, 'computation'>;

function bufferText(program: Program, state: MachineState, thread: ThreadId): string {
  const stores = state.buffers[thread] ?? [];
  return (
    stores
      .map((s) => `${formatAddress(program, s.address)}=${accessedValue(program, s)}`)
      .join(' ') || '-'
  );
}

/** Returns the contents of a state, buffers first, in the order of `columnsOf`. */
function contents(program: Program, scene: Scene, state: MachineState): string[] {
  return [
    ...scene.buffering.map((thread) => bufferText(program, state, thread)),
    ...scene.addresses.map((address) =>
      cellValueText(program, address, state.memory.get(address) ?? 0),
    ),
  ];
}

function columnsOf(program: Program, scene: Scene): TableColumn[] {
  return [
    { title: 'step', align: 'right' },
    { title: 'what happens' },
    { title: 'line', align: 'right' },
    ...scene.buffering.map((thread) => ({ title: `buffer of ${threadName(program, thread)}` })),
    ...scene.addresses.map((address) => ({
      title: formatAddress(program, address),
      align: 'right' as const,
    })),
  ];
}

/**
 * Returns one row for each step: the action, then all buffers (oldest store first) and cells after
 * the action. Changes are highlighted.
 */
function stepRows(
  program: Program,
  witness: Shown,
  replay: Replay,
  palette: Palette,
): TableCell[][] {
  const scene = sceneOf(witness);
  const texts = instructionTexts(program, witness.computation);
  const shown = replay.states.map((state) => contents(program, scene, state));
  return shown.map((here, i) => {
    const before = shown[i - 1];
    const action = witness.computation[i - 1];
    const state = here.map((text, c): TableCell => {
      if (before && before[c] !== text) return { text, paint: palette.strong };
      return text === '-' ? { text, paint: palette.faint } : text;
    });
    const step = { text: String(i), paint: palette.faint };
    if (!action) return [step, { text: 'the start', paint: palette.faint }, '', ...state];
    const { thread, transition } = action;
    return [
      step,
      stepSentence(program, action, at(texts, i - 1)),
      placeCell(program, thread, transition),
      ...state,
    ];
  });
}

const style = (palette: Palette) => ({ indent: '  ', gap: '  ', heading: palette.accent });

/**
 * Returns the steps in the format for tables that are too wide: a line for each step, below it one
 * line for the buffers and one for the cells.
 */
function stepBlocks(
  program: Program,
  witness: Shown,
  rows: readonly TableCell[][],
  palette: Palette,
): string[] {
  const scene = sceneOf(witness);
  const titles = columnsOf(program, scene).map((column) => column.title);
  const text = (cell: TableCell | undefined): string =>
    cell === undefined ? '' : typeof cell === 'string' ? cell : cell.paint(cell.text);
  const items = (row: readonly TableCell[], from: number, to: number): string =>
    titles
      .slice(from, to)
      .map((title, c) => `${palette.faint(`${title}:`)} ${text(row[from + c])}`)
      .join('   ');
  const firstCell = 3 + scene.buffering.length;
  return rows.flatMap((row) => {
    const line = text(row[2]);
    return [
      `  ${text(row[0])}. ${text(row[1])}${line === '' ? '' : palette.faint(` (line ${line})`)}`,
      ...(scene.buffering.length > 0 ? [`       ${items(row, 3, firstCell)}`] : []),
      ...(scene.addresses.length > 0 ? [`       ${items(row, firstCell, titles.length)}`] : []),
    ];
  });
}

function stepLines(
  program: Program,
  witness: Shown,
  replay: Replay,
  options: ExplainOptions,
): string[] {
  const { palette } = options;
  const columns = columnsOf(program, sceneOf(witness));
  const rows = stepRows(program, witness, replay, palette);
  return tableWidth(columns, rows, style(palette)) <= options.width
    ? renderTable(columns, rows, style(palette))
    : stepBlocks(program, witness, rows, palette);
}

const howBuffersWork: readonly string[] = [
  '  Every thread has a store buffer. A store is issued into it and reaches memory later, oldest first;',
  '  until then only its own thread sees it. Shown is what the buffers and the memory hold after each step.',
];

/**
 * Returns the lines on the execution that shows `answer`, step by step; no lines if there is no
 * such execution.
 */
function answerRunLines(
  { program, source }: Subject,
  { answer, answered }: CheckResult,
  run: AnswerRun | undefined,
  options: ExplainOptions,
): string[] {
  const words = run && answer && answerRunWords(program, source, answer, answered);
  if (!words) return [];
  return [
    '',
    options.palette.strong(words.title),
    ...howBuffersWork,
    '',
    ...stepLines(run.program, run, run.replay, options),
    `  ${words.end}`,
  ];
}

/** Returns the line on the number of delays, if fewest delays were asked for. */
function delayLines({ computation, isMinimal }: Witness): string[] {
  if (isMinimal === undefined) return [];
  const delays = countOf(countDelays(computation), 'delay');
  return [
    '',
    isMinimal
      ? `  ${delays}: no execution that is not sequentially consistent has fewer.`
      : `  ${delays}; it is not known whether fewer are enough.`,
  ];
}

/**
 * Returns the lines on the execution of an attack, step by step, and the reason why the execution
 * is not sequentially consistent.
 */
export function executionLines(
  { program, source }: Subject,
  title: string,
  witness: Witness,
  replay: Replay,
  options: ExplainOptions,
  introduction = howBuffersWork,
): string[] {
  const { palette } = options;
  return [
    '',
    palette.strong(`${title}: ${attackSentence(program, witness)}`),
    ...attackExcerpt(program, source, witness, palette),
    '',
    palette.strong('Step by step'),
    ...introduction,
    '',
    ...stepLines(program, witness, replay, options),
    ...delayLines(witness),
    '',
    palette.strong('Why it is not sequentially consistent'),
    ...cycleLines(program, witness, palette),
  ];
}

export interface ExplainOptions {
  readonly palette: Palette;
  /**
   * The number of characters in a line of the terminal; the steps of a wider table are written in
   * several lines each.
   */
  readonly width: number;
}

/**
 * Returns the text on a robust program; `isShown`: an execution about the program's claims is shown
 * as well.
 */
function robustLines(isShown: boolean): string[] {
  return [
    '',
    `${isShown ? 'There is no attack.' : 'There is nothing to explain.'} In whatever order the threads run under TSO, their loads and stores`,
    'depend on each other as in an execution where every store takes effect at once.',
  ];
}

/**
 * Returns the report on the execution `run`, which shows what TSO changes about claims and states,
 * and on the witness of a check, step by step: the actions, the contents of every store buffer and
 * memory cell, and the cycle in words. `replay` belongs to the witness. Without a witness, the
 * summary of the check and its meaning.
 */
export function explainReport(
  subject: Subject,
  result: CheckResult,
  replay: Replay | undefined,
  options: ExplainOptions,
  run?: AnswerRun,
): string {
  const { palette } = options;
  const lines = checkSummary(subject, result, palette);
  const { verdict } = result;
  lines.push(...answerRunLines(subject, result, run, options));
  if (verdict.kind === 'robust') lines.push(...robustLines(run !== undefined));
  if (verdict.kind === 'not-robust' && replay) {
    const { witness } = verdict;
    const introduction = run ? [] : howBuffersWork;
    lines.push(...executionLines(subject, 'The attack', witness, replay, options, introduction));
  }
  return `${lines.join('\n')}\n`;
}
