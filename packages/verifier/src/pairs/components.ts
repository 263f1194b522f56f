import type { Automata } from '../automata.js';
import type { HappensBefore } from '../happens-before.js';
import { initialMemory } from '../initial-memory.js';
import { type Held, ModularThread, type Place, placeName } from '../modular/thread.js';
import { wrong } from '../shape.js';

/**
 * A possible state of one component: either the place of a thread, with the values of the cells
 * kept with the thread, or the value of a single cell.
 */
export interface ComponentState {
  readonly component: number;
  /** The place of the thread; absent for a thread that has ended, and for cells. */
  readonly place: Place | undefined;
  /** The values of the component's cells. */
  readonly values: readonly number[];
}

/** The position of a cell's value: the component, and the index within the component. */
export interface Holder {
  readonly component: number;
  /** The index of the cell's value in `values` of an item. */
  readonly slot: number;
}

/** A possible next access of a thread, with the position of the accessed cell's value. */
export interface PossibleAccess extends Holder {
  readonly address: number;
}

/** The result of an access: the next place of the thread, and the new value of the cell. */
interface Outcome {
  readonly place: Place | undefined;
  readonly value: number;
}

const noPath = { onPath: false, delayed: undefined, passesHeavy: true } as const;

/**
 * A state of the program divided into components: each thread with the cells kept with the thread,
 * and each further cell alone. Every cell is in exactly one component, so an access concerns only
 * the thread and the component that holds the cell. A cell that is kept with no thread becomes a
 * component at the first access.
 */
export class Components {
  readonly threads: readonly ModularThread[];
  /** By thread: the numbers of the possible initial items. */
  readonly starts: readonly (readonly number[])[];
  readonly #initial: (address: number) => number;
  readonly #holders = new Map<number, Holder>();
  readonly #items: ComponentState[] = [];
  readonly #numbers = new Map<string, number>();
  /** By component: the numbers of the items found so far. */
  readonly #members: number[][];
  readonly #actions: (readonly PossibleAccess[])[] = [];
  readonly #outcomes = new WeakMap<Place, Map<string, readonly Outcome[]>>();
  /** By thread and name of the place: a single object for equal places. */
  readonly #places: readonly Map<string, Place>[];

  /**
   * Makes the components; `kept` lists, by thread, the addresses kept with the thread. Throws
   * `ShapeError` if the lists do not match the threads, or if an address is kept with two threads.
   */
  constructor(
    automata: Automata,
    kept: readonly (readonly number[])[],
    happensBefore: HappensBefore,
    path: string,
  ) {
    if (kept.length !== automata.threads.length)
      wrong(path, `as many threads as there are, ${automata.threads.length}`);
    const initial = initialMemory(automata.symbols);
    this.#initial = (address) => initial.get(address) ?? 0;
    this.threads = automata.threads.map(
      (_, t) => new ModularThread(automata, t, [], this.#initial, happensBefore),
    );
    this.#places = automata.threads.map(() => new Map<string, Place>());
    this.#members = automata.threads.map(() => []);
    for (const [component, addresses] of kept.entries())
      for (const [slot, address] of addresses.entries()) {
        if (this.#holders.has(address)) wrong(path, `one thread that keeps ${address}`);
        this.#holders.set(address, { component, slot });
      }
    this.starts = this.threads.map((thread, component) => {
      const values = kept[component]!.map(this.#initial);
      const places = thread.starts();
      return (places.length > 0 ? places : [undefined]).map((place) =>
        this.#number({ component, place, values }),
      );
    });
  }

  get size(): number {
    return this.#items.length;
  }

  item(number: number): ComponentState {
    return this.#items[number]!;
  }

  /** Returns, by component, the numbers of the items found so far. */
  get all(): readonly (readonly number[])[] {
    return this.#members;
  }

  initial(address: number): number {
    return this.#initial(address);
  }

  /** Returns the position of a cell's value; `undefined` for a cell without a component so far. */
  holder(address: number): Holder | undefined {
    return this.#holders.get(address);
  }

  /**
   * Makes a component of a cell; returns the number of the component's only item, the initial
   * value.
   */
  meet(address: number): number {
    const component = this.#members.push([]) - 1;
    this.#holders.set(address, { component, slot: 0 });
    return this.#number({ component, place: undefined, values: [this.#initial(address)] });
  }

  /** Returns the addresses that the thread of an item may access next. */
  addresses(number: number): Iterable<number> {
    const { component, place } = this.item(number);
    if (!place) return [];
    const cells = this.threads[component]!.cellsAt(place);
    // Pairs of components make no claims about lock blocks.
    if (cells === 'many') throw new Error('a lock block is no access');
    return cells;
  }

  /**
   * Returns the possible next accesses of an item's thread; all cells accessed must have
   * components.
   */
  actions(number: number): readonly PossibleAccess[] {
    return (this.#actions[number] ??= [...this.addresses(number)].map((address) => ({
      address,
      ...this.#holders.get(address)!,
    })));
  }

  /**
   * Returns the items after an access: the successors of item `number` and of item `partner`, which
   * holds the cell; a single successor if `number` and `partner` are the same item.
   */
  results(number: number, partner: number, action: PossibleAccess): readonly (readonly number[])[] {
    const item = this.item(number);
    const { values } = this.item(partner);
    return this.#taken(item, action.address, values[action.slot]!).map(({ place, value }) => {
      const after = values.with(action.slot, value);
      if (number === partner) return [this.#number({ ...item, place, values: after })];
      return [
        this.#number({ ...item, place }),
        this.#number({ ...this.item(partner), values: after }),
      ];
    });
  }

  /** Returns the number of an item; `undefined` if the item has not been found so far. */
  find(item: ComponentState): number | undefined {
    return this.#numbers.get(this.#name(item));
  }

  #number({ component, place, values }: ComponentState): number {
    const name = this.#name({ component, place, values });
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#items.push({ component, place: this.#same(component, place), values }) - 1;
    this.#numbers.set(name, number);
    this.#members[component]!.push(number);
    return number;
  }

  #name({ component, place, values }: ComponentState): string {
    return `${component};${place ? placeName(place) : ''};${values.join()}`;
  }

  #same(component: number, place: Place | undefined): Place | undefined {
    if (!place) return undefined;
    const places = this.#places[component]!;
    const name = placeName(place);
    const known = places.get(name) ?? place;
    places.set(name, known);
    return known;
  }

  #taken({ component, place }: ComponentState, address: number, value: number): readonly Outcome[] {
    if (!place) return [];
    const known = this.#outcomes.get(place) ?? new Map<string, readonly Outcome[]>();
    this.#outcomes.set(place, known);
    const name = `${address}=${value}`;
    const taken = known.get(name) ?? this.#take(component, place, address, value);
    known.set(name, taken);
    return taken;
  }

  #take(thread: number, place: Place, address: number, value: number): readonly Outcome[] {
    const held = { value, mark: undefined };
    const moves = this.threads[thread]!.moves(place, holding(address, held), noPath);
    return moves.map((move) => ({
      place: move.place,
      value: move.cells.get(address)!.value,
    }));
  }
}

/**
 * Returns a memory in which only the cell at `address` has known values, so that accesses to
 * further cells have no steps.
 */
export function holding(address: number, held: Held): (address: number) => readonly Held[] {
  return (other) => (other === address ? [held] : []);
}
