/** A table to be printed; the first column is text, all further columns are figures. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Returns a number as text with separators: `1,234,567`. */
export function count(value: number | undefined): string {
  return value === undefined || Number.isNaN(value)
    ? '-'
    : Math.round(value).toLocaleString('en-GB');
}

/** Returns milliseconds as text, with one decimal below 10. */
export function milliseconds(value: number | undefined): string {
  if (value === undefined) return '-';
  return value < 10 ? value.toFixed(1) : count(value);
}

/** Returns the quotient of `a` and `b` as text: `12x`, `0.4x`. */
export function ratio(a: number | undefined, b: number | undefined): string {
  if (a === undefined || b === undefined || b === 0) return '-';
  return a / b < 10 ? `${(a / b).toFixed(1)}x` : `${count(a / b)}x`;
}

/** Formats a table with aligned columns for a terminal. */
export function aligned({ columns, rows }: Table): string {
  const widths = columns.map((title, c) =>
    Math.max(title.length, ...rows.map((row) => (row[c] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, c) =>
        c === 0 ? (cells[c] ?? '').padEnd(width) : (cells[c] ?? '').padStart(width),
      )
      .join('  ')
      .trimEnd();
  return [columns, ...rows].map((cells) => `${line(cells)}\n`).join('');
}

/** Formats a table in Markdown. */
export function markdown({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const rule = columns.map((_, c) => (c === 0 ? '---' : '---:'));
  return [columns, rule, ...rows].map(line).join('');
}
