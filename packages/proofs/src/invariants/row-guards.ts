import { isSame } from '@fencewright/model/program/expression.js';
import type { InvariantExpression } from '@fencewright/model/program/program.js';
import type { Relation } from './closest-relations.js';
import type { Rows } from './sampled-relations.js';
import type { Column, SampledRows } from './sampled-rows.js';

/**
 * A condition on one column, with the rows of which it is true. A thread that it speaks of is
 * binder 0.
 */
export interface Guard {
  readonly column: Column;
  readonly rows: Rows;
  readonly condition: InvariantExpression;
}

/**
 * That one of the `guarding` columns is, or is not, a number: those guards that are true of some
 * rows and not of others.
 */
export function* guardsOf(
  samples: SampledRows,
  columns: readonly Column[],
  rows: Rows,
  guarding: readonly Column[],
): Generator<Guard> {
  for (const [j, column] of columns.entries()) {
    if (!guarding.includes(column)) continue;
    for (const [i, number] of columns.entries()) {
      if (number.kind !== 'number' || !samples.areComparable(number, column)) continue;
      const equal = rows.filter((row) => row[j] === row[i]);
      const other = rows.filter((row) => row[j] !== row[i]);
      if (equal.length === 0 || other.length === 0) continue;
      const operands = { left: column.expression(0), right: number.expression() };
      yield { column, rows: equal, condition: { kind: 'binary', operator: '==', ...operands } };
      yield { column, rows: other, condition: { kind: 'binary', operator: '!=', ...operands } };
    }
  }
}

/**
 * The columns in whose place in an array the relation looks; they may be no index where it is no
 * invariant.
 */
export function pointersOf(
  { left, right }: Relation,
  columns: readonly Column[],
): readonly Column[] {
  return columns.filter((pointer) => [left, right].some((column) => isPointedAt(column, pointer)));
}

/** Whether the column is the cell of an array at the index that the other one is. */
function isPointedAt(column: Column, pointer: Column): boolean {
  const cell = column.expression(0);
  const index = cell.kind === 'cell' ? cell.index : undefined;
  return index !== undefined && isSame(index, pointer.expression(0));
}
