import type { BodyId, EventProgram } from '../program/event-program.js';
import type { LocationId } from '../program/ids.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { EventCheckResult, EventWitness, WhyEventsUnknown } from './event-check-result.js';

/**
 * A place for a fence in the text of an event or a procedure: before every outgoing instruction of
 * the location, or, at an end, before the event or procedure returns. Counts as one fence,
 * whichever threads run the code.
 */
export interface FencePlace {
  readonly body: BodyId;
  readonly location: LocationId;
}

/** A place with the cost of a fence; costs are positive. */
export interface PricedPlace extends FencePlace {
  readonly cost: number;
}

/**
 * The reason why some fence is needed: a set of places of which every sufficient set of fences
 * contains at least one, with a run of the original program as evidence.
 */
export interface EventFenceReason {
  /** The places for a fence, one of which is needed, in the order of the run. */
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
   * No fences help: the violating run needs no store buffer (`concurrency`), or fences are
   * forbidden or impossible (`no-place`) at all places that the run has `passed` with buffered
   * stores.
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
      /** A lower bound on the cost of every sufficient set of fences. */
      readonly bound: number;
      readonly reasons: readonly EventFenceReason[];
    }
  /** Executions of the program end in faults: see the diagnostics. */
  | { readonly kind: 'error' };

/** The fence verdict of a search that found fences for a program of events. */
export type EventFencesFound = Extract<EventFenceVerdict, { readonly kind: 'found' }>;

export interface EventFenceResult {
  /** The result of the check of the original program, without new fences. */
  readonly asIs: EventCheckResult;
  readonly verdict: EventFenceVerdict;
  readonly statistics: {
    /** The number of programs checked: the original program, and programs with fences. */
    readonly rounds: number;
    readonly clauses: number;
    /** The number of states stored by all searches together. */
    readonly states: number;
    readonly milliseconds: number;
  };
  readonly diagnostics: readonly Diagnostic[];
}
