import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import type { FaultySite } from '@fencewright/model/events/look-for-faults.js';

/** The reason why a sequential search has no answer. */
export type SerialUnknown =
  | { readonly kind: 'budget'; readonly exhausted: Exhaustion }
  /** Tasks were left out: at this depth, more tasks would have waited or called each other. */
  | { readonly kind: 'depth'; readonly depth: number }
  /** There may be a violation or a fault, but no run could be made. */
  | { readonly kind: 'candidate' }
  /** A task goes on through ever new states. */
  | { readonly kind: 'unbounded-data' }
  | { readonly kind: 'faults'; readonly faults: readonly FaultySite[] };

interface SerialFigures {
  /** The number of configurations. */
  readonly states: number;
  /** The number of violations without a run. */
  readonly unconfirmed: number;
}

/** The answer of a sequential search. */
export type SerialVerdict = { readonly figures: SerialFigures } & (
  | { readonly verdict: 'robust' }
  /** The witness can be replayed, and violates the definition. */
  | { readonly verdict: 'not-robust'; readonly witness: EventRun }
  | { readonly verdict: 'unknown'; readonly reason: SerialUnknown }
);
