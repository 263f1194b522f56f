import type { FaultKind } from '../program/evaluate.js';
import type { EventRun, Site } from '../trace/event-run.js';
import type { UnknownReason } from './verdict.js';

/**
 * A bound that cut the exploration of an event program: on the starts of instances with `any`
 * count, on the depth of calls or the number of posted tasks at a time, or on the stores in a
 * buffer.
 */
type EventBound = 'instances' | 'depth' | 'buffer';

/** The verdict on a named property under one semantics of event programs. */
export interface EventPropertyVerdict {
  readonly property: string;
  readonly verdict: 'holds' | 'violated' | 'unknown';
  /** Present if a `finally` holds only because no execution ends. */
  readonly isVacuous?: true;
  /**
   * A run to a state that decides the property: a state that violates a `never` or `finally`, or a
   * state that an `exists` asks for.
   */
  readonly run?: EventRun;
}

/**
 * The memory of a final state: no task runs or waits, all buffers are empty, and every instance
 * with a finite count has been started.
 */
export interface EventFinalState {
  /** The content of memory, by address; absent addresses hold 0. */
  readonly memory: ReadonlyMap<number, number>;
  /** A run to the final state; absent if it is known to be a final state on a single thread. */
  readonly run?: EventRun;
}

/** The reachable states of an event program under one semantics. */
export interface EventSemanticsReach {
  /**
   * The number of stored states; intermediate states that other tasks cannot distinguish are not
   * stored.
   */
  readonly states: number;
  /**
   * Why the exploration is not complete; absent if it is. `unsupported`: executions end in faults;
   * `not-asked`: the caller did not ask for this semantics.
   */
  readonly incomplete?: UnknownReason | 'not-asked';
  /**
   * The bounds that prevented a step of the exploration; if there are none, the results cover all
   * runs.
   */
  readonly bounds: readonly EventBound[];
  /** The distinct final states, in a fixed order. */
  readonly finalStates: readonly EventFinalState[];
  /** The verdicts on the properties, in the order of `EventProgram.properties`. */
  readonly properties: readonly EventPropertyVerdict[];
  readonly failedAssertions: readonly { readonly site: Site; readonly run: EventRun }[];
  /** The steps that fault, each with a run up to the step. */
  readonly faults: readonly {
    readonly site: Site;
    readonly fault: FaultKind;
    readonly run: EventRun;
  }[];
  /**
   * The number of states without possible steps in which some task or instance is not finished, and
   * a run to such a state.
   */
  readonly blocked: { readonly states: number; readonly run?: EventRun };
}

/** The results of the three semantics of event programs, side by side ([BEMR18] Sect. 3). */
export interface EventReachResult {
  readonly single: EventSemanticsReach;
  readonly sc: EventSemanticsReach;
  readonly tso: EventSemanticsReach;
  /** Whether every final state under SC, or TSO, is a final state of the single thread. */
  readonly isWithinSingle: Readonly<Record<'sc' | 'tso', 'yes' | 'no' | 'unknown'>>;
  /** The bounds of the exploration; only those listed in `bounds` of a semantics had an effect. */
  readonly allowed: {
    readonly instances: number;
    readonly depth: number;
    readonly buffer?: number;
  };
  readonly milliseconds: number;
}
