import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import { type ValueSet, joinRough, rangeSet, toValueSet } from './value-set.js';
import { isEmpty, isEnds, type RoughSet, widened } from './number-ends.js';

/** An access: a transition of a thread. */
export interface AccessSite {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
}

/**
 * Whether the store `store` of a thread may be executed before the load `load` of the same thread.
 */
export type StoreOrder = (thread: ThreadId, store: TransitionId, load: TransitionId) => boolean;

type Join = (known: RoughSet, added: RoughSet) => RoughSet;

/** Objects of compiled programs have no smaller addresses. */
const leastAddress = 4096;

/**
 * Whether the numbers may be null and addresses of objects: moved pointers stay in their objects,
 * so that the set stops growing, while a number may count for ever.
 */
function mayBeAddresses(values: RoughSet): boolean {
  if (values === 'any' || isEnds(values)) return false;
  return values.every((value) => value === 0 || value >= leastAddress);
}

/** The values stored to one cell, separately for each store of each thread. */
class StoredValues {
  readonly #byThread = new Map<ThreadId, RoughSet>();
  readonly #byStore = new Map<ThreadId, Map<TransitionId, RoughSet>>();

  /** Adds the values that a store may store to the cell's values. `join` makes unions. */
  add({ thread, transition }: AccessSite, values: RoughSet, join: Join): void {
    this.#byThread.set(thread, join(this.#byThread.get(thread) ?? [], values));
    let stores = this.#byStore.get(thread);
    if (!stores) this.#byStore.set(thread, (stores = new Map<TransitionId, RoughSet>()));
    stores.set(transition, join(stores.get(transition) ?? [], values));
  }

  /**
   * Returns the values stored to the cell by all stores, except stores of the load's own thread
   * that are executed only after the load.
   */
  before({ thread, transition }: AccessSite, order: StoreOrder): RoughSet {
    let found: RoughSet = [];
    for (const [other, values] of this.#byThread)
      if (other !== thread) found = joinRough(found, values);
    for (const [store, values] of this.#byStore.get(thread) ?? [])
      if (order(thread, store, transition)) found = joinRough(found, values);
    return found;
  }
}

/**
 * The values that each memory cell may hold at some time, including the initial value; sets only
 * grow.
 */
export class MemoryValues {
  readonly #domain: Program['domain'];
  readonly #order: StoreOrder | undefined;
  /** The initial values of cells, by address, other than 0. */
  readonly #initial = new Map<number, number>();
  /** By address of each cell written so far, the set of its possible values. */
  readonly #cells = new Map<number, RoughSet>();
  /**
   * By address of each cell that has been written, the values from each store; filled only if the
   * order of stores and loads is used.
   */
  readonly #stored = new Map<number, StoredValues>();
  /** The values written to unknown addresses; any cell may hold these values. */
  #anywhere: RoughSet = [];
  /**
   * The values written to unknown addresses, by store; filled only if the order of stores and loads
   * is used.
   */
  readonly #storedAnywhere = new StoredValues();
  /** The set of values that at least one cell may hold. */
  #all: RoughSet;
  #grown = false;
  #widens = false;

  /** With `order`, a load does not return values that its own thread stores only after the load. */
  constructor(program: Program, order?: StoreOrder) {
    this.#domain = program.domain;
    this.#order = order;
    for (const { base, initial } of program.symbols)
      initial.forEach((value, i) => {
        if (value !== 0) this.#initial.set(base + i, value);
      });
    this.#all = toValueSet([0, ...this.#initial.values()]);
  }

  /**
   * Begins a round of computing value sets: resets `hasGrown`. If `widens`, value sets that grow in
   * this round become the whole domain or, without a domain, an approximation that cannot grow for
   * ever.
   */
  startRound(widens: boolean): void {
    this.#grown = false;
    this.#widens = widens;
  }

  /** Whether a value set has grown since the start of this round. */
  get hasGrown(): boolean {
    return this.#grown;
  }

  /**
   * Returns the values that a load from one of the addresses may return: the load `load`, or any
   * load if absent.
   */
  read(addresses: ValueSet, load?: AccessSite): RoughSet {
    if (addresses === 'any') return this.#all;
    let values: RoughSet = [];
    for (const address of addresses) values = joinRough(values, this.#cell(address, load));
    if (isEmpty(values)) return values;
    const anywhere =
      load && this.#order ? this.#storedAnywhere.before(load, this.#order) : this.#anywhere;
    return joinRough(values, anywhere);
  }

  /**
   * Records that any of the addresses may receive any of the values by the store. Values outside
   * the domain are dropped, as their stores fault.
   */
  write(addresses: ValueSet, values: RoughSet, store: AccessSite): void {
    const stored = this.#clamp(values);
    if (addresses.length === 0 || isEmpty(stored)) return;
    this.#all = this.#join(this.#all, stored);
    if (addresses === 'any') {
      this.#anywhere = this.#join(this.#anywhere, stored);
      if (this.#order) this.#storedAnywhere.add(store, stored, this.#join);
    } else for (const address of addresses) this.#store(address, stored, store);
  }

  #store(address: number, values: RoughSet, store: AccessSite): void {
    this.#cells.set(address, this.#join(this.#cell(address), values));
    if (!this.#order) return;
    let cell = this.#stored.get(address);
    if (!cell) this.#stored.set(address, (cell = new StoredValues()));
    cell.add(store, values, this.#join);
  }

  #cell(address: number, load?: AccessSite): RoughSet {
    const initial = [this.#initial.get(address) ?? 0];
    if (!load || !this.#order) return this.#cells.get(address) ?? initial;
    const stored = this.#stored.get(address);
    return stored ? joinRough(initial, stored.before(load, this.#order)) : initial;
  }

  /**
   * Returns the union of two sets, approximated in a round that widens sets, and notes whether a
   * set has grown. All changes of sets go through this function.
   */
  readonly #join: Join = (known, added) => {
    const joined = joinRough(known, added);
    if (joined === known) return known;
    this.#grown = true;
    if (!this.#widens || mayBeAddresses(joined)) return joined;
    return joinRough(known, this.#clamp(this.#domain ? 'any' : widened(known, joined)));
  };

  #clamp(values: RoughSet): RoughSet {
    const domain = this.#domain;
    if (!domain) return values;
    if (values === 'any' || isEnds(values)) return rangeSet(domain.low, domain.high);
    return values.filter((value) => value >= domain.low && value <= domain.high);
  }
}
