import type { Budget, Exhausted } from '../budget.js';
import type { Components } from './components.js';

/** Limits on a relation between pairs; the computation of a larger relation is given up. */
const most = {
  /**
   * The maximal number of items. The bits for all pairs then take 32 MB, and the bits for new pairs
   * as much again.
   */
  items: 16_384,
  /** The maximal work, in 32-bit words of bit sets to visit. */
  work: 200_000_000,
} as const;

/** The least work counted for a step of the relation, in 32-bit words. */
const wordsPerStep = 200;

/** Why the computation of a relation stopped early. */
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

/** A set of items: bit `i & 31` of word `i >> 5` is item `i`. */
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
  #words = 8;
  readonly #rows: ItemSet[] = [];
  /** For each item, the items that were related to it after its last visit. */
  readonly #fresh: ItemSet[] = [];
  readonly #steps: FoundStep[][] = [];
  readonly #isQueued: boolean[] = [];
  readonly #hasBeen = new Set<number>();
  #work = 0;
  #queue: number[] = [];

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
    const rows = items.map((item) => this.#rows[item]!);
    const together: number[] = [];
    for (let word = 0; word < this.#words; word++)
      eachBit(
        rows.reduce((bits, row) => bits | row[word]!, 0),
        word,
        (item) => together.push(item),
      );
    return together;
  }

  #close(): Unclosed | undefined {
    const { starts } = this.#components;
    this.#makeRows();
    for (const [t, items] of starts.entries())
      for (const others of starts.slice(t + 1))
        for (const item of items) for (const other of others) this.#relate(item, other);
    while (this.#queue.length > 0) {
      const queue = this.#queue;
      this.#queue = [];
      for (const item of queue) {
        const reason = this.#budget.spend();
        if (reason !== undefined) return { kind: 'stopped', reason };
        const unclosed = this.#look(item);
        if (unclosed) return unclosed;
      }
    }
    return undefined;
  }

  /** Makes bit sets for new items, and queues each new item for a visit. */
  #makeRows(): void {
    while (this.#components.size > 32 * this.#words) this.#widen();
    while (this.#rows.length < this.#components.size) {
      const item = this.#rows.push(new Int32Array(this.#words)) - 1;
      this.#fresh.push(new Int32Array(this.#words));
      this.#steps.push([]);
      this.#isQueued.push(false);
      this.#enqueue(item);
      this.#budget.spend(1);
    }
  }

  #widen(): void {
    this.#words *= 2;
    for (const sets of [this.#rows, this.#fresh])
      for (const [item, set] of sets.entries()) {
        sets[item] = new Int32Array(this.#words);
        sets[item].set(set);
      }
  }

  #enqueue(item: number): void {
    if (this.#isQueued[item]) return;
    this.#isQueued[item] = true;
    this.#queue.push(item);
  }

  /**
   * Derives the consequences of an item's new pairs; returns the reason for giving up, or
   * `undefined`.
   */
  #look(item: number): Unclosed | undefined {
    this.#isQueued[item] = false;
    if (!this.#hasBeen.has(item)) this.#lookFirst(item);
    const fresh = this.#fresh[item]!;
    const words: number[] = [];
    const added: number[] = [];
    for (let word = 0; word < fresh.length; word++) {
      const bits = fresh[word]!;
      if (bits === 0) continue;
      words.push(word);
      added.push(bits);
      fresh[word] = 0;
    }
    return this.#repeatSteps(item, words, added) ?? this.#findSteps(item, words, added);
  }

  /**
   * Executes known steps of an item again: relates an added item to the items after the step, if
   * the added item is also related to the other participant. Returns the reason for giving up, or
   * `undefined`.
   */
  #repeatSteps(
    item: number,
    words: readonly number[],
    added: readonly number[],
  ): Unclosed | undefined {
    const steps = this.#steps[item]!;
    this.#work += steps.length * words.length;
    for (const { other, results } of steps) {
      const reason = this.#budget.spend();
      if (reason !== undefined) return { kind: 'stopped', reason };
      const its = other === undefined ? undefined : this.#rows[other]!;
      for (let i = 0; i < words.length; i++) {
        const word = words[i]!;
        const together = its ? added[i]! & its[word]! : added[i]!;
        if (together !== 0) for (const result of results) this.#add(result, word, together);
      }
    }
    return undefined;
  }

  /**
   * Finds the steps of a thread that become possible because `item` is related to the added items.
   * Returns the reason for giving up, or `undefined`.
   */
  #findSteps(
    item: number,
    words: readonly number[],
    added: readonly number[],
  ): Unclosed | undefined {
    const components = this.#components;
    const actions = components.actions(item);
    if (actions.length === 0) return undefined;
    const partners: number[] = [];
    for (const [i, word] of words.entries())
      eachBit(added[i]!, word, (partner) => partners.push(partner));
    for (const partner of partners) {
      const { component } = components.item(partner);
      for (const action of actions) {
        if (action.component !== component) continue;
        const reason = this.#budget.spend();
        if (reason !== undefined) return { kind: 'stopped', reason };
        for (const results of components.results(item, partner, action))
          this.#perform(item, partner, results);
        if (components.size > most.items || this.#work > most.work) return { kind: 'too large' };
      }
    }
    return undefined;
  }

  /**
   * Visits an item for the first time. A cell that has no component so far gets one, which is
   * related to every item. Accesses to cells of the thread's own component need no second item.
   */
  #lookFirst(item: number): void {
    this.#hasBeen.add(item);
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

  #perform(item: number, other: number | undefined, results: readonly number[]): void {
    this.#makeRows();
    const [first, second] = results;
    if (first !== undefined && second !== undefined) this.#relate(first, second);
    this.#steps[item]!.push({ other, results });
    if (other !== undefined) this.#steps[other]!.push({ other: item, results });
    this.#work += wordsPerStep + this.#words;
    const row = this.#rows[item]!;
    for (let word = 0; word < this.#words; word++) {
      const together = row[word]! & (other === undefined ? -1 : this.#rows[other]![word]!);
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
    this.#fresh[item]![word]! |= added;
    this.#enqueue(item);
    const bit = 1 << (item & 31);
    eachBit(added, word, (other) => {
      this.#rows[other]![item >>> 5]! |= bit;
      this.#fresh[other]![item >>> 5]! |= bit;
      this.#enqueue(other);
    });
  }
}
