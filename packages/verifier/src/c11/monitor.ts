import type { Order } from '../automata.js';

/**
 * The monitor's part of a state, as rows of 32-bit sets: one row for each thread, one for each
 * watched cell. A set of cells has a bit for each watched cell. A view has two sets of classes of
 * values for each watched cell: the old stores that may be read, and the old stores that no
 * read-modify-write has read. More knowledge means smaller views; -1 is no knowledge.
 */
export interface Monitor {
  readonly threads: readonly Int32Array[];
  readonly cells: readonly Int32Array[];
}

/**
 * The parts of knowledge, each a set of old stores that may still be taken. `coherence`: the stores
 * that coherence leaves. `fence`: the stores that the preceding `seq_cst` fences leave. `access`:
 * the stores that the preceding `seq_cst` accesses leave for a further `seq_cst` access. `eco`: the
 * stores that a `seq_cst` fence would leave, because of accesses seen before.
 */
const parts = ['coherence', 'fence', 'access', 'eco'] as const;
type Part = (typeof parts)[number];

/**
 * The kinds of knowledge of a thread, each with all `parts`: the present knowledge, the knowledge
 * after the next acquire fence, and the knowledge handed on by relaxed stores.
 */
type Owned = 'current' | 'pending' | 'released';
const owned: readonly Owned[] = ['current', 'pending', 'released'];

/**
 * The number of views in the row of a thread: one for each kind of knowledge (`Owned`) and each of
 * its `parts`.
 */
export const viewsOfThread = owned.length * parts.length;
/**
 * The number of views in the row of a cell: one for each of `parts` in the message of the last
 * store, and two left by `seq_cst` operations: before the cell's stores, and before the reads of
 * its last store.
 */
export const viewsOfCell = parts.length + 2;

/** An access of a watched cell in an interleaving. */
interface SeenAccess {
  readonly thread: number;
  readonly cell: number;
  readonly kind: 'read' | 'write' | 'update';
  readonly order: Order;
  /** The class of the value before the access, as a set of classes with this one member. */
  readonly old: number;
  /** Whether a store may be forwarded to the access: see `forwardedAddresses`. */
  readonly isForwarded: boolean;
}

export function acquires(order: Order): boolean {
  return order === 'acquire' || order === 'acq_rel' || order === 'seq_cst';
}

export function releases(order: Order): boolean {
  return order === 'release' || order === 'acq_rel' || order === 'seq_cst';
}

function meet(into: Int32Array, from: Int32Array): void {
  for (let i = 0; i < into.length; i++) into[i]! &= from[i]!;
}

/**
 * The rules by which an access or a fence changes the monitor's sets, for a number of watched
 * cells.
 */
export class MonitorRules {
  readonly #cells: number;
  readonly #width: number;

  constructor(cells: number) {
    this.#cells = cells;
    this.#width = 2 * cells;
  }

  /** Returns the monitor's part of an initial state, for a number of threads. */
  initial(threads: number): Monitor {
    const every = 2 ** this.#cells - 1;
    const ofThread = new Int32Array(1 + viewsOfThread * this.#width).fill(-1);
    ofThread[0] = every;
    const initial: Monitor = {
      threads: Array.from({ length: threads }, () => ofThread.slice()),
      cells: Array.from({ length: this.#cells }, (_, cell) => {
        const row = new Int32Array(2 + viewsOfCell * this.#width).fill(-1);
        row[0] = 1 << cell;
        row[1] = 1 << cell;
        return row;
      }),
    };
    // At the start, no cell has an older store that a load could take.
    for (const row of initial.threads) {
      this.#of(row, 'current', 'coherence').fill(0);
      this.#of(row, 'pending', 'coherence').fill(0);
    }
    return initial;
  }

  #of(row: Int32Array, what: Owned, part: Part): Int32Array {
    const place = owned.indexOf(what) * parts.length + parts.indexOf(part);
    return row.subarray(1 + place * this.#width, 1 + (place + 1) * this.#width);
  }

  #ofCell(row: Int32Array, place: number): Int32Array {
    return row.subarray(2 + place * this.#width, 2 + (place + 1) * this.#width);
  }

  #message(row: Int32Array, part: Part): Int32Array {
    return this.#ofCell(row, parts.indexOf(part));
  }

  /**
   * Returns the view (the old stores that may still be taken) to which `seq_cst` operations before
   * the stores of the cell restrict later operations.
   */
  #behindStores(row: Int32Array): Int32Array {
    return this.#ofCell(row, parts.length);
  }

