import { at } from '@fencewright/ground/base/at.js';

/**
 * A set of items (local states of threads, contents of cells) as bits: item `i` is bit `i & 31` of
 * word `i >> 5`.
 */
export type ItemSet = Int32Array;

/** The maximum number of words in a row of a relation; at this size a relation takes 8 MB. */
export const maxWords = 256;

/** Returns the index of the lowest set bit of a word; the word must not be 0. */
function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

export function isIn(set: ItemSet, item: number): boolean {
  return (((set[item >>> 5] ?? 0) >>> (item & 31)) & 1) === 1;
}

/** Removes the items of `others` from a set; returns whether items are left. */
function removeAll(set: ItemSet, others: ItemSet): boolean {
  let left = 0;
  for (let w = 0; w < others.length; w++) left |= set[w]! &= ~others[w]!;
  for (let w = others.length; w < set.length; w++) left |= set[w]!;
  return left !== 0;
}

/** Calls `take` for each item in a word of a set, ascending; `index` is the word's index. */
function eachItem(word: number, index: number, take: (item: number) => void): void {
  for (let rest = word; rest !== 0; rest &= rest - 1) take(32 * index + lowestBit(rest));
}

/** Returns a copy with more elements; the new ones are 0. */
function widened(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const wide = new Int32Array(length);
  wide.set(array);
  return wide;
}

/**
 * A symmetric relation between items, as a matrix of bits. All items in one word of a row belong to
 * one component. The relation records the touched items: new items, and items related to further
 * items.
 */
export class PairRelation {
  /** The number of words for which each row of the matrix of bits has room. */
  #width = 8;
  /** The number of words of each row of the matrix that are in use. */
  #words = 0;
  /** The rows of the matrix, one after another. */
  #matrix = new Int32Array(32 * 8 * 8);
  /**
   * For each word of a row, the component to which the items of the word belong; indexed by word.
   */
  readonly #components: number[] = [];
  /**
   * For each component, the words of a row with the component's items, ascending; indexed by
   * component.
   */
  readonly #wordsOf: number[][] = [];
  /** For each component, the number of its items, indexed by component. */
  readonly #sizes: number[] = [];
  /**
   * For each item, the number of touches: additions of the item, and of relations to further items.
   */
  #versions = new Int32Array(32 * 8);
  /** The touched items that `takeTouched` has not returned yet. */
  #touched = new Int32Array(8);
  /** The index of the first word of `#touched` that may differ from 0. */
  #firstTouched = 0;
  #both: ItemSet = new Int32Array(0);

  /** The number of words in an `ItemSet` of this relation. */
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

  /** Records that an item was touched: it is new, or related to further items. */
  touch(item: number): void {
    this.#versions[item]!++;
    this.#note(item >>> 5, 1 << (item & 31));
  }

  /** Returns a number that grows whenever the item is touched. */
  version(item: number): number {
    return this.#versions[item]!;
  }

  /** Returns a touched item, which no longer counts as touched; -1 if no item is touched. */
  takeTouched(): number {
    for (let w = this.#firstTouched; w < this.#words; w++) {
      const word = this.#touched[w]!;
      if (word === 0) continue;
      this.#firstTouched = w;
      this.#touched[w] = word & (word - 1);
      return 32 * w + lowestBit(word);
    }
    this.#firstTouched = this.#words;
    return -1;
  }

  /** Relates two items; touches both items if the relation is new. */
  relate(item: number, other: number): void {
    if (this.has(item, other)) return;
    this.#set(item, other);
    this.#set(other, item);
    this.touch(item);
    this.touch(other);
  }

  /** Returns the items that are related to `item`. */
  related(item: number): ItemSet {
    const row = item * this.#width;
    return this.#matrix.slice(row, row + this.#words);
  }

  /** Stores the items of `set` related to `item` in `both`, and returns `both`. */
  together(set: ItemSet, item: number, both: ItemSet = new Int32Array(set.length)): ItemSet {
    const matrix = this.#matrix;
    const row = item * this.#width;
    for (let w = 0; w < set.length; w++) both[w] = set[w]! & matrix[row + w]!;
    return both;
  }

  /** Returns the items related to `item` and to `other`; the set is valid until the next call. */
  relatedToBoth(item: number, other: number): ItemSet {
    if (this.#both.length !== this.#words) this.#both = new Int32Array(this.#words);
    const row = item * this.#width;
    return this.together(this.#matrix.subarray(row, row + this.#words), other, this.#both);
  }

  /**
   * Relates `item` to all items of `set`, and touches the items of new pairs; returns the number of
   * new pairs.
   */
  relateAll(item: number, set: ItemSet): number {
    const matrix = this.#matrix;
    const versions = this.#versions;
    const width = this.#width;
    const row = item * width;
    const word = item >>> 5;
    const bit = 1 << (item & 31);
    let count = 0;
    for (let w = 0; w < set.length; w++) {
      const fresh = set[w]! & ~matrix[row + w]!;
      if (fresh === 0) continue;
      matrix[row + w]! |= fresh;
      this.#note(w, fresh);
      for (let rest = fresh; rest !== 0; rest &= rest - 1) {
        const other = 32 * w + lowestBit(rest);
        matrix[other * width + word]! |= bit;
        versions[other]!++;
        count++;
      }
    }
    if (count > 0) this.touch(item);
    return count;
  }

  /** Returns the items of `set` that belong to `component`, ascending. */
  membersIn(set: ItemSet, component: number): number[] {
    const members: number[] = [];
    for (const w of this.#wordsOf[component] ?? [])
      eachItem(set[w] ?? 0, w, (item) => members.push(item));
    return members;
  }

  /** Returns the items of `component` that are related to `item`, ascending. */
  relatedIn(item: number, component: number): number[] {
    const row = item * this.#width;
    const members: number[] = [];
    for (const w of this.#wordsOf[component] ?? [])
      eachItem(this.#matrix[row + w]!, w, (other) => members.push(other));
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
    copy.#versions = new Int32Array(32 * copy.#width);
    copy.#touched = new Int32Array(copy.#width);
    copy.#components.push(...this.#components);
    for (const words of this.#wordsOf) copy.#wordsOf.push([...words]);
    copy.#sizes.push(...this.#sizes);
    for (let item = 0; item < 32 * this.#words; item++) {
      const holders = sets.filter((set) => isIn(set, item));
      if (holders.length === 0) continue;
      const related = this.related(item);
      const lost = related.slice();
      for (const set of holders) if (!removeAll(lost, set)) break;
      for (let w = 0; w < lost.length; w++) related[w]! &= ~lost[w]!;
      copy.#matrix.set(related, item * copy.#width);
    }
    return copy;
  }

  /** Records that items were touched: the items whose bits are set in `bits`, word `w` of a set. */
  #note(w: number, bits: number): void {
    this.#touched[w]! |= bits;
    if (w < this.#firstTouched) this.#firstTouched = w;
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
    this.#versions = widened(this.#versions, 32 * width);
    this.#touched = widened(this.#touched, width);
  }
}
