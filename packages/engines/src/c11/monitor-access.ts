import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { EventOrder } from '@fencewright/model/c11/execution-graph.js';
import { isAcquiring, isReleasing } from './futures.js';
import type { MonitorLayout } from './monitor-layout.js';

/**
 * An access as SC executes it: the access reads the last store in modification order, and its own
 * store becomes the last.
 */
export interface MonitoredAccess {
  readonly thread: ThreadId;
  /** The position of the accessed cell among the watched cells. */
  readonly cell: number;
  readonly kind: 'read' | 'write' | 'update';
  readonly order: EventOrder;
  /**
   * The class of the value that the cell has before the access, as a set of classes with one
   * member.
   */
  readonly old: number;
  /**
   * Whether another store may still be placed directly after the overwritten store in modification
   * order. True for a store, and for a read-modify-write that may be executed later than in the
   * present interleaving.
   */
  readonly leavesPlace: boolean;
}

type MonitorWords = Int32Array;

/**
 * Replaces the view at offset `into` by its intersection with the view at offset `from`. A view is
 * a set of old stores that an access may still read or be placed after in modification order; a
 * smaller view is more knowledge.
 */
function meet(state: MonitorWords, { view }: MonitorLayout, into: number, from: number): void {
  for (let i = 0; i < view; i++) state[into + i]! &= state[from + i]!;
}

/** Replaces `view` by its intersection with the view at offset `from` of the state. */
function meetInto(view: Int32Array, state: MonitorWords, from: number): void {
  for (let i = 0; i < view.length; i++) view[i]! &= state[from + i]!;
}

/**
 * Records an SC access in three kinds of sets of cells: the cells whose last store is known to a
 * thread, to the last store of a cell, or to a reader of this last store.
 */
function noteKnowledge(
  state: MonitorWords,
  layout: MonitorLayout,
  { thread, cell, kind }: MonitoredAccess,
): void {
  const { knows, storeKnows, readersKnow, cells } = layout;
  const bit = 1 << cell;
  if (kind === 'read') {
    state[knows + thread]! |= state[storeKnows + cell]! | bit;
    state[readersKnow + cell]! |= state[knows + thread]!;
    return;
  }
  const known =
    state[knows + thread]! | state[storeKnows + cell]! | state[readersKnow + cell]! | bit;
  for (let i = knows; i < readersKnow + cells; i++) state[i]! &= ~bit;
  state[knows + thread] = known;
  state[storeKnows + cell] = known;
  state[readersKnow + cell] = known;
}

/**
 * Records an SC access in the sets of values that threads know to be overwritten. Does nothing if
 * the layout has no such sets (`observed`).
 */
function noteOverwritten(
  state: MonitorWords,
  { observed, cells }: MonitorLayout,
  { thread, cell, kind }: MonitoredAccess,
): void {
  if (!observed) return;
  const [own, stores, readers] = [
    observed.threads[thread]!,
    observed.stores[cell]!,
    observed.readers[cell]!,
  ];
  for (let i = 0; i < cells; i++) {
    state[own + i]! |= state[stores + i]! | (kind === 'read' ? 0 : state[readers + i]!);
    // All values of the cell count as overwritten. The normal form later keeps only the values that
    // an access could still read.
    if (i === cell && kind !== 'read') state[own + i] = -1;
    if (kind !== 'read') state[stores + i] = state[own + i]!;
    state[readers + i] = (kind === 'read' ? state[readers + i]! : 0) | state[own + i]!;
  }
}

/**
 * Updates the sets that record the knowledge of threads by an access. The memory of the state still
 * has the value before the access.
 */
