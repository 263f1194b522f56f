import { type Future, noFuture } from './futures.js';
import type { MonitorLayout } from './monitor-layout.js';
import { forgetRacing } from './monitor-races.js';

type MonitorWords = Int32Array;

/** The parts of the normal form, which tests can switch off. */
export interface NormalForm {
  /** Old stores that no thread could take are taken out of all views. */
  readonly dropsUntakeable: boolean;
  /** Whether knowledge without any further use is forgotten. */
  readonly forgets: boolean;
}

/** The set of all watched cells. */
function everyCell(cells: number): number {
  return 2 ** cells - 1;
}

function forgetViews(state: MonitorWords, { view }: MonitorLayout, views: readonly number[]): void {
  for (const one of views) state.fill(-1, one, one + view);
}

/** Forgets knowledge that the threads cannot use any more. */
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
    // The other parts are handed on by loads.
    for (const views of [current, layout.acquired[thread]!])
      for (let cell = 0; cell < cells; cell++)
        if (((future.cells >> cell) & 1) === 0) {
          state[views[0]! + cell] = -1;
          state[views[0]! + cells + cell] = -1;
        }
  });
}

/** Takes old stores that no thread could take out of all views. */
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
    // Nothing old is left: it makes no difference who knows the last store.
    if (!isTakeable) for (let i = knows; i < readersKnow + cells; i++) state[i]! |= 1 << cell;
  }
}

/**
 * Brings the monitor's part of a state into its normal form: equal states behave alike. All that
 * does not matter is added: to the sets of old stores, and to the cells whose last store is known.
 * So the state from before allows no step that its normal form does not allow, whatever matters.
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
