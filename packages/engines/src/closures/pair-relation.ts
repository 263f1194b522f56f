import { at } from '@fencewright/ground/base/at.js';

/** A set of items as bits: item `i` is bit `i & 31` of word `i >> 5`. */
export type ItemSet = Int32Array;

/** The maximum number of words in a row of a relation; at this size a relation takes 8 MB. */
export const maxWords = 256;

/** Returns the index of the lowest one bit of a word that is not 0. */
function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** Calls `take` for each item in a word of a set, ascending; `index` is the word's index. */
function eachItem(word: number, index: number, take: (item: number) => void): void {
  for (let rest = word; rest !== 0; rest &= rest - 1) take(32 * index + lowestBit(rest));
}

/**
 * A symmetric relation between items, as a matrix of bits. All items in one word of a row belong to
 * one component.
 */
export class PairRelation {
  /** The number of words for which a row has room. */
  #width = 8;
  /** The number of words in use. */
  #words = 0;
  /** The rows of the matrix, one after another. */
  #matrix = new Int32Array(32 * 8 * 8);
  /** The component of the items of each word, indexed by word. */
  readonly #components: number[] = [];
  /** The words of each component, ascending; indexed by component. */
  readonly #wordsOf: number[][] = [];
  /** The number of items of each component, indexed by component. */
  readonly #sizes: number[] = [];

  /** The number of words in a set of items. */
  get words(): number {
    return this.#words;
  }

  componentOf(item: number): number {
    return at(this.#components, item >>> 5);
  }

  /** Adds a new item of a component, related to nothing; returns the item. */
  add(component: number): number {
    while (this.#wordsOf.length <= component) {
      this.#wordsOf.push([]);
      this.#sizes.push(0);
    }
    const words = at(this.#wordsOf, component);
    const size = at(this.#sizes, component);
    this.#sizes[component] = size + 1;
    if (size === 32 * words.length) {
      if (this.#words === this.#width) this.#widen();
      words.push(this.#words++);
      this.#components.push(component);
    }
    return 32 * at(words, size >>> 5) + (size & 31);
  }

  has(item: number, other: number): boolean {
    return ((this.#matrix[item * this.#width + (other >>> 5)]! >>> (other & 31)) & 1) === 1;
  }

  /** Relates two items; returns whether they were unrelated before. */
  relate(item: number, other: number): boolean {
    if (this.has(item, other)) return false;
    this.#set(item, other);
    this.#set(other, item);
    return true;
  }

  /** Returns the items that are related to `item`. */
  related(item: number): ItemSet {
    const row = item * this.#width;
    return this.#matrix.slice(row, row + this.#words);
  }

  /** Returns the items of `set` that are related to `item`. */
  together(set: ItemSet, item: number): ItemSet {
    const row = item * this.#width;
    const both = new Int32Array(this.#words);
    // A set made before an item was added does not contain the item.
    for (let w = 0; w < set.length; w++) both[w] = set[w]! & this.#matrix[row + w]!;
    return both;
  }

  /** Relates `item` to all items of `set`; `isNew` is called for each new pair. */
  relateAll(item: number, set: ItemSet, isNew: (other: number) => void): void {
    const row = item * this.#width;
    for (let w = 0; w < set.length; w++)
      eachItem(set[w]! & ~this.#matrix[row + w]!, w, (other) => {
        this.#set(item, other);
        this.#set(other, item);
        isNew(other);
      });
  }

  /** Returns the items of `set` that belong to `component`, ascending. */
  membersIn(set: ItemSet, component: number): number[] {
    const members: number[] = [];
    for (const w of this.#wordsOf[component] ?? [])
      eachItem(set[w] ?? 0, w, (item) => members.push(item));
    return members;
  }

  /**
   * Returns the relation restricted to the given sets: a pair stays related if some set contains
   * its two items.
   */
  restrictedTo(sets: readonly ItemSet[]): PairRelation {
    const copy = new PairRelation();
    copy.#words = this.#words;
    copy.#width = this.#words + 8;
    copy.#matrix = new Int32Array(32 * copy.#width * copy.#width);
    copy.#components.push(...this.#components);
    for (const words of this.#wordsOf) copy.#wordsOf.push([...words]);
    copy.#sizes.push(...this.#sizes);
    for (const set of sets)
      for (let w = 0; w < set.length; w++)
        eachItem(set[w]!, w, (item) => {
          const from = item * this.#width;
          const to = item * copy.#width;
          for (let v = 0; v < set.length; v++)
            copy.#matrix[to + v]! |= this.#matrix[from + v]! & set[v]!;
        });
    return copy;
  }

  #set(item: number, other: number): void {
    this.#matrix[item * this.#width + (other >>> 5)]! |= 1 << (other & 31);
  }

  #widen(): void {
    const width = this.#width + Math.max(8, this.#width >>> 1);
    const matrix = new Int32Array(32 * width * width);
    for (let item = 0; item < 32 * this.#words; item++) {
      const row = item * this.#width;
      matrix.set(this.#matrix.subarray(row, row + this.#words), item * width);
    }
    this.#width = width;
    this.#matrix = matrix;
  }
}