export function monitorAccess(
  state: MonitorWords,
  layout: MonitorLayout,
  access: MonitoredAccess,
): void {
  const { thread, cell, kind, order, old, leavesPlace } = access;
  const { cells, parts, fencePart, accessPart, ecoPart } = layout;
  const { behindStores, behindReads, forwarded } = layout;
  const [current, acquired] = [layout.current[thread]!, layout.acquired[thread]!];
  const message = layout.message[cell]!;
  const [isRead, isWrite] = [kind !== 'write', kind !== 'read'];
  const isAtomic = order !== 'plain';
  noteKnowledge(state, layout, access);
  noteOverwritten(state, layout, access);
  // The old stores that an access may still read after the `seq_cst` operations before this access.
  // These are the operations that strongly happen before it, or are coherence-ordered before it.
  let own: Int32Array | undefined;
  if (accessPart >= 0 && order === 'seq_cst') {
    own = new Int32Array(layout.view).fill(-1);
    meetInto(own, state, current[accessPart]!);
    if (fencePart >= 0) meetInto(own, state, current[fencePart]!);
    if (isWrite || !forwarded[thread]!.has(cell)) meetInto(own, state, behindStores[cell]!);
    if (isWrite) meetInto(own, state, behindReads[cell]!);
  }
  if (ecoPart >= 0)
    for (const views of [current, acquired]) {
      meet(state, layout, views[ecoPart]!, behindStores[cell]!);
      if (isWrite) meet(state, layout, views[ecoPart]!, behindReads[cell]!);
    }
  let passedOn: readonly Int32Array[] | undefined;
  if (isRead && isAtomic) {
    parts.forEach((_, part) => {
      meet(state, layout, acquired[part]!, message[part]!);
      if (isAcquiring(order)) meet(state, layout, current[part]!, message[part]!);
    });
    if (kind === 'update') passedOn = message.map((view) => state.slice(view, view + layout.view));
  }
  if (isWrite) {
    for (const view of layout.views) {
      state[view + cell]! |= old;
      if (leavesPlace) state[view + cells + cell]! |= old;
    }
    for (const view of passedOn ?? []) {
      view[cell]! |= old;
      if (leavesPlace) view[cells + cell]! |= old;
    }
  }
  for (const views of [current, acquired]) {
    state[views[0]! + cell] = 0;
    state[views[0]! + cells + cell] = 0;
  }
  if (own) {
    own[cell] = 0;
    own[cells + cell] = 0;
  }
  // The message of a `seq_cst` store is not restricted by `own`, so the views of the thread are
  // restricted by `own` only after the message is written.
  if (isWrite) {
    const given = isAtomic && isReleasing(order) ? current : layout.released[thread]!;
    parts.forEach((_, part) => {
      const [into, from] = [message[part]!, given[part]!];
      if (!isAtomic) state.fill(-1, into, into + layout.view);
      else state.copyWithin(into, from, from + layout.view);
      const more = passedOn?.[part];
      if (more) for (let i = 0; i < more.length; i++) state[into + i]! &= more[i]!;
    });
    // The message need not exclude stores of this cell: a thread that reads the message has read
    // the last store of the cell, and by coherence reads no older store afterwards.
    state[message[0]! + cell] = -1;
    state[message[0]! + cells + cell] = -1;
  }
  if (own)
    for (const views of [current, acquired])
      for (let i = 0; i < own.length; i++) state[views[accessPart]! + i]! &= own[i]!;
  if (behindStores.length === 0) return;
  const behind = isWrite ? behindStores[cell]! : behindReads[cell]!;
  if (isWrite) {
    const readers = behindReads[cell]!;
    meet(state, layout, behind, readers);
    state.fill(-1, readers, readers + layout.view);
  }
  if (fencePart >= 0) meet(state, layout, behind, current[fencePart]!);
  if (own) for (let i = 0; i < own.length; i++) state[behind + i]! &= own[i]!;
}

/** Updates the sets that record the knowledge of threads by a fence of a thread. */
export function monitorFence(
  state: MonitorWords,
  layout: MonitorLayout,
  thread: ThreadId,
  order: EventOrder,
): void {
  const [current, acquired] = [layout.current[thread]!, layout.acquired[thread]!];
  const released = layout.released[thread]!;
  const { parts, fencePart, view } = layout;
  if (order === 'plain' || order === 'relaxed') return;
  if (isAcquiring(order))
    parts.forEach((_, part) => meet(state, layout, current[part]!, acquired[part]!));
  if (order === 'seq_cst' && fencePart >= 0) {
    parts.forEach((_, part) => {
      if (part !== fencePart) meet(state, layout, current[fencePart]!, current[part]!);
    });
    meet(state, layout, acquired[fencePart]!, current[fencePart]!);
  }
  if (isReleasing(order))
    parts.forEach((_, part) => {
      state.copyWithin(released[part]!, current[part]!, current[part]! + view);
    });
}

/**
 * The old stores that an access may read, or be placed after in modification order: all, or only
 * the stores not yet read by a read-modify-write.
 */
export type OldStores = 'all' | 'unread';

/**
 * Returns, as a set of bits, the classes of the old stores of a cell that an access may take as far
 * as the thread's knowledge tells.
 */
export function takeableClasses(
  state: MonitorWords,
  layout: MonitorLayout,
  { thread, cell, order }: Pick<MonitoredAccess, 'thread' | 'cell' | 'order'>,
  which: OldStores,
): number {
  const { fencePart, accessPart, cells } = layout;
  const place = which === 'all' ? cell : cells + cell;
  const current = layout.current[thread]!;
  let set = state[current[0]! + place]!;
  if (fencePart >= 0) set &= state[current[fencePart]! + place]!;
  if (accessPart >= 0 && order === 'seq_cst') set &= state[current[accessPart]! + place]!;
  return set;
}

/**
 * Returns, as a set of bits, the classes of the old stores that C11 lets an access read, or be
 * placed after in modification order, although no interleaving does.
 */
export function staleClasses(
  state: MonitorWords,
  layout: MonitorLayout,
  access: Pick<MonitoredAccess, 'thread' | 'cell' | 'order'>,
  which: OldStores,
): number {
  const { knows, observed } = layout;
  const { thread, cell } = access;
  const knowsLast = ((state[knows + thread]! >> cell) & 1) !== 0;
  // An observing monitor follows executions behind reads of old stores. In these, the store that
  // the thread knows need not be the last one.
  const overwritten =
    observed && which === 'all' ? state[observed.threads[thread]! + cell]! : knowsLast ? -1 : 0;
  return overwritten === 0 ? 0 : overwritten & takeableClasses(state, layout, access, which);
}
