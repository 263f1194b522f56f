import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import type { FaultySite } from '@fencewright/model/events/look-for-faults.js';

/** The reason why a sequential search has no definite answer. */
export type SerialUnknown =
  | { readonly kind: 'budget'; readonly exhausted: Exhaustion }
  /**
   * The search left out tasks: more than `depth` tasks would have waited, or more than `depth`
   * invocations would have been active in a task.
   */
  | { readonly kind: 'depth'; readonly depth: number }
  /**
   * The search found a possible violation or fault, but could not construct a run that shows it.
   */
  | { readonly kind: 'candidate' }
  /** A task reaches more states between two accesses than the limit allows. */
  | { readonly kind: 'unbounded-data' }
  | { readonly kind: 'faults'; readonly faults: readonly FaultySite[] };

interface SerialFigures {
  /** The number of configurations that the search has stored. */
  readonly states: number;
  /** The number of violations for which no run could be made. */
  readonly unconfirmed: number;
}

/** The answer of a sequential search. */
export type SerialVerdict = { readonly figures: SerialFigures } & (
  | { readonly verdict: 'robust' }
  /** A run that violates the definition of robustness; the machine can replay the run. */
  | { readonly verdict: 'not-robust'; readonly witness: EventRun }
  | { readonly verdict: 'unknown'; readonly reason: SerialUnknown }
);
