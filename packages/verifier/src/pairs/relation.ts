import type { Budget, Exhausted } from '../budget.js';
import type { Components } from './components.js';

/** The limits on a relation between pairs; the computation of a larger relation is stopped. */
const most = {
  /** The maximum number of component states (items). The bits for all pairs then take 32 MB. */
  items: 16_384,
  /** The maximum work, in 32-bit words of bit sets that are visited. */
  work: 200_000_000,
} as const;

/** The reason why the computation of a relation stopped early. */
export type Unclosed =
  { readonly kind: 'too large' } | { readonly kind: 'stopped'; readonly reason: Exhausted };

/** A set of component states (items): bit `i & 31` of word `i >> 5` is item `i`. */
type ItemSet = Int32Array;

function eachBit(bits: number, word: number, take: (item: number) => void): void {
  for (let rest = bits; rest !== 0; rest &= rest - 1)
    take(32 * word + 31 - Math.clz32(rest & -rest));
}

/**
 * The closed relation of a program: the least one. A step takes an item of a thread and an item of
 * the component that holds the cell, and is possible if the two are related. The items after the
 * step are related to each other, and to all items related to both participants. So all items of
 * every state under SC are related pairwise: this is true of the initial items, and a step keeps it
 * true, since unchanged items were related to all participants.
 */
export class PairRelation {
  readonly #components: Components;
  readonly #budget: Budget;
  /** For each item, the items related to it. */
  readonly #rows: ItemSet[] = [];
  /** The items possibly related to more items than at the last visit. */
  readonly #open = new Set<number>();
  #work = 0;

  private constructor(components: Components, budget: Budget) {
    this.#components = components;
    this.#budget = budget;
  }

  static close(components: Components, budget: Budget): PairRelation | Unclosed {
    const relation = new PairRelation(components, budget);
    return relation.#close() ?? relation;
  }

  /** Whether two items may occur in one state; two items of one component never do. */
  has(item: number, other: number): boolean {
    return ((this.#rows[item]![other >>> 5]! >>> (other & 31)) & 1) === 1;
  }

  /** Returns the items related to at least one of `items`. */
  withAnyOf(items: readonly number[]): readonly number[] {
    const together: number[] = [];
    for (let word = 0; word < this.#words; word++) {
      const bits = items.reduce((all, item) => all | this.#rows[item]![word]!, 0);
      eachBit(bits, word, (item) => together.push(item));
    }
    return together;
  }

  /** The number of 32-bit words of a set that the items found so far need. */
  get #words(): number {
    return (this.#components.size + 31) >>> 5;
  }

  #close(): Unclosed | undefined {
    const { starts } = this.#components;
    this.#makeRows();
    for (const [t, items] of starts.entries())
      for (const others of starts.slice(t + 1))
        for (const item of items) for (const other of others) this.#relate(item, other);
    // The set grows during the loop.
    for (const item of this.#open) {
      this.#open.delete(item);
      const unclosed = this.#stopped() ?? this.#visit(item);
      if (unclosed) return unclosed;
    }
    return undefined;
  }

  /** Returns the reason to stop the computation; `undefined` to continue. */
  #stopped(): Unclosed | undefined {
    const reason = this.#budget.spend();
    if (reason !== undefined) return { kind: 'stopped', reason };
    const isLarge = this.#components.size > most.items || this.#work > most.work;
    return isLarge ? { kind: 'too large' } : undefined;
  }

  /**
   * Makes bit sets for new items, and opens each new item for a visit. A cell that a new item's
   * thread may access next, and that has no component so far, gets one, which is related to every
   * item.
   */
  #makeRows(): void {
    const components = this.#components;
    const cells: number[] = [];
    for (let item = this.#rows.length; item < components.size; item++) {
      this.#open.add(item);
      this.#rows.push(new Int32Array(most.items >>> 5));
      this.#budget.spend(1);
      for (const address of components.addresses(item))
        if (!components.holder(address)) cells.push(components.meet(address));
    }
    for (const cell of cells) for (let other = 0; other < cell; other++) this.#relate(cell, other);
  }

  /**
   * Takes all steps in which an item takes part: alone, or with a related item. Returns the reason
   * to stop the computation, or `undefined`.
   */
  #visit(item: number): Unclosed | undefined {
    this.#take(item, item);
    for (const partner of this.withAnyOf([item])) {
      const unclosed = this.#stopped();
      if (unclosed) return unclosed;
      this.#take(item, partner);
      this.#take(partner, item);
    }
    return undefined;
  }

  /**
   * Takes the steps of an item with `partner`, which holds the cell; the item holds the cell itself
   * if both are equal. Relates the items after the step to each other, and to all items that are
   * related to both participants.
   */
  #take(item: number, partner: number): void {
    for (const results of this.#components.results(item, partner)) {
      this.#makeRows();
      const [first, second] = results;
      if (first !== undefined && second !== undefined) this.#relate(first, second);
      const [row, its] = [this.#rows[item]!, this.#rows[partner]!];
      this.#work += this.#words;
      for (let word = 0; word < this.#words; word++) {
        const together = row[word]! & its[word]!;
        if (together !== 0) for (const result of results) this.#add(result, word, together);
      }
    }
  }

  #relate(item: number, other: number): void {
    this.#add(item, other >>> 5, 1 << (other & 31));
  }

  /** Relates an item to the items in word number `word` of a bit set. */
  #add(item: number, word: number, items: number): void {
    const added = items & ~this.#rows[item]![word]!;
    if (added === 0) return;
    this.#rows[item]![word]! |= added;
    this.#open.add(item);
    eachBit(added, word, (other) => {
      this.#rows[other]![item >>> 5]! |= 1 << (item & 31);
      this.#open.add(other);
    });
  }
}
