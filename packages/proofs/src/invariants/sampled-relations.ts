/** How two values compared in the rows that were seen: bits of `below`, `same` and `above`. */
export type Seen = number;

export const below = 1;
export const same = 2;
export const above = 4;

/** What a candidate claims of two values. Every relation between them is a conjunction of these. */
const basicRelations = ['<=', '>=', '!='] as const;
export type BasicRelation = (typeof basicRelations)[number];

const excludedBy: Readonly<Record<BasicRelation, Seen>> = { '<=': above, '>=': below, '!=': same };

/** The values of some terms, row by row; `undefined` where a term has none. */
export type Rows = readonly (readonly (number | undefined)[])[];

/** Distinct rows, collected. */
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

/** How the values in two columns compared. */
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

/** The basic relations that no row contradicts; none if no row says anything. */
export function relationsSeen(seen: Seen): readonly BasicRelation[] {
  return seen === 0 ? [] : basicRelations.filter((relation) => (seen & excludedBy[relation]) === 0);
}
