import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { C11Cells } from './cells.js';
import type { C11Code } from './c11-steps.js';

/**
 * The parts of the knowledge of a thread or a message. Each part is a set of old stores that may
 * still be taken.
 *
 * - `coherence`: the stores left to any access by coherence.
 * - `fence`: the stores left to any access by the `seq_cst` fences that happen before the access.
 * - `access`: the stores left to a `seq_cst` access by the `seq_cst` accesses that strongly happen
 *   before the access.
 * - `eco`: the stores left by the next `seq_cst` fence of the thread, because `seq_cst` operations
 *   are coherence-ordered before accesses that happen before the fence.
 */
export type KnowledgePart = 'coherence' | 'fence' | 'access' | 'eco';

/**
 * The offsets, in a state, of the sets that record the knowledge of threads about stores. A state
 * is an array of 32-bit integers. A view holds two sets of classes of values for each watched cell:
 * the old stores that may be read, and among them the old stores not yet read by a
 * read-modify-write. More knowledge means smaller sets; -1 is the full set.
 */
export interface MonitorLayout {
  readonly threads: number;
  /** The number of watched cells of the program. */
  readonly cells: number;
  /** The number of 32-bit words of a view. */
  readonly view: number;
  readonly parts: readonly KnowledgePart[];
  /** The index in `parts` of the knowledge `fence`; -1 if the states have no such part. */
  readonly fencePart: number;
  /** The index in `parts` of the knowledge `access`; -1 if the states have no such part. */
  readonly accessPart: number;
  /** The index in `parts` of the knowledge `eco`; -1 if the states have no such part. */
  readonly ecoPart: number;
  /**
   * By thread, offsets in a state: `location`, of the location; `registers`, of the first register.
   */
  readonly location: readonly number[];
  readonly registers: readonly number[];
  readonly memory: number;
  /**
   * The number of words at the start of a state that describe a state of SC: locations, registers
   * and memory.
   */
  readonly sequential: number;
  /** The offset of one set for each thread: the cells whose last stores the thread knows. */
  readonly knows: number;
  /**
   * The offset of one set for each cell: the cells whose last stores were known to the storing
   * thread at the last store to this cell.
   */
  readonly storeKnows: number;
  /**
   * The offset of one set for each cell: the cells whose last stores are known to some reader of
   * this cell's last store.
   */
  readonly readersKnow: number;
  /** The offsets of each thread's present knowledge (a view of old stores), by thread and part. */
  readonly current: readonly (readonly number[])[];
  /** The offsets of a thread's view after the thread's next acquire fence, by thread and part. */
  readonly acquired: readonly (readonly number[])[];
  /** The offsets of the view in the message of a relaxed store by a thread, by thread and part. */
  readonly released: readonly (readonly number[])[];
  /**
   * The offsets of the views in the messages of last stores, by cell and part. A view is a set of
   * old stores that may still be read.
   */
  readonly message: readonly (readonly number[])[];
  /**
   * By cell, the offset of a view, a set of old stores that may still be read: the view of an
   * operation that the order of all `seq_cst` operations places after the stores to the cell.
   */
  readonly behindStores: readonly number[];
  /**
   * By cell, the offset of a view, a set of old stores that may still be read: the view of an
   * operation that the order of all `seq_cst` operations places after the loads that have read the
   * cell's last store.
   */
  readonly behindReads: readonly number[];
  /** The offsets of all views in a state. A view is a set of old stores that may still be read. */
  readonly views: readonly number[];
  /**
   * The offsets of sets that only states of `observe` have. Each thread, the last store of each
   * cell, and the readers of this store have a set: for each cell, the classes of values known to
   * be overwritten. `taint` is the set of threads that may have noticed a read of an old store; in
   * a state that an interleaving reaches, the set is empty.
   */
  readonly observed:
    | {
        readonly taint: number;
        readonly threads: readonly number[];
        readonly stores: readonly number[];
        readonly readers: readonly number[];
      }
    | undefined;
  /** The watched cells that some plain access accesses. */
  readonly plain: readonly number[];
  /**
   * The offsets of the sets of unknown accesses to the plain cells, by thread or by cell. An access
   * is unknown to a thread unless the access happens before the thread's next step. Each cell has
   * one word for plain accesses and one word for atomic accesses.
   */
  readonly races:
    | {
        readonly start: number;
        readonly end: number;
        readonly length: number;
        readonly current: readonly number[];
        readonly acquired: readonly number[];
        readonly released: readonly number[];
        readonly message: readonly number[];
      }
    | undefined;
  /** By thread, the cells whose stores may be forwarded to `seq_cst` loads of the thread. */
  readonly forwarded: readonly ReadonlySet<number>[];
  readonly length: number;
}

