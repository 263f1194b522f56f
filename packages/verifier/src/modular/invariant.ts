import type { Automata } from '../automata.js';
import type { Budget, Exhausted } from '../budget.js';
import type { HappensBefore } from '../marks.js';
import { index, int32, list, type Read, type Reader, record, wrong } from '../shape.js';
import { type Held, type Holds, ModularThread, type Place, placeName } from './thread.js';

/** Where a thread may wait: location, registers, and what its own cells hold. */
const placeReader: Reader<readonly [number, readonly number[], readonly number[]]> = (
  value,
  path,
) => {
  if (!Array.isArray(value) || value.length !== 3)
    return wrong(path, 'a location, registers, and values of own cells');
  const [location, registers, own] = value as unknown[];
  return [
    int32(location, `${path}[0]`),
    list(int32)(registers, `${path}[1]`),
    list(int32)(own, `${path}[2]`),
  ];
};

/** An address and the values that the cell may hold. */
const valuesReader: Reader<readonly [number, readonly number[]]> = (value, path) => {
  if (!Array.isArray(value) || value.length !== 2) return wrong(path, 'an address and values');
  const [address, values] = value as unknown[];
  return [int32(address, `${path}[0]`), list(int32)(values, `${path}[1]`)];
};

/**
 * What a certificate says of all executions under SC, thread by thread; with `towards`, of those
 * only that lead to a store of one thread.
 */
export const invariantReader = record(
  {
    /** By thread: the addresses that only it writes. */
    owned: list(list(int32)),
    /** By thread: where it may wait. */
    threads: list(list(placeReader)),
    /** Initial values need not be named. */
    cells: list(valuesReader),
  },
  {
    towards: record({
      thread: index(2 ** 31),
      store: index(2 ** 31),
      /** An earlier invariant, of more executions: what cells hold for `away`. */
      within: index(2 ** 31),
      /** Where the thread may wait when it can no longer come to the store. */
      away: list(placeReader),
    }),
  },
);
export type WrittenInvariant = Read<typeof invariantReader>;
type WrittenPlace = Read<typeof placeReader>;

/** A wrong claim, in words, or what ran out while it was looked at. */
export type Finding =
  | { readonly kind: 'wrong'; readonly text: string }
  | { readonly kind: 'stopped'; readonly reason: Exhausted };

/** Places of one thread, by their names. */
type Places = ReadonlyMap<string, Place>;

const noPath = { onPath: false, delayed: undefined } as const;

/** An invariant that has been read, in the terms of the steps. */
export class Invariant {
  readonly threads: readonly ModularThread[];
  readonly places: readonly Places[];
  readonly towards:
    | {
        readonly thread: number;
        readonly store: number;
        readonly within: number;
        readonly away: Places;
      }
    | undefined;
  readonly #cells: ReadonlyMap<number, readonly Held[]>;
  readonly #owners: ReadonlyMap<number, number>;
  readonly #initial: (address: number) => number;

  /** Throws `ShapeError` where what is written fits no thread of the automata. */
  constructor(
    automata: Automata,
    written: WrittenInvariant,
    happensBefore: HappensBefore,
    path: string,
  ) {
    const initial = new Map(
      automata.symbols.flatMap(({ base, initial }) =>
        initial.map((value, i) => [base + i, value] as const),
      ),
    );
    this.#initial = (address) => initial.get(address) ?? 0;
    const { threads } = automata;
    if (written.owned.length !== threads.length || written.threads.length !== threads.length)
      wrong(path, `as many threads as there are, ${threads.length}`);
    this.#owners = new Map(
      written.owned.flatMap((addresses, t) => addresses.map((address) => [address, t] as const)),
    );
    this.threads = written.owned.map(
      (addresses, t) => new ModularThread(automata, t, addresses, this.#initial, happensBefore),
    );
    const read = (t: number, places: readonly WrittenPlace[], at: string): Places =>
      new Map(
        places.map((place, i) => {
          const known = this.#place(t, place, `${at}[${i}]`);
          return [placeName(known), known] as const;
        }),
      );
    this.places = written.threads.map((places, t) => read(t, places, `${path}.threads[${t}]`));
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
    if (towards && !threads[towards.thread]) wrong(`${path}.towards.thread`, 'a thread');
    this.towards = towards && {
      ...towards,
      away: read(towards.thread, towards.away, `${path}.towards.away`),
    };
  }

