import type { InvariantExpression } from '@fencewright/model/program/program.js';
import {
  compareColumns,
  relationsSeen,
  type BasicRelation,
  type Rows,
} from './sampled-relations.js';
import type { SampledColumn, NumberColumn, SampledRows } from './sampled-rows.js';

/**
 * A comparison of two columns of sampled rows, and the weaker comparisons to claim if this one is
 * no invariant.
 */
export interface ColumnRelation<Left extends SampledColumn = SampledColumn> {
  readonly left: Left;
  readonly right: SampledColumn;
  readonly relation: BasicRelation;
  readonly weaker: readonly ColumnRelation[];
}

/**
 * The known lower and upper bound of a column's values; absent where no claim about numbers may use
 * the bound.
 */
interface ColumnBounds {
  low?: number;
  high?: number;
}

/**
 * Returns the relations between columns that all rows satisfy, each with the later column on the
 * right. Between numbers and a term: the closest bounds, and the gaps between the bounds. Between
 * two terms: the relations that do not follow from the bounds of both. Pairs that `isWanted`
 * refuses are not related, but bounds are still computed from them.
 */
export function closestRelations(
  samples: SampledRows,
  columns: readonly SampledColumn[],
  rows: Rows,
  isWanted: (left: SampledColumn, right: SampledColumn) => boolean = () => true,
): readonly ColumnRelation[] {
  const found: ColumnRelation[] = [];
  const bounds = new Map<SampledColumn, ColumnBounds>();
  for (const [j, right] of columns.entries()) {
    const numbers: ColumnRelation<NumberColumn>[] = [];
    const bound: ColumnBounds = {};
    bounds.set(right, bound);
    for (const [i, left] of columns.slice(0, j).entries()) {
      if (!samples.areComparable(left, right)) continue;
      const wanted = isWanted(left, right);
      for (const relation of relationsSeen(compareColumns(rows, i, j))) {
        if (left.kind !== 'number') {
          if (wanted && !follows(bounds.get(left), relation, bound))
            found.push({ left, right, relation, weaker: [] });
          continue;
        }
        const { value } = left;
        if (wanted) numbers.push({ left, right, relation, weaker: [] });
        if (relation === '<=') bound.low = Math.max(bound.low ?? value, value);
        if (relation === '>=') bound.high = Math.min(bound.high ?? value, value);
      }
    }
    found.push(...closest(numbers));
  }
  return found;
}

/**
 * Returns the relation as an expression, with a number on the right, as people write comparisons.
 * The thread of the columns is bound by binder 0.
 */
export function relate({ left, right, relation }: ColumnRelation): InvariantExpression {
  const operands = [left.expression(0), right.expression(0)] as const;
  if (left.kind !== 'number')
    return { kind: 'binary', operator: relation, left: operands[0], right: operands[1] };
  const turned = { '<=': '>=', '>=': '<=', '!=': '!=' } as const;
  return { kind: 'binary', operator: turned[relation], left: operands[1], right: operands[0] };
}

/**
 * Returns the closest bounds among comparisons with ascending numbers, and the gaps between the
 * bounds; all other comparisons become the weaker relations to claim if a closest bound is no
 * invariant.
 */
function closest(numbers: readonly ColumnRelation<NumberColumn>[]): readonly ColumnRelation[] {
  const gaps = numbers.filter(({ relation }) => relation === '!=');
  const chain = (
    bounds: readonly ColumnRelation<NumberColumn>[],
    isBeyond: (gap: number, bound: number) => boolean,
  ) =>
    bounds.reduce<ColumnRelation<NumberColumn> | undefined>(
      (weaker, bound) => ({
        ...bound,
        weaker: [
          ...(weaker ? [weaker] : []),
          ...gaps.filter((gap) => isBeyond(gap.left.value, bound.left.value)),
        ],
      }),
      undefined,
    );
  const low = chain(
    numbers.filter(({ relation }) => relation === '<='),
    (gap, bound) => gap < bound,
  );
  const high = chain(
    numbers.filter(({ relation }) => relation === '>=').reverse(),
    (gap, bound) => gap > bound,
  );
  const between = gaps.filter(
    ({ left: { value } }) => !(low && value < low.left.value) && !(high && value > high.left.value),
  );
  return [...(low ? [low] : []), ...(high ? [high] : []), ...between];
}

/** Whether the bounds of two columns imply the relation. */
function follows(
  left: Readonly<ColumnBounds> | undefined,
  relation: BasicRelation,
  right: Readonly<ColumnBounds>,
): boolean {
  const isBelow = (a: typeof left, b: typeof left, gap: number): boolean =>
    a?.high !== undefined && b?.low !== undefined && a.high + gap <= b.low;
  switch (relation) {
    case '<=':
      return isBelow(left, right, 0);
    case '>=':
      return isBelow(right, left, 0);
    case '!=':
      return isBelow(left, right, 1) || isBelow(right, left, 1);
  }
}
