import { at } from '@fencewright/ground/base/at.js';
import type { Paint } from './palette.js';

/** A cell of a table: a text, or a text with its colour. */
export type TableCell = string | { readonly text: string; readonly paint: Paint };

export interface TableColumn {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

interface TableStyle {
  readonly indent: string;
  readonly gap: string;
  readonly heading: Paint;
}

function textOf(cell: TableCell): string {
  return typeof cell === 'string' ? cell : cell.text;
}

function padded(cell: TableCell, width: number, column: TableColumn, isLast: boolean): string {
  const text = textOf(cell);
  const blanks = ' '.repeat(Math.max(0, width - text.length));
  const painted = typeof cell === 'string' ? text : cell.paint(text);
  if (column.align === 'right') return blanks + painted;
  return isLast ? painted : painted + blanks;
}

/** Returns the width of a table in characters, indent and gaps included. */
export function tableWidth(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  style: TableStyle,
): number {
  const widths = columnWidths(columns, rows);
  const gaps = style.gap.length * Math.max(0, widths.length - 1);
  return widths.reduce((sum, width) => sum + width, style.indent.length + gaps);
}

function columnWidths(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
): readonly number[] {
  return columns.map((column, c) =>
    rows.reduce((width, row) => Math.max(width, textOf(row[c] ?? '').length), column.title.length),
  );
}

/**
 * Returns the lines of an aligned table with a heading; rows that are too short get empty cells at
 * their ends.
 */
export function renderTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  style: TableStyle,
): string[] {
  const widths = columnWidths(columns, rows);
  const line = (cells: readonly TableCell[]): string => {
    const parts = columns.map((column, c) =>
      padded(cells[c] ?? '', at(widths, c), column, c === columns.length - 1),
    );
    return (style.indent + parts.join(style.gap)).trimEnd();
  };
  const heading = columns.map((column) => ({ text: column.title, paint: style.heading }));
  return [line(heading), ...rows.map(line)];
}

/** Returns the table without columns that are empty in every row. */
export function withoutEmptyColumns(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
): { readonly columns: TableColumn[]; readonly rows: TableCell[][] } {
  const used = columns.map((_, c) => rows.some((row) => textOf(row[c] ?? '') !== ''));
  const keep = <T>(items: readonly T[]): T[] => items.filter((_, c) => used[c]);
  return { columns: keep(columns), rows: rows.map(keep) };
}
