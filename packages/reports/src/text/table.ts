import { at } from '@fencewright/ground/base/at.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { CycleEdge } from '@fencewright/model/verdict/verdict.js';
import { plainWord } from '../words/blocks.js';
import type { Column, Table, Word } from '../words/document.js';
import { runTable, threadRun } from '../words/run.js';
import { paintedWord, type Palette } from './palette.js';

const gap = '  ';

function padded(cell: Word, width: number, column: Column, isLast: boolean, palette: Palette) {
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
 * untitled.
 */
export function renderTable(table: Table, palette: Palette, indent = '  '): string[] {
  const { columns, rows } = table;
  const widths = columnWidths(table);
  const line = (cells: readonly Word[]): string => {
    const parts = columns.map((column, c) =>
      padded(cells[c] ?? '', at(widths, c), column, c === columns.length - 1, palette),
    );
    return (indent + parts.join(gap)).trimEnd();
  };
  const heading = columns.map(({ title }) => ({ text: title, tone: 'accent' }) as const);
  return [...(table.isUntitled ? [] : [line(heading)]), ...rows.map(line)];
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
