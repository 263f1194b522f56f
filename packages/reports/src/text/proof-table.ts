import type { ProveResult } from '@fencewright/model/verdict/prove-result.js';
import { formatCount } from '@fencewright/ground/base/number-words.js';
import type { Palette } from './palette.js';
import { countMovers } from '../words/proof-counts.js';
import { type TableCell, type TableColumn, renderTable } from './table.js';

/** A row of the table: a program and its proof, or the reason why there is no proof. */
export interface ProofRow {
  readonly name: string;
  readonly result?: ProveResult;
  /** The reason why there is no result; absent if there is a result. */
  readonly failure?: string;
}

const columns: readonly TableColumn[] = [
  { title: 'program' },
  { title: 'RB' },
  ...['RA', 'WR', 'RM', 'LM', 'questions', 'seconds'].map((title) => ({
    title,
    align: 'right' as const,
  })),
  { title: 'result' },
];

/**
 * Returns whether the program itself, without abstractions, is robust: `+`, `-`, `+3` if only
 * instances with up to three copies of each thread are known to be robust, or `?` if nothing is
 * known.
 */
function robustCell({ verdict, violation, original }: ProveResult, palette: Palette): TableCell {
  if (verdict.kind === 'not-robust' || violation) return { text: '-', paint: palette.bad };
  if (verdict.kind === 'proved' && verdict.conclusion.kind !== 'abstraction')
    return { text: '+', paint: palette.good };
  if (original)
    return {
      text: original.kind === 'all' ? '+' : `+${original.copies}`,
      paint: palette.good,
    };
  return { text: '?', paint: palette.doubtful };
}

function resultCell({ verdict }: ProveResult, palette: Palette): TableCell {
  switch (verdict.kind) {
    case 'proved': {
      const { conclusion } = verdict;
      const text =
        conclusion.kind === 'robust'
          ? `robust (${conclusion.happensBefore})`
          : conclusion.kind === 'abstraction'
            ? 'abstraction robust'
            : 'same states';
      return { text, paint: palette.good };
    }
    case 'not-robust':
      return { text: `not robust (${verdict.happensBefore})`, paint: palette.bad };
    case 'unknown':
      return { text: `unknown (${verdict.reason})`, paint: palette.doubtful };
  }
}

function cellsOf({ name, result, failure }: ProofRow, palette: Palette): TableCell[] {
  if (!result)
    return [name, ...Array<TableCell>(7).fill('-'), { text: failure ?? '', paint: palette.bad }];
  const { readAbstractions, weakRmws, rightMovers, leftMovers } = countMovers(result);
  const { obligations, milliseconds } = result.statistics;
  return [
    name,
    robustCell(result, palette),
    String(readAbstractions),
    String(weakRmws),
    String(rightMovers),
    String(leftMovers),
    formatCount(obligations),
    (milliseconds / 1000).toFixed(2),
    resultCell(result, palette),
  ];
}

/**
 * Returns programs in a table with the columns of [BEMT18] Table 1: whether the program itself is
 * robust (RB; a number says up to how many copies), read abstractions (RA), loads that have to be
 * right movers (RM), stores that have to be left movers (LM), and rmws that may fail at any time
 * (WR, not in the paper); then questions to the solver, and seconds including the search of
 * instances.
 */
export function proofTable(rows: readonly ProofRow[], palette: Palette): string {
  const lines = renderTable(
    columns,
    rows.map((row) => cellsOf(row, palette)),
    { indent: '', gap: '  ', heading: palette.accent },
  );
  return `${lines.join('\n')}\n`;
}
