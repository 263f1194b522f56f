/**
 * The outcomes of comparing two values, as far as rows of samples show them: a set of the bits
 * `below`, `same` and `above`.
 */
export type Seen = number;

export const below = 1;
export const same = 2;
export const above = 4;

/**
 * The relations from which candidates are made. Every relation between two values is a conjunction
 * of these.
 */
const basicRelations = ['<=', '>=', '!='] as const;
export type BasicRelation = (typeof basicRelations)[number];

const excludedBy: Readonly<Record<BasicRelation, Seen>> = { '<=': above, '>=': below, '!=': same };

/** Rows with the values of some terms; `undefined` for a term that has no value in a row. */
export type Rows = readonly (readonly (number | undefined)[])[];

/** A collection of rows of values, each of which is kept once. */
export class RowSet {
  readonly #rows = new Map<string, readonly (number | undefined)[]>();

  add(row: readonly (number | undefined)[]): void {
    const key = row.join();
    if (!this.#rows.has(key)) this.#rows.set(key, row);
  }

  get rows(): Rows {
    return [...this.#rows.values()];
  }
}

/** Returns the outcomes of comparing two columns, over all rows with values in both columns. */
export function compareColumns(rows: Rows, left: number, right: number): Seen {
  let seen = 0;
  for (const row of rows) {
    const a = row[left];
    const b = row[right];
    if (a === undefined || b === undefined) continue;
    seen |= a < b ? below : a > b ? above : same;
    if (seen === (below | same | above)) break;
  }
  return seen;
}

/** Returns the basic relations that no row contradicts; none if no row compares the values. */
export function relationsSeen(seen: Seen): readonly BasicRelation[] {
  return seen === 0 ? [] : basicRelations.filter((relation) => (seen & excludedBy[relation]) === 0);
}
