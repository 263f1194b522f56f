import { OwningThread, type Stand, standName } from '../attack/owning-thread.js';
import type { Situation } from '../attack/path-search.js';
import type { AttackCover } from '../attack/refute-attacks.js';
import { type AttackThread, type Held, type Holds, noPath } from '../attack/thread.js';
import type { Automata } from '../automata.js';
import type { Budget } from '../budget.js';
import { type Cover, type Finding, type Reached, whyNotInductive } from '../inductive.js';
import { initialValues } from '../initial-memory.js';
import {
  anyIndex,
  distinct,
  int32,
  list,
  type Read,
  type Reader,
  record,
  tuple,
  wrong,
} from '../shape.js';

/** Reads a place: location, registers, and the values of the cells that only the thread writes. */
const placeReader = tuple<readonly [number, readonly number[], readonly number[]]>(
  int32,
  list(int32),
  list(int32),
);

/** Reads a cell's address with the possible values of the cell. */
const valuesReader = tuple<readonly [number, readonly number[]]>(int32, distinct(int32));

/** Reads a list of addresses for each thread; no address may occur twice. */
const ownersReader: Reader<readonly (readonly number[])[]> = (value, path) => {
  const owned = list(list(int32))(value, path);
  distinct(int32)(owned.flat(), path);
  return owned;
};

/**
 * Reads an invariant of all executions under SC, thread by thread. With `towards`, an invariant of
 * the executions in which one thread can still reach one of the listed stores.
 */
export const modularInvariantReader = record(
  {
    /**
     * For each thread, the addresses of the cells that only it writes; no address is listed twice.
     */
    owned: ownersReader,
    /**
     * For each thread, its places (location, registers, values of the cells that only it writes)
     * before an access or a lock, indexed by thread.
     */
    threads: list(list(placeReader)),
    /** The possible values of each cell, by address; the initial value need not be listed. */
    cells: distinct(valuesReader, ([address]) => address),
  },
  {
    towards: record({
      thread: anyIndex,
      stores: distinct(anyIndex),
      /**
       * The index of an earlier invariant, about more executions. The check of `away` uses the
       * values of cells in the earlier invariant.
       */
      within: anyIndex,
      /**
       * The places from which the thread can reach none of `stores`, with the values of the cells
       * that only it writes, as in the invariant `within`.
       */
      away: list(placeReader),
    }),
  },
);
export type WrittenInvariant = Read<typeof modularInvariantReader>;
type WrittenPlace = Read<typeof placeReader>;

/**
 * A part of a state described separately by the invariant: the place of one thread, or the value of
 * one cell.
 */
type Component =
  | { readonly thread: number; readonly stand: Stand }
  | { readonly address: number; readonly value: number };

/**
 * The places of one thread (location, registers, values of the cells that only it writes), by name
 * of the place.
 */
type Places = ReadonlyMap<string, Stand>;

/**
 * A restriction of an invariant to the executions in which a thread can still reach one of the
 * listed stores.
 */
interface Towards {
  readonly thread: number;
  readonly stores: readonly number[];
  /** The invariant of more executions that `within` names in the certificate. */
  readonly wider: ModularInvariant;
  /**
   * The places from which the thread can reach none of the stores, with the values of its own cells
   * (cells that only it writes) in the invariant `wider`.
   */
  readonly away: Places;
}

function readPlace(
  { thread, code, owned }: OwningThread,
  [location, registers, own]: WrittenPlace,
  path: string,
): Stand {
  if (location < 0 || location >= code.thread.locations.length) wrong(path, 'a location');
  if (registers.length !== code.thread.registers.length) wrong(path, 'all registers');
  if (own.length !== owned.length) wrong(path, 'the values of all own cells');
  return { place: thread.place(location, registers), own };
}

/** An invariant of a certificate, with valid indices, for checks and for refutations of attacks. */
export class ModularInvariant implements AttackCover<Stand> {
  readonly threads: readonly OwningThread[];
  readonly places: readonly Places[];
  readonly towards: Towards | undefined;
  readonly #cells: ReadonlyMap<number, readonly Held[]>;
  readonly #owners: ReadonlyMap<number, number>;
  readonly #initial: (address: number) => number;
  readonly #number: number;