  /**
   * Returns the view (the old stores that may still be taken) to which `seq_cst` operations before
   * the reads of the cell's last store restrict later operations.
   */
  #behindReads(row: Int32Array): Int32Array {
    return this.#ofCell(row, parts.length + 1);
  }

  /**
   * Returns the classes of old stores that C11 lets an access take, if the thread knows the cell's
   * last store, as a set of bits; none otherwise. With `unread`, only stores that no
   * read-modify-write has read: another store can be placed directly after them.
   */
  takeable(
    { threads }: Monitor,
    thread: number,
    cell: number,
    order: Order,
    which: 'all' | 'unread',
  ): number {
    const row = threads[thread]!;
    if (((row[0]! >> cell) & 1) === 0) return 0;
    const place = which === 'all' ? cell : this.#cells + cell;
    const seen = (part: Part): number => this.#of(row, 'current', part)[place]!;
    const set = seen('coherence') & seen('fence');
    return order === 'seq_cst' ? set & seen('access') : set;
  }

  /**
   * Returns the monitor's part of the state after an access that takes the last store. `isOrdered`
   * says whether `seq_cst` accesses are ordered among each other.
   */
  access(before: Monitor, access: SeenAccess, isOrdered: boolean): Monitor {
    const monitor: Monitor = {
      threads: before.threads.map((row) => row.slice()),
      cells: before.cells.map((row) => row.slice()),
    };
    const { thread, cell, kind, order, old, isForwarded } = access;
    const [row, own] = [monitor.threads[thread]!, monitor.cells[cell]!];
    const [reads, writes] = [kind !== 'write', kind !== 'read'];
    const isAtomic = order !== 'plain';
    const isSeqCst = isOrdered && order === 'seq_cst';
    const [current, pending] = (['current', 'pending'] as const).map(
      (what) => (part: Part) => this.#of(row, what, part),
    ) as [(part: Part) => Int32Array, (part: Part) => Int32Array];
    this.#learn(monitor, access);
    // The old stores that the `seq_cst` access leaves for later `seq_cst` operations.
    const allowed = new Int32Array(this.#width).fill(-1);
    if (isSeqCst) {
      meet(allowed, current('access'));
      meet(allowed, current('fence'));
      if (writes || !isForwarded) meet(allowed, this.#behindStores(own));
      if (writes) meet(allowed, this.#behindReads(own));
    }
    for (const of of [current, pending]) {
      meet(of('eco'), this.#behindStores(own));
      if (writes) meet(of('eco'), this.#behindReads(own));
    }
    const received = parts.map((part) => this.#message(own, part).slice());
    if (reads && isAtomic)
      parts.forEach((part, i) => {
        meet(pending(part), received[i]!);
        if (acquires(order)) meet(current(part), received[i]!);
      });
    if (writes) this.#overwrite(monitor, [allowed, ...received], access, old);
    for (const view of [current('coherence'), pending('coherence'), allowed]) {
      view[cell] = 0;
      view[this.#cells + cell] = 0;
    }
    if (writes) {
      const given = !isAtomic ? undefined : releases(order) ? 'current' : 'released';
      parts.forEach((part, i) => {
        const message = this.#message(own, part);
        message.fill(-1);
        if (given) meet(message, this.#of(row, given, part));
        if (kind === 'update') meet(message, received[i]!);
      });
    }
    if (isSeqCst) {
      meet(current('access'), allowed);
      meet(pending('access'), allowed);
    }
    const behind = writes ? this.#behindStores(own) : this.#behindReads(own);
    if (writes) {
      meet(behind, this.#behindReads(own));
      this.#behindReads(own).fill(-1);
    }
    meet(behind, current('fence'));
    if (isSeqCst) meet(behind, allowed);
    return monitor;
  }

  /**
   * Updates the knowledge of last stores: of each thread, of each cell's last store, and of the
   * readers of each last store. A load adds the knowledge of the store read to the thread's
   * knowledge; a store adds the knowledge of the preceding store and of the preceding store's
   * readers. Only the storing thread and the new store know the new store.
   */
  #learn({ threads, cells }: Monitor, { thread, cell, kind }: SeenAccess): void {
    const [row, own] = [threads[thread]!, cells[cell]!];
    const bit = 1 << cell;
    if (kind === 'read') {
      row[0]! |= own[0]! | bit;
      own[1]! |= row[0]!;
      return;
    }
    const known = row[0]! | own[0]! | own[1]! | bit;
    for (const one of threads) one[0]! &= ~bit;
    for (const one of cells) {
      one[0]! &= ~bit;
      one[1]! &= ~bit;
    }
    row[0] = known;
    own[0] = known;
    own[1] = known;
  }

  /** Adds the class of the overwritten store to all views: the store is old now. */
  #overwrite(
    { threads, cells }: Monitor,
    further: readonly Int32Array[],
    { cell, kind }: SeenAccess,
    old: number,
  ): void {
    const add = (row: Int32Array, from: number): void => {
      for (let view = from; view < row.length; view += this.#width) {
        row[view + cell]! |= old;
        if (kind === 'write') row[view + this.#cells + cell]! |= old;
      }
    };
    for (const row of threads) add(row, 1);
    for (const row of cells) add(row, 2);
    for (const view of further) add(view, 0);
  }

  /** Returns the monitor's part of the state after a fence. */
  fence(before: Monitor, thread: number, order: Order): Monitor {
    const row = before.threads[thread]!.slice();
    const of = (what: Owned, part: Part): Int32Array => this.#of(row, what, part);
    if (acquires(order)) for (const part of parts) meet(of('current', part), of('pending', part));
    if (order === 'seq_cst') {
      for (const part of ['coherence', 'access', 'eco'] as const)
        meet(of('current', 'fence'), of('current', part));
      meet(of('pending', 'fence'), of('current', 'fence'));
    }
    if (releases(order)) for (const part of parts) of('released', part).set(of('current', part));
    return { ...before, threads: before.threads.with(thread, row) };
  }
}

/**
 * Whether each set of `row` is a subset of the corresponding set of `within`. If so, every access
 * that `row` allows is also allowed by `within`.
 */
export function isWithin(row: Int32Array, within: Int32Array): boolean {
  if (row === within) return true;
  for (let i = 0; i < row.length; i++) if ((row[i]! & ~within[i]!) !== 0) return false;
  return true;
}
