import type { CheckResult, CheckStatistics } from '@fencewright/model/verdict/verdict.js';
import type { Paint, Palette } from './palette.js';
import { formatCount } from '@fencewright/ground/base/number-words.js';
import { type TableCell, type TableColumn, renderTable } from './table.js';

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
  /** The reason why there is no result; absent if there is a result. */
  readonly failure?: string;
}

/** The columns of a table: those of every table, or also where the time goes. */
export type BenchColumns = 'usual' | 'all';

function right(title: string): TableColumn {
  return { title, align: 'right' };
}

const columns: readonly TableColumn[] = [
  { title: 'program' },
  ...['T', 'L', 'I', 'RQ', 'NR1', 'NR2', 'R', 'F', 'states', 'ms'].map(right),
  { title: 'verdict' },
];

function verdictCell(result: CheckResult, palette: Palette): TableCell {
  const { verdict } = result;
  const paint: Record<typeof verdict.kind, Paint> = {
    robust: palette.good,
    'not-robust': palette.bad,
    unknown: palette.doubtful,
    error: palette.bad,
  };
  const word = verdict.kind.replace('-', ' ');
  const notes = [
    ...(result.happensBefore === 'value' ? ['value'] : []),
    ...(verdict.kind === 'unknown' ? [verdict.reason] : []),
  ];
  const text = notes.length > 0 ? `${word} (${notes.join(', ')})` : word;
  return { text, paint: paint[verdict.kind] };
}

function fencesCell(fences: FenceCount | undefined, palette: Palette): TableCell {
  if (fences === undefined) return '-';
  if (fences === 'unknown') return { text: '?', paint: palette.doubtful };
  return fences === 'none' ? { text: 'none', paint: palette.bad } : String(fences);
}

function cellsOf({ name, result, fences, failure }: BenchRow, palette: Palette): TableCell[] {
  if (!result)
    return [name, ...Array<TableCell>(10).fill('-'), { text: failure ?? '', paint: palette.bad }];
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
    fencesCell(fences, palette),
    formatCount(states),
    milliseconds < 10 ? milliseconds.toFixed(1) : formatCount(Math.round(milliseconds)),
    verdictCell(result, palette),
  ];
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

/** The columns behind the verdict, and how a row fills them if the engine knows the number. */
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
  const lines = renderTable(
    [...columns, ...more],
    rows.map((row) => [...cellsOf(row, palette), ...(isWhole ? phaseCells(row.result) : [])]),
    { indent: '', gap: '  ', heading: palette.accent },
  );
  return `${lines.join('\n')}\n`;
}
