import { isSame } from '@fencewright/model/program/expression.js';
import type { InvariantExpression } from '@fencewright/model/program/program.js';
import type { ColumnRelation } from './closest-relations.js';
import type { Rows } from './sampled-relations.js';
import type { SampledColumn, SampledRows } from './sampled-rows.js';

/**
 * A condition on one column, with the rows that satisfy the condition. The thread of the column is
 * bound by binder 0.
 */
export interface Guard {
  readonly column: SampledColumn;
  readonly rows: Rows;
  readonly condition: InvariantExpression;
}

/**
 * Yields the conditions "a `guarding` column equals a number" and "a `guarding` column differs from
 * a number", if true in some rows and false in others.
 */
export function* rowGuards(
  samples: SampledRows,
  columns: readonly SampledColumn[],
  rows: Rows,
  guarding: readonly SampledColumn[],
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
 * Returns the columns that the relation uses as an array index. In rows that do not satisfy the
 * relation, such a column may hold an invalid index.
 */
export function pointersOf(
  { left, right }: ColumnRelation,
  columns: readonly SampledColumn[],
): readonly SampledColumn[] {
  return columns.filter((pointer) => [left, right].some((column) => isPointedAt(column, pointer)));
}

/** Whether the column is an array cell indexed by the pointer column. */
function isPointedAt(column: SampledColumn, pointer: SampledColumn): boolean {
  const cell = column.expression(0);
  const index = cell.kind === 'cell' ? cell.index : undefined;
  return index !== undefined && isSame(index, pointer.expression(0));
}
