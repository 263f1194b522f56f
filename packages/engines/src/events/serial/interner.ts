import { at } from '@fencewright/ground/base/at.js';

/** Numbers lists of integers: equal lists have equal numbers, and the empty list has 0. */
export class Interner {
  readonly #ids = new Map<string, number>([['', 0]]);
  readonly #lists: (readonly number[])[] = [[]];
  #bytes = 0;

  /** Returns the number of the list; a list that is not known yet is stored. */
  id(list: readonly number[]): number {
    const key = list.join();
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#lists.length;
    this.#ids.set(key, id);
    this.#lists.push(list);
    this.#bytes += 100 + key.length + 8 * list.length;
    return id;
  }

  /** Returns the list with number `id`. */
  list(id: number): readonly number[] {
    return at(this.#lists, id);
  }

  get count(): number {
    return this.#lists.length;
  }

  /** The approximate number of bytes that the stored lists take. */
  get bytes(): number {
    return this.#bytes;
  }
}
