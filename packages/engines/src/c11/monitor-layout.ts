import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { C11Cells } from './cells.js';
import type { C11Code } from './c11-steps.js';

/**
 * The parts of the knowledge of a thread or a message, each a set of overwritten stores that may
 * still be read. `coherence`: by coherence alone. `fence`: after the preceding `seq_cst` fences.
 * `access`: after the strongly preceding `seq_cst` accesses. `eco`: after one further `seq_cst`
 * fence.
 */
export type KnowledgePart = 'coherence' | 'fence' | 'access' | 'eco';

/**
 * The offsets of the parts of a state, an array of 32-bit integers. A view holds two sets of
 * classes of values for each watched cell: the overwritten stores that may be read, and the subset
 * of stores not yet read by a read-modify-write. More knowledge means smaller sets; -1 is the full
 * set.
 */
export interface MonitorLayout {
  readonly threads: number;
  /** The number of watched cells. */
  readonly cells: number;
  /** The length of a view. */
  readonly view: number;
  readonly parts: readonly KnowledgePart[];
  /** The places of parts in `parts`, -1 if absent. */
  readonly fencePart: number;
  readonly accessPart: number;
  readonly ecoPart: number;
  /** Offsets of the location and the registers of each thread. */
  readonly location: readonly number[];
  readonly registers: readonly number[];
  readonly memory: number;
  /** The length of the part of a state that belongs to SC. */
  readonly sequential: number;
  /** Offsets of the sets of cells whose last store is known to a thread, store or reader. */
  readonly knows: number;
  readonly storeKnows: number;
  readonly readersKnow: number;
  /** Offsets of views, by thread and part: current, behind the next acquire fence, released. */
  readonly current: readonly (readonly number[])[];
  readonly acquired: readonly (readonly number[])[];
  readonly released: readonly (readonly number[])[];
  /** Offsets of the views in the messages of last stores, by cell and part. */
  readonly message: readonly (readonly number[])[];
  /** Offsets of the views behind all stores, and behind the reads of the last store, by cell. */
  readonly behindStores: readonly number[];
  readonly behindReads: readonly number[];
  /** Offsets of all views. */
  readonly views: readonly number[];
  /**
   * Offsets of the sets of overwritten values, for a monitor that observes: for each thread, and
   * for the last store of each cell, stores and their readers, the classes of the values of each
   * cell that are known to be overwritten. `taint`: the set of threads whose place no interleaving
   * explains yet.
   */
  readonly observed:
    | {
        readonly taint: number;
        readonly threads: readonly number[];
        readonly stores: readonly number[];
        readonly readers: readonly number[];
      }
    | undefined;
  /** The watched cells that plain accesses access. */
  readonly plain: readonly number[];
  /**
   * Offsets of the sets of unknown accesses to the plain cells, by thread or by cell. Each cell has
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
  observes = false,
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
    races,
    length: offset,
  };
}
