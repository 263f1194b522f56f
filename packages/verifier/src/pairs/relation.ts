import type { Budget, Exhausted } from '../budget.js';
import type { Components } from './components.js';

/** The limits on a relation between pairs; the computation of a larger relation is stopped. */
const most = {
  /**
   * The maximum number of component states (items). The bits for all pairs then take 32 MB, and the
   * bits for new pairs as much again.
   */
  items: 16_384,
  /** The maximum work, in 32-bit words of bit sets that are visited. */
  work: 200_000_000,
} as const;

/** The minimum number of 32-bit words that a step of the relation counts as work. */
const wordsPerStep = 200;

/** The reason why the computation of a relation stopped early. */
export type Unclosed =
  { readonly kind: 'too large' } | { readonly kind: 'stopped'; readonly reason: Exhausted };

/**
 * A step found so far: the items after the step, and the item `other` that takes part. Every item
 * related to both participants is also related to the items after the step.
 */
interface FoundStep {
  /** The second item that takes part; absent if an item takes the step alone. */
  readonly other: number | undefined;
  readonly results: readonly number[];
}

/** A set of component states (items): bit `i & 31` of word `i >> 5` is item `i`. */
type ItemSet = Int32Array;

/** A word of a set, by number, and bits of the word. */
type Bits = readonly [word: number, bits: number];

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
  /** For each item, the related items at the last visit of the item. */
  readonly #seen: ItemSet[] = [];
  readonly #steps: FoundStep[][] = [];
  /** The items possibly related to more items than at the last visit. */
  readonly #open = new Set<number>();
  readonly #visited = new Set<number>();
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

  /** Makes bit sets for new items, and opens each new item for a visit. */
  #makeRows(): void {
    while (this.#rows.length < this.#components.size) {
      this.#open.add(this.#rows.length);
      for (const sets of [this.#rows, this.#seen]) sets.push(new Int32Array(most.items >>> 5));
      this.#steps.push([]);
      this.#budget.spend(1);
    }
  }

  /**
   * Derives the consequences of an item's new pairs: repeats known steps for the added items that
   * are also related to the other participant, and takes the steps that the added items make
   * possible. Returns the reason to stop the computation, or `undefined`.
   */
  #visit(item: number): Unclosed | undefined {
    if (!this.#visited.has(item)) this.#visitFirst(item);
    const [row, seen] = [this.#rows[item]!, this.#seen[item]!];
    const added = this.#bitsOf(row, seen);
    seen.set(row);
    for (const step of this.#steps[item]!) {
      const unclosed = this.#stopped();
      if (unclosed) return unclosed;
      this.#work += added.length;
      this.#repeat(step, added);
    }
    const actions = this.#components.actions(item);
    const partners: number[] = [];
    if (actions.length > 0)
      for (const [word, bits] of added) eachBit(bits, word, (partner) => partners.push(partner));
    for (const partner of partners)
      for (const action of actions) {
        if (action.component !== this.#components.item(partner).component) continue;
        const unclosed = this.#stopped();
        if (unclosed) return unclosed;
        for (const results of this.#components.results(item, partner, action))
          this.#perform(item, partner, results);
      }
    return undefined;
  }

  /**
   * Visits an item for the first time. A cell that has no component so far gets one, which is
   * related to every item. Accesses to cells of the thread's own component need no second item.
   */
  #visitFirst(item: number): void {
    this.#visited.add(item);
    const components = this.#components;
    for (const address of components.addresses(item)) {
      if (components.holder(address)) continue;
      const cell = components.meet(address);
      this.#makeRows();
      for (let other = 0; other < cell; other++) this.#relate(cell, other);
    }
    for (const action of components.actions(item))
      if (action.component === components.item(item).component)
        for (const results of components.results(item, item, action))
          this.#perform(item, undefined, results);
  }

  /** Returns the words of a set that have bits, without the items of `seen`. */
  #bitsOf(set: ItemSet, seen?: ItemSet): readonly Bits[] {
    const found: Bits[] = [];
    for (let word = 0; word < this.#words; word++) {
      const bits = set[word]! & ~(seen?.[word] ?? 0);
      if (bits !== 0) found.push([word, bits]);
    }
    return found;
  }

  /** Takes a new step of an item, and relates the items after the step. */
  #perform(item: number, other: number | undefined, results: readonly number[]): void {
    this.#makeRows();
    const [first, second] = results;
    if (first !== undefined && second !== undefined) this.#relate(first, second);
    const step = { other, results };
    this.#steps[item]!.push(step);
    if (other !== undefined) this.#steps[other]!.push({ other: item, results });
    this.#work += wordsPerStep + this.#words;
    this.#repeat(step, this.#bitsOf(this.#rows[item]!));
  }

  /**
   * Repeats a step: relates each of `items` related to the step's other participant, if any, to the
   * items after the step.
   */
  #repeat({ other, results }: FoundStep, items: readonly Bits[]): void {
    const its = other === undefined ? undefined : this.#rows[other]!;
    for (const [word, bits] of items) {
      const together = its ? bits & its[word]! : bits;
      if (together !== 0) for (const result of results) this.#add(result, word, together);
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
