import {
  anything,
  distinct,
  index,
  int32,
  list,
  literal,
  type Read,
  record,
  type Reader,
} from '../shape.js';

const maybe =
  <T>(reader: Reader<T>): Reader<T | null> =>
  (value, path) =>
    value === null ? null : reader(value, path);

const any = index(2 ** 31);
const flag = literal(true, false);

/** A letter in a load buffer: a value propagated from memory, or a store of the thread's own. */
const letterShape = record({ address: int32, value: int32, own: flag });
export type Letter = Read<typeof letterShape>;
/** Oldest letter first. */
export type Word = readonly Letter[];

/** A location, and the values of the registers there; `null` is any value. */
const placeShape = record({ location: any, registers: list(maybe(int32)) });
export type Place = Read<typeof placeShape>;

/** Cells without an entry may have any value. */
export type Cells = ReadonlyMap<number, number>;

const coneShape = record(
  {
    places: list(maybe(placeShape)),
    memory: distinct(record({ address: int32, value: int32 }), ({ address }) => address),
    words: list(list(letterShape)),
    lock: maybe(any),
    frozen: flag,
  },
  { stored: list(maybe(flag)) },
);

/**
 * A set of configurations of the machine with load buffers: all configurations that agree with the
 * members below and have at least the given letters in their buffers, in the given order.
 */
export interface Cone {
  /** By thread, as are `words` and `stored`; `null` is anywhere. */
  readonly places: readonly (Place | null)[];
  readonly memory: Cells;
  readonly words: readonly Word[];
  /** The thread that holds the bus lock; `null` for no thread. */
  readonly lock: number | null;
  /** Memory stands still. */
  readonly frozen: boolean;
  /** Whether the thread has stored since then; `null` for either. */
  readonly stored: readonly (boolean | null)[];
}

export const readCone: Reader<Cone> = (value, path) => {
  const { memory, stored, ...rest } = coneShape(anything(value, path), path);
  const cells = new Map(memory.map(({ address, value }) => [address, value]));
  return { ...rest, memory: cells, stored: stored ?? rest.places.map(() => null) };
};

/**
 * Whether a buffer can have this content. A store removes older letters on its address, so no
 * letter is older than an own letter on the same address, and an address has at most one own
 * letter.
 */
export function isNormal(word: Word): boolean {
  return word.every(
    ({ own, address }, i) => !own || word.slice(0, i).every((older) => older.address !== address),
  );
}

/** Whether the letter `other` in a buffer also counts as the letter `one`. */
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

/** Whether every state at the place `other` is at `place`. */
export function hasPlace(place: Place | null, other: Place | null): boolean {
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

/** Cones, to be found by lock and locations. */
export class Cones {
  readonly all: readonly Cone[];
  readonly #byLocations = new Map<string, Cone[]>();
  /** By thread, whether `null` is the thread's place. */
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

  /** Whether a single cone contains all of `other`. */
  contain(other: Cone): boolean {
    for (const open of this.#patterns.values())
      for (const cone of this.#byLocations.get(this.#name(other, open)) ?? [])
        if (contains(cone, other)) return true;
    return false;
  }
}