  /**
   * Converts an invariant of a certificate about `automata`, whose threads take the steps of
   * `threads`; `earlier` are the invariants before it in the certificate. Throws `ShapeError` if
   * the invariant does not fit the threads of the program.
   */
  constructor(
    { symbols }: Automata,
    threads: readonly AttackThread[],
    written: WrittenInvariant,
    earlier: readonly ModularInvariant[],
  ) {
    const path = `invariants[${earlier.length}]`;
    this.#number = earlier.length + 1;
    this.#initial = initialValues(symbols);
    if (written.owned.length !== threads.length || written.threads.length !== threads.length)
      wrong(path, `as many threads as there are, ${threads.length}`);
    this.#owners = new Map(
      written.owned.flatMap((addresses, t) => addresses.map((address) => [address, t] as const)),
    );
    this.threads = written.owned.map(
      (addresses, t) => new OwningThread(threads[t]!, addresses, this.#initial),
    );
    const read = (thread: OwningThread, places: readonly WrittenPlace[], at: string): Places =>
      new Map(
        places.map((place, i) => {
          const known = readPlace(thread, place, `${at}[${i}]`);
          return [standName(known), known] as const;
        }),
      );
    this.places = written.threads.map((places, t) =>
      read(this.threads[t]!, places, `${path}.threads[${t}]`),
    );
    this.#cells = new Map(
      written.cells.map(([address, values]) => [
        address,
        [...new Set([this.#initial(address), ...values])].map((value) => ({
          value,
          mark: undefined,
        })),
      ]),
    );
    const { towards } = written;
    if (!towards) return;
    const { thread, stores, within } = towards;
    const wider = earlier[within];
    if (!wider) wrong(`${path}.towards.within`, 'an invariant that stands before it');
    const its = wider.threads[thread];
    if (!its) wrong(`${path}.towards.thread`, 'a thread');
    const { transitions } = its.code.thread;
    if (stores.some((store) => transitions[store]?.instruction.kind !== 'store'))
      wrong(`${path}.towards.stores`, 'stores of the thread');
    const away = read(its, towards.away, `${path}.towards.away`);
    this.towards = { thread, stores, wider, away };
  }

  /** Returns all possible values of a cell according to the invariant, without marks. */
  readonly holds: Holds = (address) =>
    this.#cells.get(address) ?? [{ value: this.#initial(address), mark: undefined }];

  /** Returns the addresses of all cells named in the invariant. */
  get addresses(): Iterable<number> {
    return this.#cells.keys();
  }

  /**
   * Describes an error in the invariant: the start is not covered, some step leads out of the
   * invariant, or a thread writes a cell owned by another thread. Returns `undefined` if there is
   * no error. The wider invariant is checked separately.
   */
  refute(budget: Budget): Finding | undefined {
    const { towards } = this;
    return (
      whyNotInductive(this.#cover(), budget) ??
      (towards && this.#refuteAway(towards, `invariant ${this.#number}`, budget))
    );
  }

  #cover(): Cover<Component, { readonly thread: number; readonly stand: Stand }> {
    const name = `invariant ${this.#number}`;
    return {
      starts: () =>
        this.threads.flatMap((one, thread) =>
          one.starts().map((stand) => ({
            state: { thread, stand },
            otherwise: `${name} has not the start of thread ${thread + 1}`,
          })),
        ),
      parts: this.places.flatMap((places, thread) =>
        [...places.values()].map((stand) => ({ thread, stand })),
      ),
      contains: (state) =>
        'stand' in state
          ? this.#has(state.thread, state.stand) || this.#isAway(state.thread, state.stand)
          : this.holds(state.address).some(({ value }) => value === state.value),
      after: ({ thread, stand }) => this.#after(thread, stand, name),
    };
  }

  #has(t: number, place: Stand): boolean {
    return this.places[t]!.has(standName(place));
  }

  /**
   * Whether thread `t` can reach none of the stores of `towards` from the place, according to this
   * invariant or an earlier invariant.
   */
  #isAway(t: number, place: Stand): boolean {
    const { towards } = this;
    if (towards?.thread !== t || this.#has(t, place)) return false;
    const own: number[] = [];
    for (const address of towards.wider.threads[t]!.owned) {
      const value = this.threads[t]!.ownValue(place.own, address);
      if (value === undefined) return false;
      own.push(value);
    }
    const its = { ...place, own };
    return towards.away.has(standName(its)) || towards.wider.#isAway(t, its);
  }

  /** Returns the places and values after the steps of a thread. */
  *#after(t: number, stand: Stand, name: string): Generator<Reached<Component>> {
    for (const { stand: next, cells } of this.threads[t]!.moves(stand, this.holds, noPath)) {
      // The invariant makes no claim about executions in which the thread can no longer reach the
      // store.
      if (next.place ? this.#isAway(t, next) : this.towards?.thread === t) continue;
      for (const [address, { value, isChanged }] of cells) {
        if (!isChanged) continue;
        const owner = this.#owners.get(address);
        const writes = `${name}: thread ${t + 1} writes`;
        if (owner !== undefined && owner !== t)
          yield { bad: `${writes} to ${address}, a cell of thread ${owner + 1}` };
        yield { state: { address, value }, otherwise: `${writes} ${value} to ${address}` };
      }
      const otherwise = `${name}: thread ${t + 1} leaves it, to location ${next.place?.location}`;
      if (next.place) yield { state: { thread: t, stand: next }, otherwise };
    }
  }

  /**
   * Describes an error in `away`, `undefined` if there is none: by the values of cells in the wider
   * invariant, every step from a place in `away` has to lead to a place in `away`, and no such
   * place may be at one of the stores.
   */
  #refuteAway(
    { thread: t, stores, wider, away }: Towards,
    name: string,
    budget: Budget,
  ): Finding | undefined {
    // A wider invariant restricted to other stores would be about other executions.
    if (!wider.isAbout(t, stores))
      return { kind: 'wrong', text: `${name} rests on one about other executions` };
    const thread = wider.threads[t]!;
    const { transitions } = thread.code.thread;
    const otherwise = `${name}: a place away from a store leads elsewhere`;
    return whyNotInductive<Stand, Stand>(
      {
        starts: () => [],
        parts: away.values(),
        contains: (at) => away.has(standName(at)) || wider.#isAway(t, at),
        after: (stand) =>
          stores.some((store) => thread.thread.mayAttack(stand.place!, transitions[store]!))
            ? [{ bad: `${name}: a place away from a store is at the store` }]
            : thread
                .moves(stand, wider.holds, noPath)
                .flatMap(({ stand: state }) => (state.place ? [{ state, otherwise }] : [])),
      },
      budget,
    );
  }

  /**
   * Whether the invariant covers all executions in which the thread can still reach one of the
   * given stores.
   */
  isAbout(thread: number, stores: readonly number[]): boolean {
    const { towards } = this;
    if (!towards) return true;
    return towards.thread === thread && stores.every((store) => towards.stores.includes(store));
  }

  /** Returns one situation for each place that the attacker may have at the location. */
  *situations(attacker: number, location: number): Iterable<Situation> {
    const helpers = this.places.flatMap((places, thread) =>
      thread === attacker
        ? []
        : [...places.values()].map((stand) => ({ thread, stand, onPath: false })),
    );
    const { owned } = this.threads[attacker]!;
    for (const { place, own } of this.places[attacker]!.values()) {
      if (place?.location !== location) continue;
      // Helpers do not change the cells that only the attacker writes.
      const frozen = new Map(owned.map((address, slot) => [address, own[slot]!]));
      yield {
        place,
        name: own.join(),
        threads: this.threads,
        valuesOf: (address) =>
          frozen.has(address)
            ? [frozen.get(address)!]
            : this.holds(address).map(({ value }) => value),
        mayFind: () => true,
        helpers,
        arrival: (_, stand) => stand,
      };
    }
  }
}
