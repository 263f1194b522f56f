import { OwningThread, type Stand, standName } from '../attack/owning-thread.js';
import { type AttackThread, type Holds, noPath } from '../attack/thread.js';
import type { Automata } from '../automata.js';
import { initialValues } from '../initial-memory.js';
import { wrong } from '../shape.js';

/**
 * A state of a component (an item): the place of a thread with the values of the cells in its
 * component, or the value of a single cell. `place` is absent after the thread's end, and for
 * cells; `own` has the values of the component's cells, in the order in which the component lists
 * them.
 */
export interface ComponentState extends Stand {
  readonly number: number;
  readonly component: number;
}

/**
 * The position of a cell's value in component states (items): the component, and the index within
 * `own`.
 */
export interface Holder {
  readonly component: number;
  /** The index of the cell's value in `own` of the component's states. */
  readonly slot: number;
}

/** A cell, with the position of its value. */
interface Cell extends Holder {
  readonly address: number;
}

/**
 * The components of a program and their items (states of a component). Every cell is in exactly one
 * component, so an access concerns only the component of the thread and the component of the cell.
 * A cell in no thread's component becomes a component at its first access.
 */
export class Components {
  readonly threads: readonly OwningThread[];
  /** For each thread, the numbers of its initial component states (items), indexed by thread. */
  readonly starts: readonly (readonly number[])[];
  readonly #initial: (address: number) => number;
  readonly #holders = new Map<number, Holder>();
  readonly #items: ComponentState[] = [];
  readonly #numbers = new Map<string, number>();
  /** The numbers of the component states (items) found so far, indexed by component. */
  readonly #members: number[][];
  readonly #cells: (readonly Cell[])[] = [];
  /** By item and partner, the results of accesses computed so far. */
  readonly #results: Map<number, readonly (readonly number[])[]>[] = [];

  /**
   * Creates the components of the threads of `automata`, which take the steps of `threads`. `kept`
   * lists, for each thread, the addresses of the cells in its component. Throws `ShapeError` if the
   * lists do not match the threads, or if an address is in two lists.
   */
  constructor(
    { symbols }: Automata,
    threads: readonly AttackThread[],
    kept: readonly (readonly number[])[],
    path: string,
  ) {
    if (kept.length !== threads.length)
      wrong(path, `as many threads as there are, ${threads.length}`);
    this.#initial = initialValues(symbols);
    this.threads = kept.map(
      (addresses, t) => new OwningThread(threads[t]!, addresses, this.#initial),
    );
    this.#members = threads.map(() => []);
    for (const [component, addresses] of kept.entries())
      for (const [slot, address] of addresses.entries()) {
        if (this.#holders.has(address)) wrong(path, `one thread that keeps ${address}`);
        this.#holders.set(address, { component, slot });
      }
    this.starts = this.threads.map((thread, component) => {
      const own = kept[component]!.map(this.#initial);
      const stands: readonly Stand[] = thread.starts();
      return (stands.length > 0 ? stands : [{ place: undefined, own }]).map((stand) =>
        this.#number(component, stand),
      );
    });
  }

  get size(): number {
    return this.#items.length;
  }

  item(number: number): ComponentState {
    return this.#items[number]!;
  }

  /** The numbers of the component states (items) found so far, indexed by component. */
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
    return this.#number(component, { place: undefined, own: [this.#initial(address)] });
  }

  /** Returns the addresses that the thread of a component state (item) may access next. */
  addresses(number: number): Iterable<number> {
    const { component, place } = this.item(number);
    if (!place) return [];
    const cells = this.threads[component]!.thread.cellsAt(place);
    // A closed relation makes no claims about lock blocks.
    if (cells === 'many') throw new Error('a lock block is no access');
    return cells;
  }

  /**
   * Returns the results of the accesses of item `number` to cells in the component of item
   * `partner`: for each result, the items that replace both. If `number` equals `partner`, a single
   * item replaces it.
   */
  results(number: number, partner: number): readonly (readonly number[])[] {
    const { component } = this.item(partner);
    const cells = this.#accesses(number).filter((cell) => cell.component === component);
    if (cells.length === 0) return [];
    const known =
      this.#results[number]!.get(partner) ??
      cells.flatMap((cell) => this.#resultsAt(number, partner, cell));
    this.#results[number]!.set(partner, known);
    return known;
  }

  /** Returns the cells that an item's thread may access next; all have components. */
  #accesses(number: number): readonly Cell[] {
    return (this.#cells[number] ??= [...this.addresses(number)].map((address) => ({
      address,
      ...this.#holders.get(address)!,
    })));
  }

  #resultsAt(
    number: number,
    partner: number,
    { address, slot }: Cell,
  ): readonly (readonly number[])[] {
    const item = this.item(number);
    const { component, place, own } = this.item(partner);
    // Only the given access has results: cells at other addresses have no values here.
    const holds: Holds = (other) =>
      other === address ? [{ value: own[slot]!, mark: undefined }] : [];
    const moves = this.threads[item.component]?.moves(item, holds, noPath) ?? [];
    return moves.map(({ stand, cells }) => {
      const after = this.#number(item.component, stand);
      if (number === partner) return [after];
      const { value } = cells.get(address)!;
      return [after, this.#number(component, { place, own: own.with(slot, value) })];
    });
  }

  /**
   * Returns the item of a component with the given place and values; `undefined` if no such item
   * has been found so far.
   */
  find(component: number, stand: Stand): ComponentState | undefined {
    const known = this.#numbers.get(`${component};${standName(stand)}`);
    return known === undefined ? undefined : this.item(known);
  }

  #number(component: number, { place, own }: Stand): number {
    const name = `${component};${standName({ place, own })}`;
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#items.length;
    this.#items.push({ number, component, place, own });
    this.#numbers.set(name, number);
    this.#members[component]!.push(number);
    this.#results.push(new Map());
    return number;
  }
}
