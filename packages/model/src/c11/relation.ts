/** A binary relation between the events 0 to `size - 1`. */
export class Relation {
  readonly size: number;
  readonly #words: number;
  readonly #rows: Uint32Array;

  constructor(size: number, rows?: Uint32Array) {
    this.size = size;
    this.#words = Math.max(1, Math.ceil(size / 32));
    this.#rows = rows ?? new Uint32Array(size * this.#words);
  }

  /** Returns the identity relation on the events for which `holds` is true. */
  static identity(size: number, holds: (event: number) => boolean): Relation {
    const result = new Relation(size);
    for (let event = 0; event < size; event++) if (holds(event)) result.add(event, event);
    return result;
  }

  add(from: number, to: number): void {
    this.#rows[from * this.#words + (to >>> 5)]! |= 1 << (to & 31);
  }

  has(from: number, to: number): boolean {
    return ((this.#rows[from * this.#words + (to >>> 5)]! >>> (to & 31)) & 1) === 1;
  }

  union(...others: readonly Relation[]): Relation {
    const rows = this.#rows.slice();
    for (const other of others) other.#rows.forEach((word, i) => (rows[i]! |= word));
    return new Relation(this.size, rows);
  }

  /** Returns the composition of this relation with the relation `next`: `this ; next`. */
  then(next: Relation): Relation {
    const result = new Relation(this.size);
    for (let from = 0; from < this.size; from++)
      for (let middle = 0; middle < this.size; middle++)
        if (this.has(from, middle)) result.#join(from, next, middle);
    return result;
  }

  /** Returns the reflexive closure of the relation: `this?`. */
  optional(): Relation {
    return this.union(Relation.identity(this.size, () => true));
  }

  /** Returns the transitive closure of the relation. */
  closure(): Relation {
    const result = new Relation(this.size, this.#rows.slice());
    for (let middle = 0; middle < this.size; middle++)
      for (let from = 0; from < this.size; from++)
        if (result.has(from, middle)) result.#join(from, result, middle);
    return result;
  }

  get isIrreflexive(): boolean {
    for (let event = 0; event < this.size; event++) if (this.has(event, event)) return false;
    return true;
  }

  get isAcyclic(): boolean {
    return this.closure().isIrreflexive;
  }

  #join(from: number, other: Relation, row: number): void {
    for (let word = 0; word < this.#words; word++)
      this.#rows[from * this.#words + word]! |= other.#rows[row * this.#words + word]!;
  }
}
