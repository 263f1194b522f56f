import { type Future, noFuture } from './futures.js';
import type { MonitorLayout } from './monitor-layout.js';
import { forgetRacing } from './monitor-races.js';

type MonitorWords = Int32Array;

/** The parts of the normal form, which tests can switch off. */
export interface NormalForm {
  /**
   * Whether old stores that no thread could take are added to all views (sets of old stores that
   * may still be taken). The addition changes no possible step.
   */
  readonly dropsUntakeable: boolean;
  /** Whether knowledge that no thread can use any more is forgotten. */
  readonly forgets: boolean;
}

/** Returns the set of all watched cells as bits; `cells` is the number of watched cells. */
function everyCell(cells: number): number {
  return 2 ** cells - 1;
}

function forgetViews(state: MonitorWords, { view }: MonitorLayout, views: readonly number[]): void {
  for (const one of views) state.fill(-1, one, one + view);
}

/**
 * Removes knowledge about stores that the threads cannot use any more, given the steps that each
 * thread may still take (`futures`); `accessed` is the set of cells that some thread may still
 * access.
 */
function forgetOfThreads(
  state: MonitorWords,
  layout: MonitorLayout,
  futures: readonly Future[],
  accessed: number,
): void {
  const { cells, knows, races, observed } = layout;
  futures.forEach((future, thread) => {
    const isDone = future.cells === 0;
    state[knows + thread]! |= isDone ? everyCell(cells) : everyCell(cells) & ~accessed;
    if (observed && isDone) {
      const set = observed.threads[thread]!;
      state.fill(0, set, set + cells);
    }
    if (races)
      forgetRacing(state, races, thread, {
        all: isDone,
        acquired: !future.acquiresByFence,
        released: !future.storesRelaxed,
      });
    const current = layout.current[thread]!;
    if (isDone) forgetViews(state, layout, current);
    if (isDone || !future.acquiresByFence) forgetViews(state, layout, layout.acquired[thread]!);
    if (isDone || !future.storesRelaxed) forgetViews(state, layout, layout.released[thread]!);
    if (isDone || future.handsOn) return;
    // Loads hand on the other parts of knowledge, so only `coherence` is forgotten.
    for (const views of [current, layout.acquired[thread]!])
      for (let cell = 0; cell < cells; cell++)
        if (((future.cells >> cell) & 1) === 0) {
          state[views[0]! + cell] = -1;
          state[views[0]! + cells + cell] = -1;
        }
  });
}

/**
 * Adds to all views (sets of old stores that may still be taken) the old stores that no thread
 * could take.
 */
function dropUntakeable(
  state: MonitorWords,
  layout: MonitorLayout,
  futures: readonly Future[],
): void {
  const { cells, current, views, knows, readersKnow, observed } = layout;
  for (let cell = 0; cell < cells; cell++) {
    let isTakeable = false;
    for (const place of [cell, cells + cell]) {
      let takeable = 0;
      futures.forEach((future, thread) => {
        if ((future.cells >> cell) & 1) takeable |= state[current[thread]![0]! + place]!;
      });
      isTakeable ||= takeable !== 0;
      const own = futures.map((_, thread) => state[current[thread]![0]! + place]!);
      for (const view of views) state[view + place]! |= ~takeable;
      futures.forEach((future, thread) => {
        if ((future.cells >> cell) & 1) state[current[thread]![0]! + place] = own[thread]!;
      });
    }
    if (observed) {
      let takeable = 0;
      futures.forEach((future, thread) => {
        if ((future.cells >> cell) & 1) takeable |= state[current[thread]![0]! + cell]!;
      });
      for (const sets of [observed.threads, observed.stores, observed.readers])
        for (const set of sets) state[set + cell]! &= takeable;
    }
    // No old store of the cell can be taken, so knowledge of its last store makes no difference.
    if (!isTakeable) for (let i = knows; i < readersKnow + cells; i++) state[i]! |= 1 << cell;
  }
}

/**
 * Brings the part of a state that records the knowledge of threads into normal form: states with
 * equal behaviour become equal. Old stores, and cells with a known last store, are added to every
 * set if the addition makes no difference. Larger sets allow more, so the normal form allows every
 * step of the state.
 */
export function normalise(
  state: MonitorWords,
  layout: MonitorLayout,
  futureOf: readonly (readonly Future[])[],
  form: NormalForm,
): void {
  const { cells, storeKnows, readersKnow, views, message, behindStores, behindReads } = layout;
  const futures = layout.location.map((offset, thread) => {
    const location = state[offset]!;
    return location < 0 ? noFuture : futureOf[thread]![location]!;
  });
  const accessed = futures.reduce((set, future) => set | future.cells, 0);
  if (form.forgets) forgetOfThreads(state, layout, futures, accessed);
  if (form.dropsUntakeable) dropUntakeable(state, layout, futures);
  if (!form.forgets) return;
  for (let cell = 0; cell < cells; cell++) {
    const isAccessed = ((accessed >> cell) & 1) !== 0;
    for (const known of [storeKnows, readersKnow])
      state[known + cell]! |= isAccessed ? everyCell(cells) & ~accessed : everyCell(cells);
    if (isAccessed) continue;
    forgetViews(state, layout, message[cell]!);
    if (behindStores.length > 0)
      forgetViews(state, layout, [behindStores[cell]!, behindReads[cell]!]);
    for (const view of views) {
      state[view + cell] = -1;
      state[view + cells + cell] = -1;
    }
  }
}
