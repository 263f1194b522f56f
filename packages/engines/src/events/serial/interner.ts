import { at } from '@fencewright/ground/base/at.js';

/** Numbers lists of integers: equal lists have equal numbers, and the empty one has 0. */
export class Interner {
  readonly #ids = new Map<string, number>([['', 0]]);
  readonly #lists: (readonly number[])[] = [[]];
  #bytes = 0;

  /** The number of the list, which is kept. */
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

  /** The list of this number. */
  list(id: number): readonly number[] {
    return at(this.#lists, id);
  }

  get count(): number {
    return this.#lists.length;
  }

  /** About as much memory as it takes. */
  get bytes(): number {
    return this.#bytes;
  }
}
