import type { BodyId, EventProgram } from '../program/event-program.js';
import type { LocationId } from '../program/ids.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { EventCheckResult, EventWitness, WhyEventsUnknown } from './event-check-result.js';

/**
 * A place for a fence in the text of an event or a procedure: before every instruction that leaves
 * the location, or before an invocation ends there. It is one fence, wherever the body runs.
 */
export interface FencePlace {
  readonly body: BodyId;
  readonly location: LocationId;
}

/** With what a fence there costs; positive. */
export interface PricedPlace extends FencePlace {
  readonly cost: number;
}

/** Places one of which every repair has, with a run of the program as it is that shows it. */
export interface EventFenceReason {
  /** In the order in which the run comes to them. */
  readonly places: readonly PricedPlace[];
  readonly witness: EventWitness;
}

/** The answer to "which fences does a program of events need?". */
export type EventFenceVerdict =
  | {
      readonly kind: 'found';
      readonly fences: readonly PricedPlace[];
      readonly cost: number;
      readonly reasons: readonly EventFenceReason[];
      readonly repaired: EventProgram;
    }
  /**
   * No fences help: this run needs no store buffer (`concurrency`), or fences may not or cannot
   * stand (`no-place`) where it passes stores that wait, at `passed`.
   */
  | {
      readonly kind: 'impossible';
      readonly why: 'concurrency' | 'no-place';
      readonly witness: EventWitness;
      readonly passed: readonly FencePlace[];
    }
  | {
      readonly kind: 'unknown';
      readonly why: WhyEventsUnknown;
      /** Whatever is sufficient costs at least this. */
      readonly bound: number;
      readonly reasons: readonly EventFenceReason[];
    }
  /** Executions end in faults: see the diagnostics. */
  | { readonly kind: 'error' };

export interface EventFenceResult {
  /** Of the program as it is. */
  readonly asIs: EventCheckResult;
  readonly verdict: EventFenceVerdict;
  readonly statistics: {
    /** Programs that were checked. */
    readonly rounds: number;
    readonly clauses: number;
    /** Stored states of all searches together. */
    readonly states: number;
    readonly milliseconds: number;
  };
  readonly diagnostics: readonly Diagnostic[];
}
