/** Numbers items from 0 on; items with equal keys have the same number. */
export class Interned<T> {
  readonly #items: T[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #key: (item: T) => string;

  constructor(key: (item: T) => string) {
    this.#key = key;
  }

  number(item: T): number {
    const key = this.#key(item);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#items.push(item) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  get size(): number {
    return this.#items.length;
  }

  item(number: number): T {
    return this.#items[number]!;
  }
}