function layOutRaces(
  threads: number,
  cells: number,
  plain: number,
  take: (length: number) => number,
): MonitorLayout['races'] {
  if (plain === 0) return undefined;
  const length = 2 * plain;
  const sets = (count: number): number[] => Array.from({ length: count }, () => take(length));
  const [current, acquired] = [sets(threads), sets(threads)];
  const [released, message] = [sets(threads), sets(cells)];
  return {
    ...{ start: current[0]!, end: take(0), length },
    ...{ current, acquired, released, message },
  };
}

function layOutObserved(
  threads: number,
  cells: number,
  take: (length: number) => number,
): MonitorLayout['observed'] {
  const sets = (count: number): number[] => Array.from({ length: count }, () => take(cells));
  return { taint: take(1), threads: sets(threads), stores: sets(cells), readers: sets(cells) };
}

/** Returns the layout of the states of a program under a model. */
export function layOutMonitor(
  { program, steps }: C11Code,
  cells: C11Cells,
  model: C11Model,
  { observes, forwarded }: Pick<MonitorLayout, 'forwarded'> & { readonly observes: boolean },
): MonitorLayout {
  const all = steps.flatMap((locations) => locations.flat());
  const hasFences = all.some(({ kind, order }) => kind === 'fence' && order === 'seq_cst');
  const hasAccesses =
    model === 'c11' &&
    all.some(
      ({ kind, order, failureOrder }) =>
        kind !== 'fence' && (order === 'seq_cst' || failureOrder === 'seq_cst'),
    );
  const parts: KnowledgePart[] = ['coherence'];
  if (hasFences) parts.push('fence');
  if (hasAccesses) parts.push('access');
  if (hasFences) parts.push('eco');
  const watched = cells.watched.length;
  let offset = 0;
  const take = (length: number): number => {
    offset += length;
    return offset - length;
  };
  const location: number[] = [];
  const registers: number[] = [];
  for (const thread of program.threads) {
    location.push(take(1));
    registers.push(take(thread.registers.length));
  }
  const memory = take(cells.addresses.length);
  const sequential = offset;
  const knows = take(program.threads.length);
  const storeKnows = take(watched);
  const readersKnow = take(watched);
  const views: number[] = [];
  const takeView = (): number => {
    const view = take(2 * watched);
    views.push(view);
    return view;
  };
  const ofThreads = (): number[][] => program.threads.map(() => parts.map(takeView));
  const ofCells = (): number[] => cells.watched.map(takeView);
  const current = ofThreads();
  const acquired = ofThreads();
  const released = ofThreads();
  const message = cells.watched.map(() => parts.map(takeView));
  const isOrdered = hasFences || hasAccesses;
  const behindStores = isOrdered ? ofCells() : [];
  const behindReads = isOrdered ? ofCells() : [];
  const observed = observes ? layOutObserved(program.threads.length, watched, take) : undefined;
  const plain = [...cells.watched.keys()].filter((cell) => cells.isRacy[cells.watched[cell]!]);
  const races = layOutRaces(program.threads.length, watched, plain.length, take);
  return {
    ...{ threads: program.threads.length, cells: watched, view: 2 * watched, parts },
    fencePart: parts.indexOf('fence'),
    accessPart: parts.indexOf('access'),
    ecoPart: parts.indexOf('eco'),
    ...{ location, registers, memory, sequential, knows, storeKnows, readersKnow },
    ...{ current, acquired, released, message, behindStores, behindReads, views, observed, plain },
    ...{ races, forwarded },
    length: offset,
  };
}
