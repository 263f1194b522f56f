import { at } from '@fencewright/ground/base/at.js';
import { Interner } from './interner.js';
import type { TaskAccess } from './perform.js';

/** A map from cells to access levels, by its number in `AccessMaps`; 0 is the empty map. */
export type MapId = number;

/** The strongest access of a cell so far: 0 none, 1 a load, 2 a store. */
type Level = 0 | 1 | 2;

/**
 * Maps from cells to the strongest access so far: none, a load or a store. Each map has a number.
 */
export class AccessMaps {
  readonly #interner = new Interner();
  readonly #sums = new Map<number, MapId>();

  get bytes(): number {
    return this.#interner.bytes + 40 * this.#sums.size;
  }

  get count(): number {
    return this.#interner.count;
  }

  level(map: MapId, cell: number): Level {
    return (this.#interner.list(map)[cell] ?? 0) as Level;
  }

  /** Returns the access level of each cell; trailing cells without access are absent. */
  levels(map: MapId): readonly number[] {
    return this.#interner.list(map);
  }

  /**
   * Returns the number of the map in which each cell has the given access level; `levels` is
   * indexed by cell.
   */
  of(levels: readonly number[]): MapId {
    let length = levels.length;
    while (length > 0 && at(levels, length - 1) === 0) length--;
    return this.#interner.id(levels.slice(0, length));
  }

  add(map: MapId, accesses: readonly TaskAccess[]): MapId {
    return accesses.reduce((sum, access) => this.#addOne(sum, access), map);
  }

  #addOne(map: MapId, { cell, isStore }: TaskAccess): MapId {
    const level = isStore ? 2 : 1;
    const known = this.#interner.list(map);
    if ((known[cell] ?? 0) >= level) return map;
    const levels = [...known];
    while (levels.length <= cell) levels.push(0);
    levels[cell] = level;
    return this.#interner.id(levels);
  }

  /** Returns the number of the map without the accesses of a cell. */
  without(map: MapId, cell: number): MapId {
    return this.of(this.levels(map).map((level, other) => (other === cell ? 0 : level)));
  }

  union(a: MapId, b: MapId): MapId {
    if (a === b || b === 0) return a;
    if (a === 0) return b;
    const key = a * 0x2000000 + b;
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      const [left, right] = [this.levels(a), this.levels(b)];
      const cells = Math.max(left.length, right.length);
      sum = this.of(
        Array.from({ length: cells }, (_, cell) => Math.max(left[cell] ?? 0, right[cell] ?? 0)),
      );
      this.#sums.set(key, sum);
    }
    return sum;
  }

  /** Whether one of the accesses conflicts with an access of the map. */
  conflicts(map: MapId, accesses: readonly TaskAccess[]): boolean {
    return accesses.some(({ cell, isStore }) => {
      const level = this.level(map, cell);
      return level === 2 || (level === 1 && isStore);
    });
  }
}
