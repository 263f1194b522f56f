import { AttackThread, type Held, noPath, type Place } from '../attack/thread.js';
import type { Automata } from '../automata.js';
import { Code } from '../code.js';
import type { HappensBefore } from '../happens-before.js';
import { initialMemory } from '../initial-memory.js';
import { wrong } from '../shape.js';

/**
 * An item: the place of a thread with the values of the cells in its component, or the value of a
 * single cell.
 */
export interface ComponentState {
  readonly component: number;
  /** The place of the thread; absent for a thread that has ended, and for cells. */
  readonly place: Place | undefined;
  /** The values of the component's cells. */
  readonly values: readonly number[];
}

/** The position of a cell's value in items: the component, and the index within `values`. */
export interface Holder {
  readonly component: number;
  /** The index of the cell's value in `values` of the component's items. */
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

/**
 * The components of a program and their items. Every cell is in exactly one component, so an access
 * concerns only the component of the thread and the component of the cell. A cell that no thread
 * keeps becomes a component at its first access.
 */
export class Components {
  readonly threads: readonly AttackThread[];
  /** The numbers of the initial items of each thread, indexed by thread. */
  readonly starts: readonly (readonly number[])[];
  readonly #initial: (address: number) => number;
  readonly #holders = new Map<number, Holder>();
  readonly #items: ComponentState[] = [];
  readonly #numbers = new Map<string, number>();
  /** The numbers of the items found so far, indexed by component. */
  readonly #members: number[][];
  readonly #actions: (readonly PossibleAccess[])[] = [];
  readonly #outcomes = new WeakMap<Place, Map<string, readonly Outcome[]>>();

  /**
   * Creates the components of the threads. `kept` lists the addresses that each thread keeps,
   * indexed by thread. Throws `ShapeError` if the lists do not match the threads, or if two threads
   * keep an address.
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
      (thread) => new AttackThread(new Code(automata, thread), happensBefore),
    );
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

  /** Returns the numbers of the items found so far, indexed by component. */
  get all(): readonly (readonly number[])[] {
    return this.#members;
  }

  initial(address: number): number {
    return this.#initial(address);
  }

  /**
   * Returns the position of a cell's value; `undefined` for a cell that has no component so far.
   */
  holder(address: number): Holder | undefined {
    return this.#holders.get(address);
  }

  /**
   * Makes a component for a cell; returns the number of its only item so far, the initial value.
   */
  meet(address: number): number {
    const component = this.#members.push([]) - 1;
    this.#holders.set(address, { component, slot: 0 });
    return this.#number({ component, place: undefined, values: [this.#initial(address)] });
  }

  /** Returns the addresses that the item's thread may access next. */
  addresses(number: number): Iterable<number> {
    const { component, place } = this.item(number);
    if (!place) return [];
    const cells = this.threads[component]!.cellsAt(place);
    // A closed relation makes no claims about lock blocks.
    if (cells === 'many') throw new Error('a lock block is no access');
    return cells;
  }

  /**
   * Returns the possible next accesses of an item's thread. All cells accessed must have
   * components.
   */
  actions(number: number): readonly PossibleAccess[] {
    return (this.#actions[number] ??= [...this.addresses(number)].map((address) => ({
      address,
      ...this.#holders.get(address)!,
    })));
  }

  /**
   * Returns the pairs of items after an access: those that replace item `number` and item
   * `partner`, which holds the cell. If the two are one item, a single item replaces it.
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
    const number = this.#items.push({ component, place, values }) - 1;
    this.#numbers.set(name, number);
    this.#members[component]!.push(number);
    return number;
  }

  #name({ component, place, values }: ComponentState): string {
    return `${component};${place?.name ?? ''};${values.join()}`;
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
 * Returns a memory in which only the cell at `address` has a known value, so that accesses to other
 * cells have no steps.
 */
export function holding(address: number, held: Held): (address: number) => readonly Held[] {
  return (other) => (other === address ? [held] : []);
}
