import type { LocationId, ThreadId } from '../program/ids.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Computation } from '../trace/computation.js';
import type { UnknownReason } from './verdict.js';

/**
 * A triangular race at the end of an SC computation; `earlierStore`, `load` and `other` are indices
 * into the computation.
 */
export interface TriangularRace {
  readonly computation: Computation;
  /**
   * The index of the issue of the earlier store: a store by the loading thread to a different
   * address. Between the store and the load, the thread executes no instruction that waits for the
   * buffer.
   */
  readonly earlierStore: number;
  readonly load: number;
  /**
   * The index of the racing access of another thread, the last action: a write to the loaded
   * address, or a lock block's read from the address of the earlier store.
   */
  readonly other: number;
}

/** Whether a program is free of triangular races. */
export type TrfVerdict =
  | { readonly kind: 'free' }
  | { readonly kind: 'race'; readonly race: TriangularRace }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason }
  /** Some execution of the program faults: see the diagnostics. */
  | { readonly kind: 'error' };

/**
 * A cheapest set of fences that excludes all triangular races; each fence is before every outgoing
 * instruction of its location.
 */
export interface TrfRepair {
  readonly fences: readonly { readonly thread: ThreadId; readonly location: LocationId }[];
  readonly cost: number;
}

export interface TrfResult {
  readonly verdict: TrfVerdict;
  /**
   * The cheapest set of fences, if requested and found. Also absent if no fences can help, because
   * a `@nofence` forbids them.
   */
  readonly repair?: TrfRepair;
  /** Why it is unknown whether fences can help, although fences were requested. */
  readonly repairUnknown?: UnknownReason;
  /** The number of states stored by all searches together. */
  readonly states: number;
  readonly milliseconds: number;
  readonly diagnostics: readonly Diagnostic[];
}
