import type { FaultKind } from '../program/evaluate.js';
import type { EventRun, Site } from '../trace/event-run.js';
import type { UnknownReason } from './verdict.js';

/**
 * A bound that cut the exploration of an event program: starts of instances of any number, depth of
 * calls or number of posted tasks at a time, stores in a buffer.
 */
type EventBound = 'instances' | 'depth' | 'buffer';

/** The verdict of one semantics on a named property. */
export interface EventPropertyVerdict {
  readonly property: string;
  readonly verdict: 'holds' | 'violated' | 'unknown';
  /** A `finally` that holds because no execution ends. */
  readonly isVacuous?: true;
  /**
   * The run to the deciding state: of a violated `never` or `finally`, or of an `exists` that
   * holds.
   */
  readonly run?: EventRun;
}

/** Memory when no task runs or waits, buffers are empty and every numbered instance is done. */
export interface EventFinalState {
  /** Address to value; absent addresses hold 0. */
  readonly memory: ReadonlyMap<number, number>;
  /** A run to the state, if the single thread was not seen to reach the state. */
  readonly run?: EventRun;
}

/** The reachable states of an event program under one semantics. */
export interface EventSemanticsReach {
  /**
   * The number of stored states, without intermediate states invisible to all but their own task.
   */
  readonly states: number;
  /**
   * Why the exploration is not complete; `unsupported`: executions end in faults; `not-asked`: not
   * requested.
   */
  readonly incomplete?: UnknownReason | 'not-asked';
  /** The bounds that prevented a step; if empty, the answers cover all runs. */
  readonly bounds: readonly EventBound[];
  /** In a fixed order, distinct. */
  readonly finalStates: readonly EventFinalState[];
  /** In the order of `EventProgram.properties`. */
  readonly properties: readonly EventPropertyVerdict[];
  readonly failedAssertions: readonly { readonly site: Site; readonly run: EventRun }[];
  /** Steps that fault, with a run up to the step. */
  readonly faults: readonly {
    readonly site: Site;
    readonly fault: FaultKind;
    readonly run: EventRun;
  }[];
  /** States without possible steps, although some work is not done. */
  readonly blocked: { readonly states: number; readonly run?: EventRun };
}

/** The three semantics side by side ([BEMR18] Sect. 3). */
export interface EventReachResult {
  readonly single: EventSemanticsReach;
  readonly sc: EventSemanticsReach;
  readonly tso: EventSemanticsReach;
  /** Whether every final state under SC, or TSO, is a final state of the single thread. */
  readonly isWithinSingle: Readonly<Record<'sc' | 'tso', 'yes' | 'no' | 'unknown'>>;
  /** The bounds in use; only the ones in `bounds` had an effect. */
  readonly allowed: {
    readonly instances: number;
    readonly depth: number;
    readonly buffer?: number;
  };
  readonly milliseconds: number;
}
