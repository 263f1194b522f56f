import { at, wordAt } from '../base/at.js';

/** A set of items: bit `i & 31` of word `i >> 5` is item `i`. */
export type ItemSet = Int32Array;

/** The number of one bits. */
export function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** The number of the lowest one bit; the word is not 0. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/**
 * A symmetric relation between items, each of which belongs to a component, as a matrix of bits.
 * No word of a row has items of two components.
 */
export class PairRelation {
  /** Words of a row in use. */
  words = 0;
  /** Words that a row has. */
  width = 8;
  /** Row after row, `width` words each. */
  matrix = new Int32Array(32 * this.width * this.width);
  /** The component of the items of a word. */
  readonly componentOfWord: number[] = [];
  /** Indexed by component: its words, ascending. */
  readonly wordsOf: number[][] = [];
  /** Indexed by component: how many items it has. */
  readonly #sizes: number[] = [];

  /** Bytes of the matrix. */
  get bytes(): number {
    return this.matrix.byteLength;
  }

  componentOf(item: number): number {
    return at(this.componentOfWord, item >>> 5);
  }

  /** A new item of a component, related to nothing. */
  add(component: number): number {
    while (this.wordsOf.length <= component) {
      this.wordsOf.push([]);
      this.#sizes.push(0);
    }
    const words = at(this.wordsOf, component);
    const size = at(this.#sizes, component);
    this.#sizes[component] = size + 1;
    if (size === 32 * words.length) {
      if (this.words === this.width) this.#widen();
      words.push(this.words++);
      this.componentOfWord.push(component);
    }
    return 32 * at(words, size >>> 5) + (size & 31);
  }

  has(item: number, other: number): boolean {
    return ((wordAt(this.matrix, item * this.width + (other >>> 5)) >>> (other & 31)) & 1) === 1;
  }

  /** Whether the pair is new. */
  relate(item: number, other: number): boolean {
    if (this.has(item, other)) return false;
    this.#set(item, other);
    this.#set(other, item);
    return true;
  }

  /** `set`, of which only the items that are related to `item` are kept. */
  keepRelated(set: ItemSet, item: number): void {
    const row = item * this.width;
    const { matrix, words } = this;
    for (let w = 0; w < words; w++) set[w]! &= matrix[row + w]!;
  }

  /** A copy of a row, of `words` words. */
  row(item: number): ItemSet {
    const from = item * this.width;
    return this.matrix.slice(from, from + this.words);
  }

  /**
   * The same items; related are those that were and are both in one of the sets. `pairs` has the
   * sum of sizes.
   */
  restrictedTo(sets: readonly ItemSet[]): PairRelation {
    const copy = new PairRelation();
    copy.words = this.words;
    copy.width = this.width;
    copy.matrix = new Int32Array(this.matrix.length);
    copy.componentOfWord.push(...this.componentOfWord);
    for (const words of this.wordsOf) copy.wordsOf.push([...words]);
    copy.#sizes.push(...this.#sizes);
    for (const set of sets)
      for (let w = 0; w < set.length; w++)
        for (let rest = set[w]!; rest !== 0; rest &= rest - 1) {
          const row = (32 * w + lowestBit(rest)) * this.width;
          for (let v = 0; v < set.length; v++) copy.matrix[row + v]! |= this.matrix[row + v]! & set[v]!;
        }
    return copy;
  }

  #set(item: number, other: number): void {
    this.matrix[item * this.width + (other >>> 5)]! |= 1 << (other & 31);
  }

  #widen(): void {
    const width = 2 * this.width;
    const matrix = new Int32Array(32 * width * width);
    for (let item = 0; item < 32 * this.words; item++)
      matrix.set(this.matrix.subarray(item * this.width, (item + 1) * this.width), item * width);
    this.width = width;
    this.matrix = matrix;
  }
}
