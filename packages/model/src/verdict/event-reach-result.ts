import type { FaultKind } from '../program/evaluate.js';
import type { EventRun, Site } from '../trace/event-run.js';
import type { UnknownReason } from './verdict.js';

/**
 * What an exploration of an event program was kept from: more instances of what stands for any
 * number, deeper calls or more posted tasks at a time, more stores in a buffer.
 */
type EventBound = 'instances' | 'depth' | 'buffer';

/** What one semantics says of a named property. */
export interface EventPropertyVerdict {
  readonly property: string;
  readonly verdict: 'holds' | 'violated' | 'unknown';
  /** A `finally` that holds because no execution ends. */
  readonly isVacuous?: true;
  /** To the state that decides it: of a violated `never`, a `finally`, an `exists` that holds. */
  readonly run?: EventRun;
}

/** Memory when no task runs or waits, buffers are empty and every numbered instance is done. */
export interface EventFinalState {
  /** Address to value; an address that is absent holds 0. */
  readonly memory: ReadonlyMap<number, number>;
  /** How it comes about, for one that was not seen on the single thread. */
  readonly run?: EventRun;
}

/** The reachable states of an event program under one semantics. */
export interface EventSemanticsReach {
  /** How many were stored; states in between that only their own task can notice are not. */
  readonly states: number;
  /**
   * Why the exploration is not complete; `unsupported`: executions end in faults; `not-asked`: it
   * was not begun.
   */
  readonly incomplete?: UnknownReason | 'not-asked';
  /** The bounds that kept something from happening; without any the answers are for all runs. */
  readonly bounds: readonly EventBound[];
  /** In a fixed order, distinct. */
  readonly finalStates: readonly EventFinalState[];
  /** In the order of `EventProgram.properties`. */
  readonly properties: readonly EventPropertyVerdict[];
  readonly failedAssertions: readonly { readonly site: Site; readonly run: EventRun }[];
  /** Steps that cannot be completed, with a run that is before them. */
  readonly faults: readonly {
    readonly site: Site;
    readonly fault: FaultKind;
    readonly run: EventRun;
  }[];
  /** States in which nothing can happen any more although something is not done. */
  readonly blocked: { readonly states: number; readonly run?: EventRun };
}

/** The three semantics side by side ([BEMR18] Sect. 3). */
export interface EventReachResult {
  readonly single: EventSemanticsReach;
  readonly sc: EventSemanticsReach;
  readonly tso: EventSemanticsReach;
  /** Whether every final state under SC, or TSO, is one of the single thread. */
  readonly isWithinSingle: Readonly<Record<'sc' | 'tso', 'yes' | 'no' | 'unknown'>>;
  /** What was allowed at most; it mattered only where `bounds` say so. */
  readonly allowed: {
    readonly instances: number;
    readonly depth: number;
    readonly buffer?: number;
  };
  readonly milliseconds: number;
}