  /** All that a cell may hold, without marks. */
  readonly holds: Holds = (address) =>
    this.#cells.get(address) ?? [{ value: this.#initial(address), mark: undefined }];

  /** The addresses that are named. */
  get addresses(): Iterable<number> {
    return this.#cells.keys();
  }

  #place(t: number, [location, registers, own]: WrittenPlace, path: string): Place {
    const thread = this.threads[t]!;
    const { code, owned } = thread;
    if (location < 0 || location >= code.thread.locations.length) wrong(path, 'a location');
    if (registers.length !== code.thread.registers.length) wrong(path, 'all registers');
    if (own.length !== owned.length) wrong(path, 'the values of all own cells');
    return thread.place(location, registers, own);
  }

  /**
   * What is wrong with the invariant: the start is not in it, or some step leads out of it, or a
   * thread writes what is said to be another's. `all` are the invariants of the certificate.
   */
  refute(all: readonly Invariant[], number: number, budget: Budget): Finding | undefined {
    const name = `invariant ${number + 1}`;
    const { towards } = this;
    if (towards && towards.within >= number)
      return { kind: 'wrong', text: `${name} rests on none that stands before it` };
    for (const [t, thread] of this.threads.entries()) {
      const away = towards?.thread === t ? towards.away : undefined;
      const isIn = (place: Place): boolean => {
        const at = placeName(place);
        return this.places[t]!.has(at) || away?.has(at) === true;
      };
      if (!thread.starts().every(isIn))
        return { kind: 'wrong', text: `${name} has not the start of thread ${t + 1}` };
      for (const place of this.places[t]!.values()) {
        const stopped = budget.spend(1);
        if (stopped !== undefined) return { kind: 'stopped', reason: stopped };
        const out = this.#stepOut(t, place, isIn, away);
        if (out !== undefined) return { kind: 'wrong', text: `${name}: ${out}` };
      }
    }
    return towards && this.#refuteAway(towards, all[towards.within]!, name, budget);
  }

  /** A step of a thread that leads out of the invariant, in words. */
  #stepOut(
    t: number,
    place: Place,
    isIn: (place: Place) => boolean,
    away: Places | undefined,
  ): string | undefined {
    for (const { place: next, cells, written } of this.threads[t]!.moves(
      place,
      this.holds,
      noPath,
    )) {
      // Of what follows when the thread can no longer come to the store nothing is claimed.
      const isAway = next ? !this.places[t]!.has(placeName(next)) && isIn(next) : away;
      if (isAway) continue;
      for (const address of written) {
        const owner = this.#owners.get(address);
        if (owner !== undefined && owner !== t)
          return `thread ${t + 1} writes to ${address}, a cell of thread ${owner + 1}`;
        const { value } = cells.get(address)!;
        if (!this.holds(address).some((held) => held.value === value))
          return `thread ${t + 1} writes ${value} to ${address}`;
      }
      if (next && !isIn(next)) return `thread ${t + 1} leaves it, to location ${next.location}`;
    }
    return undefined;
  }

  /**
   * The thread has to stay away once it is: by the cells' values in the wider invariant it comes to
   * no place that is not, and none is at the store.
   */
  #refuteAway(
    { thread: t, store, away }: NonNullable<Invariant['towards']>,
    wider: Invariant,
    name: string,
    budget: Budget,
  ): Finding | undefined {
    // Restricted to another store, the wider one would be about other executions.
    const other = wider.towards;
    if (other && (other.thread !== t || other.store !== store))
      return { kind: 'wrong', text: `${name} rests on one about other executions` };
    const thread = wider.threads[t]!;
    if (thread.owned.join() !== this.threads[t]!.owned.join())
      return { kind: 'wrong', text: `${name} has other own cells than what it rests on` };
    for (const place of away.values()) {
      const stopped = budget.spend(1);
      if (stopped !== undefined) return { kind: 'stopped', reason: stopped };
      if (this.leavingBy(t, place, store))
        return { kind: 'wrong', text: `${name}: a place away from the store is at the store` };
      const next = thread.moves(place, wider.holds, noPath);
      if (next.some(({ place: at }) => at && !away.has(placeName(at))))
        return { kind: 'wrong', text: `${name}: a place away from the store leads elsewhere` };
    }
    return undefined;
  }

  /** Whether the transition leaves the location of the place. */
  leavingBy(t: number, { location }: Place, transition: number): boolean {
    return this.threads[t]!.code.thread.transitions[transition]?.from === location;
  }
}
