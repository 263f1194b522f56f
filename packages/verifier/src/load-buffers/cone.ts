import {
  anyIndex,
  anything,
  distinct,
  int32,
  list,
  literal,
  nullable,
  type Read,
  record,
  type Reader,
} from '../shape.js';

const flag = literal(true, false);

/**
 * A letter in a load buffer: a value propagated from memory, or, if `own`, a store of the buffer's
 * thread.
 */
const letterShape = record({ address: int32, value: int32, own: flag });
export type Letter = Read<typeof letterShape>;
/** A sequence of letters in a load buffer, the oldest first. */
export type Word = readonly Letter[];

/** A location of a thread, and the values of the registers; `null` is any value. */
const placeShape = record({ location: anyIndex, registers: list(nullable(int32)) });
type ConePlace = Read<typeof placeShape>;

/** The value of each memory cell, by address; a cell without an entry may have any value. */
export type Cells = ReadonlyMap<number, number>;

const coneShape = record(
  {
    places: list(nullable(placeShape)),
    memory: distinct(record({ address: int32, value: int32 }), ({ address }) => address),
    words: list(list(letterShape)),
    lock: nullable(anyIndex),
    frozen: flag,
  },
  { stored: list(nullable(flag)) },
);

/**
 * A set of configurations of the machine with load buffers: all configurations that agree with the
 * members below and have at least the given letters in their buffers, in the given order.
 */
export interface Cone {
  /**
   * For each thread, its location and registers; `null` means any. `words` and `stored` are also
   * indexed by thread.
   */
  readonly places: readonly (ConePlace | null)[];
  readonly memory: Cells;
  readonly words: readonly Word[];
  /** The number of the thread that holds the bus lock; `null` if no thread does. */
  readonly lock: number | null;
  /** Whether memory is frozen: stores issued from now on stay in the store buffers. */
  readonly frozen: boolean;
  /** For each thread, whether it has stored since memory froze; `null` means either. */
  readonly stored: readonly (boolean | null)[];
}

export const readCone: Reader<Cone> = (value, path) => {
  const { memory, stored, ...rest } = coneShape(anything(value, path), path);
  const cells = new Map(memory.map(({ address, value }) => [address, value]));
  return { ...rest, memory: cells, stored: stored ?? rest.places.map(() => null) };
};

/**
 * Whether a load buffer can have this content. A store removes older letters on its address, so no
 * letter is older than an own letter on the same address, and an address has at most one own
 * letter.
 */
export function isNormal(word: Word): boolean {
  return word.every(
    ({ own, address }, i) => !own || word.slice(0, i).every((older) => older.address !== address),
  );
}

/**
 * Whether the letter `other` may stand for the letter `one`: a load buffer with `other` in place of
 * `one` counts as a load buffer with `one`.
 */
export function isBelow(one: Letter, other: Letter): boolean {
  return one.address === other.address && one.value === other.value && (other.own || !one.own);
}

function isSubword(word: Word, larger: Word): boolean {
  let next = 0;
  for (const letter of larger) {
    const wanted = word[next];
    if (wanted && isBelow(wanted, letter)) next++;
  }
  return next === word.length;
}

/**
 * Whether `place` describes every state of a thread that `other` describes; `null` describes all
 * states.
 */
export function hasPlace(place: ConePlace | null, other: ConePlace | null): boolean {
  if (!place) return true;
  return (
    other !== null &&
    place.location === other.location &&
    place.registers.every((value, r) => value === null || value === other.registers[r])
  );
}

/** Whether each configuration of `other` is a configuration of `cone`. */
export function contains(cone: Cone, other: Cone): boolean {
  return (
    cone.lock === other.lock &&
    cone.frozen === other.frozen &&
    cone.places.every((place, t) => hasPlace(place, other.places[t]!)) &&
    cone.stored.every((stored, t) => stored === null || stored === other.stored[t]) &&
    [...cone.memory].every(([address, value]) => other.memory.get(address) === value) &&
    cone.words.every((word, t) => isSubword(word, other.words[t]!))
  );
}

/**
 * A collection of cones (sets of configurations), indexed by holder of the lock and by locations.
 */
export class Cones {
  readonly all: readonly Cone[];
  readonly #byLocations = new Map<string, Cone[]>();
  /**
   * The sets of threads whose place is `null` in some cone: by thread, whether the place is `null`.
   */
  readonly #patterns = new Map<string, readonly boolean[]>();

  constructor(all: readonly Cone[]) {
    this.all = all;
    for (const cone of all) {
      const open = cone.places.map((place) => place === null);
      this.#patterns.set(open.join(), open);
      const name = this.#name(cone, open);
      const others = this.#byLocations.get(name);
      if (others) others.push(cone);
      else this.#byLocations.set(name, [cone]);
    }
  }

  #name({ places, lock, frozen }: Cone, open: readonly boolean[]): string {
    const at = places.map((place, t) => (open[t] ? '*' : (place?.location ?? '*')));
    return `${at.join()};${lock};${frozen}`;
  }

  /** Whether a single cone of the collection contains all of `other`. */
  contain(other: Cone): boolean {
    for (const open of this.#patterns.values())
      for (const cone of this.#byLocations.get(this.#name(other, open)) ?? [])
        if (contains(cone, other)) return true;
    return false;
  }
}
