import { duplicateName, syntaxError } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { LitmusReading } from './litmus-reading.js';
import type { TextRange } from '@fencewright/ground/source/tokens.js';
import { countOf } from '@fencewright/ground/base/number-words.js';

/**
 * A thread's column in the table: the places of its cells in the text, in the order of the rows.
 */
export interface ThreadColumn {
  /** The number in the name of the column's thread: 0 for `P0`. */
  readonly number: number;
  readonly span: Span;
  readonly cells: readonly TextRange[];
}

/**
 * Returns the columns of the table of instructions: rows end with `;`, columns are separated by
 * `|`, the first row names the threads.
 */
export function splitGrid(
  reading: LitmusReading,
  text: string,
  range: TextRange,
): readonly ThreadColumn[] {
  const rows = splitRows(reading, text, range);
  const [header, ...body] = rows;
  const { errors, index } = reading;
  if (!header) {
    errors.error(() =>
      syntaxError(
        index.spanOf(range.start, range.start),
        'the instructions are missing',
        "a row 'P0 | P1 ;' names the threads, and the rows below it hold their instructions",
      ),
    );
    return [];
  }
  const columns = header.map((cell) => readHeader(reading, text, cell));
  for (const row of body)
    for (const surplus of row.slice(columns.length))
      if (surplus.end > surplus.start)
        errors.error(() =>
          syntaxError(
            index.spanOf(surplus.start, surplus.end),
            `this row has more cells than the ${countOf(columns.length, 'thread')}`,
            "cells are separated by '|', and a row ends with ';'",
          ),
        );
  const seen = new Map<number, Span>();
  return columns.flatMap((column, position) => {
    if (!column) return [];
    const { number, span } = column;
    const first = seen.get(number);
    if (first) errors.error(() => duplicateName(span, 'thread', `P${number}`, first));
    else seen.set(number, span);
    return [{ ...column, cells: body.flatMap((row) => row[position] ?? []) }];
  });
}

function readHeader(
  { errors, index }: LitmusReading,
  text: string,
  { start, end }: TextRange,
): Omit<ThreadColumn, 'cells'> | undefined {
  const span = index.spanOf(start, end);
  const number = /^P([0-9]{1,6})(?:\s*:.*)?$/s.exec(text.slice(start, end))?.[1];
  if (number !== undefined) return { number: Number(number), span };
  errors.error(() =>
    syntaxError(span, 'the first row names the threads', "write 'P0 | P1 ;', counting from 0"),
  );
  return undefined;
}

/** Returns the cells of each row, without surrounding blanks. */
function splitRows(
  { errors, index }: LitmusReading,
  text: string,
  { start, end }: TextRange,
): readonly (readonly TextRange[])[] {
  const rows: TextRange[][] = [];
  let row: TextRange[] = [];
  let at = start;
  for (let i = start; i < end; i++) {
    const character = text[i];
    if (character !== '|' && character !== ';') continue;
    row.push(trimmed(text, at, i));
    at = i + 1;
    if (character === '|') continue;
    rows.push(row);
    row = [];
  }
  const rest = trimmed(text, at, end);
  if (row.length > 0 || rest.end > rest.start) {
    errors.error(() =>
      syntaxError(index.spanOf(rest.start, rest.end), "the last row does not end with ';'"),
    );
    rows.push([...row, rest]);
  }
  return rows;
}

function trimmed(text: string, start: number, end: number): TextRange {
  let [from, to] = [start, end];
  while (from < to && /\s/.test(text[from]!)) from += 1;
  while (to > from && /\s/.test(text[to - 1]!)) to -= 1;
  return { start: from, end: to };
}
