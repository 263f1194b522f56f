import { countOf } from '@fencewright/ground/base/number-words.js';
import type { Program } from '@fencewright/model/program/program.js';
import { countDelays } from '@fencewright/model/trace/count-delays.js';
import type { AnswerRun, Replay } from '@fencewright/model/verdict/replay.js';
import type { CheckResult, Witness } from '@fencewright/model/verdict/verdict.js';
import { answerRunWords } from './answer-run.js';
import { attackExcerpt, attackSentence } from './attack-in-words.js';
import { checkSummary, cycleBlocks } from './check.js';
import { pageData } from '../words/page-data.js';
import { firstStateColumn, stepTable } from '../words/step-table.js';
import { isWithoutBuffers } from '../words/told-steps.js';
import type { ShownExecution } from '../words/shown-execution.js';
import type { Subject } from '../words/subject.js';
import { blankLine, plainWord, say, section, tables } from '../words/blocks.js';
import type { Block, Table, TonedText } from '../words/document.js';
import type { Palette } from './palette.js';
import { printText } from './print-text.js';
import { tableWidth } from './table.js';

/** The indentation, in levels, of the lines that stand below a step. */
const belowLevel = 3;

/**
 * Divides a list of parts into lines of at most `width` characters. Each line has at least one
 * part, so a long part may exceed the width.
 */
function inLines(parts: readonly TonedText[][], width: number): readonly TonedText[][][] {
  const lines: TonedText[][][] = [];
  let used = 0;
  for (const part of parts) {
    const length = part.reduce((sum, word) => sum + plainWord(word).length, 3);
    const line = lines.at(-1);
    if (line && used + length <= width) line.push(part);
    else lines.push([part]);
    used = (line && used + length <= width ? used : 0) + length;
  }
  return lines;
}

/**
 * Returns the steps in the format for tables that are too wide for the terminal. The start and each
 * step have one line. Lines below the start show all buffers and cells; lines below a step, only
 * those that the step changes.
 */
function narrowSteps({ columns, rows }: Table, width: number): readonly Block[] {
  const below = (
    row: readonly TonedText[],
    before: readonly TonedText[] | undefined,
  ): readonly Block[] => {
    const changed = columns.slice(firstStateColumn).flatMap(({ title }, c): TonedText[][] => {
      const [here = '', last] = [row[firstStateColumn + c], before?.[firstStateColumn + c]];
      const isSame = last !== undefined && plainWord(here) === plainWord(last);
      return isSame ? [] : [[{ text: `${title}:`, tone: 'faint' }, ' ', here]];
    });
    return inLines(changed, width - 2 * belowLevel).map((line) =>
      say(
        line.flatMap((words, c) => [c === 0 ? ' ' : '   ', ...words]),
        belowLevel,
      ),
    );
  };
  return rows.flatMap((row, i) => {
    const [step = '', what = '', line = ''] = row;
    // `ring.h:12` names a file.
    const where = plainWord(line).includes(':') ? plainWord(line) : `line ${plainWord(line)}`;
    const place: TonedText = line === '' ? '' : { text: ` (${where})`, tone: 'faint' };
    return [say([step, '. ', what, place]), ...below(row, rows[i - 1])];
  });
}

function stepBlocks(
  program: Program,
  witness: Pick<ShownExecution, 'computation'>,
  replay: Replay,
  width: number,
): readonly Block[] {
  const data = pageData(program, witness, replay);
  const table = stepTable(data, (stores) =>
    stores.map((store) => store.replace(' = ', '=')).join(' '),
  );
  const isWide = tableWidth(table) + 2 <= width;
  return [
    say(
      isWide
        ? 'A row shows what the buffers and the memory hold after the step.'
        : 'Below a step stands what it changes in the buffers and in memory.',
    ),
    blankLine,
    ...(isWide ? tables(table) : narrowSteps(table, width)),
  ];
}

const howBuffersWork: readonly Block[] = [
  say(
    'Every thread has a store buffer. A store is issued into it and reaches memory later, oldest first;',
  ),
  say('until then only its own thread sees it.'),
];

const howMemoryWorks: readonly Block[] = [say('Every store reaches memory at once.')];

/**
 * Returns the execution that shows the answer, step by step; nothing if no execution shows the
 * answer.
 */
function answerRunBlocks(
  subject: Subject,
  result: CheckResult,
  run: AnswerRun | undefined,
  width: number,
): readonly Block[] {
  const words = run && answerRunWords(subject, result);
  if (!words) return [];
  return section(words.title, [
    ...(isWithoutBuffers(run.computation) ? howMemoryWorks : howBuffersWork),
    ...stepBlocks(run.program, run, run.replay, width),
    say(words.end),
  ]);
}

/** Returns the number of delays, if fewest delays were asked for. */
function delayBlocks({ computation, isMinimal }: Witness): readonly Block[] {
  if (isMinimal === undefined) return [];
  const delays = countOf(countDelays(computation), 'delay');
  const words = isMinimal
    ? `${delays}: no execution that is not sequentially consistent has fewer.`
    : `${delays}; it is not known whether fewer are enough.`;
  return [blankLine, say(words)];
}

/**
 * Returns the execution of an attack, step by step, and the reason why the execution is not
 * sequentially consistent.
 */
export function executionBlocks(
  { program, source }: Subject,
  title: string,
  witness: Witness,
  replay: Replay,
  width: number,
  isSecond = false,
): readonly Block[] {
  return [
    ...section(`${title}: ${attackSentence(program, witness)}`, [
      attackExcerpt(program, source, witness),
    ]),
    // After another execution, title and words distinguish the two executions.
    ...section(isSecond ? 'The attack, step by step: another execution' : 'Step by step', [
      ...(isSecond
        ? [
            say('The execution above shows what store buffers change. This one shows why the'),
            say('program is not robust; nothing needs to fail in it.'),
          ]
        : howBuffersWork),
      ...stepBlocks(program, witness, replay, width),
      ...delayBlocks(witness),
    ]),
    ...section('Why it is not sequentially consistent', cycleBlocks(program, witness)),
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
 * Returns the meaning of robustness, for a program without an attack. `isShown`: the report shows
 * an execution for another reason, about the program's claims.
 */
function robustBlocks(isShown: boolean): readonly Block[] {
  const what = isShown ? 'There is no attack.' : 'There is nothing to explain.';
  return [
    blankLine,
    say(`${what} In whatever order the threads run under TSO, their loads and stores`, 0),
    say('depend on each other as in an execution where every store takes effect at once.', 0),
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
  { palette, width }: ExplainOptions,
  run?: AnswerRun,
): string {
  const { verdict } = result;
  const isIntroduced = run !== undefined && !isWithoutBuffers(run.computation);
  const blocks = [
    ...checkSummary(subject, result),
    ...answerRunBlocks(subject, result, run, width),
    ...(verdict.kind === 'robust' ? robustBlocks(run !== undefined) : []),
    ...(verdict.kind === 'not-robust' && replay
      ? executionBlocks(subject, 'The attack', verdict.witness, replay, width, isIntroduced)
      : []),
  ];
  return printText(blocks, palette);
}
