import type { C11Code, C11Step } from './c11-steps.js';
import { addressesOf, type C11Cells } from './cells.js';
import { at } from '@fencewright/ground/base/at.js';
import type { EventOrder } from '@fencewright/model/c11/execution-graph.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';

/** Whether an access or a fence with the order acquires. */
export function isAcquiring(order: EventOrder): boolean {
  return order === 'acquire' || order === 'acq_rel' || order === 'seq_cst';
}

/** Whether an access or a fence with the order releases. */
export function isReleasing(order: EventOrder): boolean {
  return order === 'release' || order === 'acq_rel' || order === 'seq_cst';
}

/** The accesses and fences that a thread may still execute from a location on. */
export interface Future {
  /** The watched cells that the thread may still access, as a set of bits. */
  readonly cells: number;
  /**
   * Whether the thread may store, or execute a `seq_cst` fence: by either, other threads learn the
   * knowledge of this thread.
   */
  readonly handsOn: boolean;
  /** Whether the thread may execute an acquire fence. */
  readonly acquiresByFence: boolean;
  /** Whether the thread may store without release order. */
  readonly storesRelaxed: boolean;
}

/** The `Future` of a thread that has no accesses or fences left. */
export const noFuture: Future = {
  cells: 0,
  handsOn: false,
  acquiresByFence: false,
  storesRelaxed: false,
};

function join(one: Future, other: Future): Future {
  return {
    cells: one.cells | other.cells,
    handsOn: one.handsOn || other.handsOn,
    acquiresByFence: one.acquiresByFence || other.acquiresByFence,
    storesRelaxed: one.storesRelaxed || other.storesRelaxed,
  };
}

function isSame(one: Future, other: Future): boolean {
  return (
    one.cells === other.cells &&
    one.handsOn === other.handsOn &&
    one.acquiresByFence === other.acquiresByFence &&
    one.storesRelaxed === other.storesRelaxed
  );
}

function ofStep(code: C11Code, cells: C11Cells, thread: ThreadId, step: C11Step): Future {
  if (step.kind === 'fence')
    return {
      ...noFuture,
      handsOn: step.order === 'seq_cst',
      acquiresByFence: isAcquiring(step.order),
    };
  let set = 0;
  for (const address of addressesOf(code, thread, step)) {
    const cell = cells.watchedAt[cells.indexOf.get(address) ?? -1] ?? -1;
    if (cell >= 0) set |= 1 << cell;
  }
  const stores = step.kind !== 'load';
  return {
    cells: set,
    handsOn: stores,
    acquiresByFence: false,
    storesRelaxed: stores && !isReleasing(step.order),
  };
}

/** Returns the accesses and fences that may follow, by thread and location. */
export function computeFutures(code: C11Code, cells: C11Cells): readonly (readonly Future[])[] {
  return code.program.threads.map((thread, id) => {
    const futures: Future[] = thread.locations.map(() => noFuture);
    const own = new Map<LocationId, Future>(
      code.steps[id]!.map((steps, location) => [
        location,
        steps.map((step) => ofStep(code, cells, id, step)).reduce(join, noFuture),
      ]),
    );
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (const { from, to } of thread.transitions) {
        const next = join(join(at(futures, from), at(futures, to)), own.get(from) ?? noFuture);
        if (isSame(next, at(futures, from))) continue;
        futures[from] = next;
        isChanged = true;
      }
    }
    return futures;
  });
}
