import { at } from '@fencewright/ground/base/at.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { CycleEdge } from '@fencewright/model/verdict/verdict.js';
import { plainWord } from '../words/blocks.js';
import type { Column, Table, TonedText } from '../words/document.js';
import { runTable, threadRun } from '../words/run.js';
import { paintedWord, type Palette } from './palette.js';

const gap = '  ';

function padded(cell: TonedText, width: number, column: Column, isLast: boolean, palette: Palette) {
  const blanks = ' '.repeat(Math.max(0, width - plainWord(cell).length));
  const painted = paintedWord(cell, palette);
  if (column.align === 'right') return blanks + painted;
  return isLast ? painted : painted + blanks;
}

function columnWidths({ columns, rows }: Table): readonly number[] {
  return columns.map((column, c) =>
    rows.reduce(
      (width, row) => Math.max(width, plainWord(row[c] ?? '').length),
      column.title.length,
    ),
  );
}

/** Returns the width of a table in characters, without its indent. */
export function tableWidth(table: Table): number {
  return columnWidths(table).reduce((sum, width) => sum + gap.length + width, -gap.length);
}

/**
 * Returns the lines of an aligned table with a heading; without the heading if the table is
 * untitled. Cells are broken between words where a line would have more than `limit` characters.
 */
export function renderTable(
  table: Table,
  palette: Palette,
  indent = '  ',
  limit = Number.POSITIVE_INFINITY,
): string[] {
  const { columns, rows } = table;
  const widths = narrowed(table, limit - indent.length);
  const line = (cells: readonly TonedText[]): string => {
    const parts = columns.map((column, c) =>
      padded(cells[c] ?? '', at(widths, c), column, c === columns.length - 1, palette),
    );
    return (indent + parts.join(gap)).trimEnd();
  };
  const heading = columns.map(({ title }) => ({ text: title, tone: 'accent' }) as const);
  return [
    ...(table.isUntitled ? [] : [line(heading)]),
    ...rows.flatMap((row) => wrapped(row, widths)).map(line),
  ];
}

/** Returns the longest word of a cell; words are never broken. */
function longestWord(cell: TonedText): number {
  return Math.max(
    0,
    ...plainWord(cell)
      .split(' ')
      .map((word) => word.length),
  );
}

/**
 * Returns the widths of the columns of a table that is to have at most `limit` characters in a
 * line: the widest columns get narrower, as far as titles and single words allow.
 */
function narrowed(table: Table, limit: number): readonly number[] {
  const widths = [...columnWidths(table)];
  const least = table.columns.map(({ title }, c) =>
    Math.max(title.length, ...table.rows.map((row) => longestWord(row[c] ?? ''))),
  );
  let rest = widths.reduce((sum, width) => sum + gap.length + width, -gap.length) - limit;
  while (rest > 0) {
    const widest = Math.max(...widths.filter((width, c) => width > at(least, c)));
    if (!Number.isFinite(widest)) break;
    const c = widths.findIndex((width, each) => width === widest && width > at(least, each));
    widths[c] = widest - 1;
    rest -= 1;
  }
  return widths;
}

/** Returns a row as lines whose cells are not wider than `widths`, broken between words. */
function wrapped(
  row: readonly TonedText[],
  widths: readonly number[],
): readonly (readonly TonedText[])[] {
  const cells = row.map((cell, c) => {
    const lines: string[] = [];
    for (const word of plainWord(cell).split(' ')) {
      const last = lines.at(-1);
      const longer = last === undefined ? word : `${last} ${word}`;
      if (last !== undefined && longer.length > at(widths, c)) lines.push(word);
      else lines.splice(-1, 1, longer);
    }
    return lines.map((text): TonedText => (typeof cell === 'string' ? text : { ...cell, text }));
  });
  const height = Math.max(1, ...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, i) => cells.map((lines) => lines[i] ?? ''));
}

/** Returns the steps of a computation as a table; the actions of `cycle` are highlighted. */
export function computationLines(
  program: Program,
  computation: Computation,
  cycle: readonly CycleEdge[],
  palette: Palette,
): string[] {
  return renderTable(runTable(threadRun(program, computation, cycle)), palette);
}
