import type { ProveResult } from '@fencewright/model/verdict/prove-result.js';
import { formatCount } from '@fencewright/ground/base/number-words.js';
import type { Palette } from './palette.js';
import { countMovers } from '../words/proof-counts.js';
import { inToneOf } from '../words/blocks.js';
import type { Column, TonedText } from '../words/document.js';
import { renderTable } from './table.js';

/** A row of the table: a program and its proof, or the reason why there is no proof. */
export interface ProofRow {
  readonly name: string;
  readonly result?: ProveResult;
  /** The reason why the proof of the program is missing; absent if the program has a proof. */
  readonly failure?: string;
}

const columns: readonly Column[] = [
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
function robustCell({ verdict, violation, original }: ProveResult): TonedText {
  if (verdict.kind === 'not-robust' || violation) return { text: '-', tone: 'bad' };
  if (verdict.kind === 'proved' && verdict.conclusion.kind !== 'abstraction')
    return { text: '+', tone: 'good' };
  if (original)
    return { text: original.kind === 'all' ? '+' : `+${original.copies}`, tone: 'good' };
  return { text: '?', tone: 'doubtful' };
}

function resultCell({ verdict }: ProveResult): TonedText {
  switch (verdict.kind) {
    case 'proved': {
      const { conclusion } = verdict;
      const text =
        conclusion.kind === 'robust'
          ? `robust (${conclusion.happensBefore})`
          : conclusion.kind === 'abstraction'
            ? 'abstraction robust'
            : 'same states';
      return { text, tone: 'good' };
    }
    case 'not-robust':
      return inToneOf('not-robust', `not robust (${verdict.happensBefore})`);
    case 'unknown':
      return inToneOf('unknown', `unknown (${verdict.reason})`);
  }
}

function cellsOf({ name, result, failure }: ProofRow): TonedText[] {
  if (!result)
    return [name, ...Array<TonedText>(7).fill('-'), { text: failure ?? '', tone: 'bad' }];
  const { readAbstractions, weakRmws, rightMovers, leftMovers } = countMovers(result);
  const { obligations, milliseconds } = result.statistics;
  return [
    name,
    robustCell(result),
    String(readAbstractions),
    String(weakRmws),
    String(rightMovers),
    String(leftMovers),
    formatCount(obligations),
    (milliseconds / 1000).toFixed(2),
    resultCell(result),
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
  return `${renderTable({ columns, rows: rows.map(cellsOf) }, palette, '').join('\n')}\n`;
}
