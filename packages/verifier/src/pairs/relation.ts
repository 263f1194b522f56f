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

function emptySet(): ItemSet {
  return new Int32Array(most.items >>> 5);
}

function contains(set: ItemSet, item: number): boolean {
  return ((set[item >>> 5]! >>> (item & 31)) & 1) === 1;
}

function eachBit(bits: number, word: number, take: (item: number) => void): void {
  for (let rest = bits; rest !== 0; rest &= rest - 1)
    take(32 * word + 31 - Math.clz32(rest & -rest));
}

/**
 * The closed relation of a program: the least one. Participants of a step are the item of a thread,
 * and an item of each further component with a cell that the step accesses. A step is possible if
 * its participants are related pairwise. The items after the step are related to each other, and to
 * all items related to all participants. So all items of every state under SC are related pairwise:
 * this is true of the initial items, and a step keeps it true, since unchanged items were related
 * to all participants.
 */
export class PairRelation {
  readonly #components: Components;
  readonly #budget: Budget;
  /** For each item, the items related to it. */
  readonly #rows: ItemSet[] = [];
  /** For each item, the items related to it at its last visit. */
  readonly #seen: ItemSet[] = [];
  /** For each item, whether items have been related to it since its last visit, if any. */
  readonly #isOpen: boolean[] = [];
  /** The memory for the items related to the visited item since its last visit. */
  readonly #fresh = emptySet();
  /** The memory for the result of `#relatedToAll`. */
  readonly #together = emptySet();
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
    return contains(this.#rows[item]!, other);
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
    // In sweeps over all items, an item is visited with all that the sweep adds before the item.
    let isClosed = false;
    while (!isClosed) {
      isClosed = true;
      for (let item = 0; item < this.#components.size; item++) {
        if (!this.#isOpen[item]) continue;
        isClosed = false;
        this.#isOpen[item] = false;
        const unclosed = this.#stopped() ?? this.#visit(item);
        if (unclosed) return unclosed;
      }
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
   * Makes bit sets for new items, and opens each new item for a visit. The initial value of a cell
   * that no step has accessed so far is related to every item.
   */
  #makeRows(): void {
    const components = this.#components;
    const first = this.#rows.length;
    for (let item = first; item < components.size; item++) {
      this.#rows.push(emptySet());
      this.#seen.push(emptySet());
      this.#isOpen.push(true);
      this.#budget.spend(1);
    }
    for (let item = first; item < components.size; item++)
      if (components.isInitialCell(item))
        for (let other = 0; other < components.size; other++)
          if (other !== item) this.#relate(item, other);
  }

  /**
   * Takes all steps of an item's thread, and the steps of related items' threads in which the item
   * takes part. Returns the reason to stop the computation, or `undefined`.
   */
  #visit(item: number): Unclosed | undefined {
    const { component } = this.#components.item(item);
    const [row, seen, words] = [this.#rows[item]!, this.#seen[item]!, this.#words];
    for (let word = 0; word < words; word++) this.#fresh[word] = row[word]! & ~seen[word]!;
    seen.set(row);
    const unclosed = this.#take([item]);
    if (unclosed) return unclosed;
    // The set grows during the loop.
    for (const other of this.#components.accessorsOf(component)) {
      if (!this.has(item, other)) continue;
      const unfinished = this.#take([other, item]);
      if (unfinished) return unfinished;
    }
    return undefined;
  }

  /**
   * Takes the steps of the first participant's thread with these participants, and with further
   * participants where steps access further components. One participant is the visited item.
   */
  #take(participants: readonly number[]): Unclosed | undefined {
    const { results, missing } = this.#components.steps(participants);
    this.#makeRows();
    const together = this.#relatedToAll(participants);
    for (const items of results) {
      items.forEach((item, i) => {
        for (const other of items.slice(i + 1)) this.#relate(item, other);
        this.#addAll(item, together);
      });
    }
    const stopped = this.#stopped();
    if (stopped || missing === undefined) return stopped;
    for (const partner of this.#components.all[missing]!) {
      if (!participants.every((one) => this.has(one, partner))) continue;
      const unclosed = this.#take([...participants, partner]);
      if (unclosed) return unclosed;
    }
    return undefined;
  }

  /**
   * Returns the items related to all participants. If no participant is new to the visited item,
   * the steps have been taken beside all items of its last visit, and these are left out. The next
   * call overwrites the set.
   */
  #relatedToAll(participants: readonly number[]): ItemSet {
    const together = this.#together;
    const isNew = participants.some((one) => contains(this.#fresh, one));
    together.set(isNew ? this.#rows[participants[0]!]! : this.#fresh);
    const words = this.#words;
    this.#work += words;
    for (const one of participants) {
      const row = this.#rows[one]!;
      for (let word = 0; word < words; word++) together[word]! &= row[word]!;
    }
    return together;
  }

  /** Relates an item to all items of a set. */
  #addAll(item: number, items: ItemSet): void {
    const [row, words] = [this.#rows[item]!, this.#words];
    for (let word = 0; word < words; word++)
      if ((items[word]! & ~row[word]!) !== 0) this.#add(item, word, items[word]!);
  }

  #relate(item: number, other: number): void {
    this.#add(item, other >>> 5, 1 << (other & 31));
  }

  /** Relates an item to the items in word number `word` of a bit set. */
  #add(item: number, word: number, items: number): void {
    const added = items & ~this.#rows[item]![word]!;
    if (added === 0) return;
    this.#put(item, word, added);
    eachBit(added, word, (other) => this.#put(other, item >>> 5, 1 << (item & 31)));
  }

  /** Puts the items in word number `word` of a bit set into an item's row, and opens the item. */
  #put(item: number, word: number, items: number): void {
    this.#rows[item]![word]! |= items;
    this.#isOpen[item] = true;
  }
}
