import { at } from '@fencewright/ground/base/at.js';

/** A set of items: bit `i & 31` of word `i >> 5` is item `i`. */
export type ItemSet = Int32Array;

/** The largest number of words in a row; at this size a relation takes 8 MB. */
export const maxWords = 256;

/** The index of the lowest one bit of a non-zero word. */
function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** The items of a word of a set, ascending. */
function eachItem(word: number, index: number, take: (item: number) => void): void {
  for (let rest = word; rest !== 0; rest &= rest - 1) take(32 * index + lowestBit(rest));
}

/**
 * A symmetric relation between items as a matrix of bits. Each item belongs to a component. All
 * items of one word of a row belong to one component, so whole words can be attributed to
 * components.
 */
export class PairRelation {
  /** The number of words in a row, and the number of words in use. */
  #width = 8;
  #words = 0;
  /** Row after row. */
  #matrix = new Int32Array(32 * 8 * 8);
  /** The component of the items of a word. */
  readonly #components: number[] = [];
  /** Indexed by component: its words, ascending. */
  readonly #wordsOf: number[][] = [];
  /** Indexed by component: the number of its items. */
  readonly #sizes: number[] = [];

  /** Length of the sets of items. */
  get words(): number {
    return this.#words;
  }

  componentOf(item: number): number {
    return at(this.#components, item >>> 5);
  }

  /** A new item of a component, related to nothing. */
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

  /** Whether the pair is new. */
  relate(item: number, other: number): boolean {
    if (this.has(item, other)) return false;
    this.#set(item, other);
    this.#set(other, item);
    return true;
  }

  /** The items that are related to `item`. */
  related(item: number): ItemSet {
    const row = item * this.#width;
    return this.#matrix.slice(row, row + this.#words);
  }

  /** The items of `set` that are related to `item`. */
  together(set: ItemSet, item: number): ItemSet {
    const row = item * this.#width;
    const both = new Int32Array(this.#words);
    // An item that is younger than the set is not in it.
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

  /** The items of a component in a set. */
  membersIn(set: ItemSet, component: number): number[] {
    const members: number[] = [];
    for (const w of this.#wordsOf[component] ?? [])
      eachItem(set[w] ?? 0, w, (item) => members.push(item));
    return members;
  }

  /**
   * The relation restricted to the given sets: a pair stays related if some set contains its two
   * items.
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
