import type { CheckResult, CheckStatistics } from '@fencewright/model/verdict/verdict.js';
import { inToneOf } from '../words/blocks.js';
import type { Column, TonedText } from '../words/document.js';
import type { Palette } from './palette.js';
import { formatCount } from '@fencewright/ground/base/number-words.js';
import { renderTable } from './table.js';

/**
 * The size of a smallest set of fences for robustness; `none`: no set is enough; `unknown`: the
 * search gave no answer.
 */
export type FenceCount = number | 'none' | 'unknown';

/** A row of the table: a program and its check, or the reason why there is no check. */
export interface BenchRow {
  readonly name: string;
  readonly result?: CheckResult;
  /**
   * The size of the smallest set of fences that makes the program robust; absent if no search was
   * made.
   */
  readonly fences?: FenceCount;
  /** The reason why the check of the program is missing; absent if the program was checked. */
  readonly failure?: string;
}

/** The columns of a table: the usual ones, or also the states and the times of the phases. */
type BenchColumns = 'usual' | 'all';

function right(title: string): Column {
  return { title, align: 'right' };
}

const columns: readonly Column[] = [
  { title: 'program' },
  ...['T', 'L', 'I', 'RQ', 'NR1', 'NR2', 'R', 'F', 'states', 'ms'].map(right),
  { title: 'verdict' },
];

function verdictCell(result: CheckResult): TonedText {
  const { verdict } = result;
  const word = verdict.kind.replace('-', ' ');
  const notes = [
    ...(result.happensBefore === 'value' ? ['value'] : []),
    ...(verdict.kind === 'unknown' ? [verdict.reason] : []),
  ];
  return inToneOf(verdict.kind, notes.length > 0 ? `${word} (${notes.join(', ')})` : word);
}

function fencesCell(fences: FenceCount | undefined): TonedText {
  if (fences === undefined) return '-';
  if (fences === 'unknown') return { text: '?', tone: 'doubtful' };
  return fences === 'none' ? { text: 'none', tone: 'bad' } : String(fences);
}

function cellsOf({ name, result, fences, failure }: BenchRow): TonedText[] {
  if (!result)
    return [name, ...Array<TonedText>(10).fill('-'), { text: failure ?? '', tone: 'bad' }];
  const { threads, labels, instructions, states, milliseconds, attacks } = result.statistics;
  const decided = attacks.byCfg + attacks.infeasible + attacks.feasible;
  return [
    name,
    String(threads),
    String(labels),
    String(instructions),
    String(decided),
    String(attacks.byCfg),
    String(attacks.infeasible),
    String(attacks.feasible),
    fencesCell(fences),
    formatCount(states),
    milliseconds < 10 ? milliseconds.toFixed(1) : formatCount(Math.round(milliseconds)),
    verdictCell(result),
  ];
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

/**
 * The columns after the verdict: the heading, and a function that returns the text in a row,
 * `undefined` if the engine does not know the number.
 */
const phaseColumns: readonly (readonly [
  string,
  (statistics: CheckStatistics) => string | undefined,
])[] = [
  ['ph 1', ({ phaseStates }) => phaseStates && formatCount(phaseStates.sequential)],
  ['ph 2', ({ phaseStates }) => phaseStates && formatCount(phaseStates.delaying)],
  ['ph 3', ({ phaseStates }) => phaseStates && formatCount(phaseStates.path)],
  ['gen', ({ phases }) => phases && seconds(phases.generating)],
  ['comp', ({ phases }) => phases && seconds(phases.compiling)],
  ['Ver', ({ phases }) => phases && seconds(phases.verifying)],
  ['Real', ({ phases, milliseconds }) => phases && seconds(milliseconds)],
  [
    '% comp',
    ({ phases, milliseconds }) =>
      phases && `${milliseconds > 0 ? Math.round((100 * phases.compiling) / milliseconds) : 0} %`,
  ],
];

function phaseCells(result: CheckResult | undefined): readonly string[] {
  return phaseColumns.map(([, of]) => (result && of(result.statistics)) ?? '-');
}

/**
 * Returns programs in a table with the columns of [BDM13] Table 2: threads, labels, instructions,
 * attacks decided (RQ), those ruled out by the control flow (NR1), by search (NR2), feasible ones
 * (R), fences of a smallest set (F), then stored states and milliseconds of the check. With all
 * columns, also the stored states of the three phases of an attack (ph 1 to ph 3), or the seconds
 * that an engine with an external model checker takes for writing the model (gen), compiling (comp;
 * both are Spin in the paper), verifying (Ver) and altogether by the clock (Real), and the share of
 * compiling.
 */
export function benchTable(
  rows: readonly BenchRow[],
  palette: Palette,
  which: BenchColumns = 'usual',
): string {
  const isWhole = which === 'all';
  const more = isWhole ? phaseColumns.map(([title]) => right(title)) : [];
  const cells = rows.map((row) => [...cellsOf(row), ...(isWhole ? phaseCells(row.result) : [])]);
  const lines = renderTable({ columns: [...columns, ...more], rows: cells }, palette, '');
  return `${lines.join('\n')}\n`;
}
