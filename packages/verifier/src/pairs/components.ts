import { type AttackThread, type Holds, type Move, noPath, type Place } from '../attack/thread.js';
import type { Automata } from '../automata.js';
import { initialValues } from '../initial-memory.js';
import { wrong } from '../shape.js';

/**
 * A state of a component (an item): the place of a thread with the values of the cells in its
 * component, or the value of a single cell.
 */
export interface ComponentState {
  readonly number: number;
  readonly component: number;
  /** The place at which the thread waits; `undefined` after the thread's end, and for cells. */
  readonly place: Place | undefined;
  /** The values of the component's cells, in the order in which the component lists the cells. */
  readonly own: readonly number[];
}

/**
 * The position of a cell's value in component states (items): the component, and the index within
 * `own`.
 */
interface Holder {
  readonly component: number;
  readonly slot: number;
}

/** The steps of a thread in which the items of a list take part. */
interface StepsWith {
  /** For each step, the items that take the places of the participants. */
  readonly results: readonly (readonly number[])[];
  /**
   * A component with a cell that a step accesses, and no item among the participants; `undefined`
   * if there is none. The results leave such steps out.
   */
  readonly missing: number | undefined;
}

/**
 * The components of a program and their items (states of a component). Every cell is in exactly one
 * component: in the component of a thread, or in a component of its own, made when a step first
 * accesses the cell.
 */
export class Components {
  readonly threads: readonly AttackThread[];
  /** For each thread, the numbers of its initial component states (items), indexed by thread. */
  readonly starts: readonly (readonly number[])[];
  readonly #initial: (address: number) => number;
  readonly #holders = new Map<number, Holder>();
  /** The addresses of the cells in each component. */
  readonly #cells: (readonly number[])[] = [];
  readonly #items: ComponentState[] = [];
  readonly #numbers = new Map<string, number>();
  /** The numbers of the component states (items) found so far, indexed by component. */
  readonly #members: number[][] = [];
  /** The steps computed so far, by the list of participants. */
  readonly #steps = new Map<string | number, StepsWith>();
  /** For each component, the items of other components whose threads access cells in it. */
  readonly #accessors: Set<number>[] = [];

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
    this.threads = threads;
    if (new Set(kept.flat()).size < kept.flat().length) wrong(path, 'each cell at most once');
    for (const addresses of kept) this.#add(addresses);
    this.starts = threads.map((thread, component) => {
      const own = kept[component]!.map(this.#initial);
      const places: readonly (Place | undefined)[] = thread.starts();
      return (places.length > 0 ? places : [undefined]).map((place) =>
        this.#number(component, place, own),
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

  /** Whether the item is the initial value of a cell in no thread's component. */
  isInitialCell(number: number): boolean {
    const { component } = this.item(number);
    return component >= this.threads.length && this.#members[component]![0] === number;
  }

  /**
   * Returns the items of other components whose threads access cells in the component, by steps
   * found so far.
   */
  accessorsOf(component: number): ReadonlySet<number> {
    return this.#accessors[component]!;
  }

  /**
   * Returns the steps of the first participant's thread in which cells hold the values that the
   * participants have. A lock block is one step.
   */
  steps(participants: readonly number[]): StepsWith {
    const [mover = 0, partner = mover, ...more] = participants;
    // Most steps have at most two participants, and texts as keys take time.
    const key = more.length > 0 ? participants.join() : mover * 2 ** 24 + partner;
    const known = this.#steps.get(key) ?? this.#compute(participants);
    this.#steps.set(key, known);
    return known;
  }

  #compute(participants: readonly number[]): StepsWith {
    const [mover, ...others] = participants.map((number) => this.item(number));
    const { number, component: thread, place } = mover!;
    let missing: number | undefined;
    const holds: Holds = (address) => {
      const { component, slot } = this.#holders.get(address) ?? this.#meet(address);
      if (component === thread) return [{ value: mover!.own[slot]!, mark: undefined }];
      this.#accessors[component]!.add(number);
      const partner = others.find((one) => one.component === component);
      if (!partner) missing ??= component;
      return partner ? [{ value: partner.own[slot]!, mark: undefined }] : [];
    };
    const moves = place ? this.threads[thread]!.moves(place, holds, noPath) : [];
    const results = moves.map((move) => [
      this.#number(thread, move.place, this.#after(mover!, move)),
      ...others.map((one) => this.#number(one.component, one.place, this.#after(one, move))),
    ]);
    return { results, missing };
  }

  /** Makes a component for a cell, with one item: the initial value. */
  #meet(address: number): Holder {
    const component = this.#add([address]);
    this.#number(component, undefined, [this.#initial(address)]);
    return { component, slot: 0 };
  }

  #add(addresses: readonly number[]): number {
    const component = this.#members.push([]) - 1;
    this.#cells.push(addresses);
    this.#accessors.push(new Set());
    for (const [slot, address] of addresses.entries())
      this.#holders.set(address, { component, slot });
    return component;
  }

  /** Returns the values of the cells in the component of an item after a step of a thread. */
  #after({ component, own }: ComponentState, { cells }: Move): readonly number[] {
    return this.#cells[component]!.map((address, slot) => cells.get(address)?.value ?? own[slot]!);
  }

  /**
   * Returns the item in which the thread of an item is after a step; `undefined` if no such item
   * has been found so far, or if the thread has ended.
   */
  arrival(item: ComponentState, move: Move): ComponentState | undefined {
    if (!move.place) return undefined;
    const own = this.#after(item, move);
    const known = this.#numbers.get(nameOf(item.component, move.place, own));
    return known === undefined ? undefined : this.item(known);
  }

  #number(component: number, place: Place | undefined, own: readonly number[]): number {
    const name = nameOf(component, place, own);
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#items.push({ number: this.#items.length, component, place, own }) - 1;
    this.#numbers.set(name, number);
    this.#members[component]!.push(number);
    return number;
  }
}

function nameOf(component: number, place: Place | undefined, own: readonly number[]): string {
  return `${component};${place?.name ?? ''}/${own.join()}`;
}
