import type { Assumption } from '../program/assumption.js';
import type { ThreadId, TransitionId } from '../program/ids.js';
import type { C11Model, ExecutionGraph } from '../c11/execution-graph.js';
import type { RaisedOrder } from '../c11/preventing-orders.js';
import type { FreedUse } from './data-race.js';
import type { SeenOn } from '../c11/seen-on.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { UnknownReason } from './unknown-reason.js';

/**
 * A feature of a program that the check against C11 does not support, or a limit that the program
 * exceeds.
 */
export type C11Limit =
  | 'lock-blocks'
  | 'heavy-fences'
  | 'weak-rmws'
  | 'excluded-executions'
  | 'volatile'
  | 'assembly'
  | 'wide-values'
  | 'rmws-on-plain'
  | 'rmws-behind-loads'
  | 'forwarded-to-seq-cst'
  | 'cells'
  | 'values'
  | 'threads'
  | 'addresses'
  | 'faults';

/**
 * An execution that C11 allows and SC does not, checked by the definitions of C11. `old-store`: the
 * event reads an overwritten store, or is a store before a newer one in modification order.
 * `load-buffering`: the load takes the value of a store that follows a later store of its own
 * thread; RC20 excludes that, and hardware does not.
 */
export interface C11Violation {
  readonly kind: 'old-store' | 'load-buffering';
  readonly graph: ExecutionGraph;
  /** The index in the graph of the event that the violation is about. */
  readonly event: number;
  /** One or two stronger orders sufficient to exclude this execution; absent if more are needed. */
  readonly preventedBy?: readonly RaisedOrder[];
  /** The processors that show the execution, of an `old-store`. */
  readonly seenOn?: readonly SeenOn[];
}

/** A data race: an execution with two conflicting accesses that no happens-before orders. */
export interface C11Race {
  readonly graph: ExecutionGraph;
  readonly first: number;
  readonly second: number;
  /**
   * The index of a load overtaken in the execution by a later store of the same thread; absent if
   * there is none.
   */
  readonly late?: number;
}

/** An assertion that fails in an execution of C11, and in none of SC. */
export interface FailingAssertion {
  readonly kind: 'assertion-fails';
  readonly thread: ThreadId;
  readonly assertion: TransitionId;
  /**
   * The execution in which the assertion fails, as far as the asserting thread depends on it, with
   * the last read of an overwritten store.
   */
  readonly execution: C11Violation;
  /** The indices in the execution graph of all events that read an overwritten store. */
  readonly oldReads: readonly number[];
}

/** A thread that waits for ever in an execution of C11, and at that place in none of SC. */
export interface EndlessWait {
  readonly kind: 'waits';
  readonly thread: ThreadId;
  /** The access that the waiting thread repeats for ever. */
  readonly transition: TransitionId;
  /** The execution at whose end the thread waits for ever. */
  readonly execution: C11Violation;
  /** The indices in the execution graph of all events that read an overwritten store. */
  readonly oldReads: readonly number[];
}

/**
 * The answer about a property `exists` or `finally`; such properties are about the states in which
 * all threads have ended.
 */
export interface C11Claim {
  /** The index of the property in `Program.properties`. */
  readonly property: number;
  /** Whether the property holds in all executions of C11. */
  readonly answer: 'holds' | 'fails' | 'unknown';
  /** Whether the property holds in all executions of SC; absent if not known. */
  readonly underSC?: boolean;
  /**
   * An execution that decides the answer: the condition of an `exists` holds, or the condition of a
   * `finally` fails, at the end of the execution. Absent without such an execution, or if the
   * interleavings alone decide the answer.
   */
  readonly graph?: ExecutionGraph;
}

/**
 * The effect of the violations on states and assertions. `none`: the lasting states and the failing
 * assertions are those of SC; in a lasting state each thread has ended, waits for ever, or loops
 * for ever. States have the memory, the places of the threads, and the registers that `reach` shows
 * of threads that have ended. `no-assertion`: the failing assertions are those of SC.
 * `states-differ`: likewise, and some state that lasts is not one of SC.
 * `assertion-fails`: an assertion fails in an execution of C11, and in none of SC. `waits`: a
 * thread waits for ever in an execution of C11, and there in none of SC. The definitions of C11
 * judged the executions. `unknown`: not decided.
 */
export type C11Effect =
  | { readonly kind: 'none' | 'no-assertion' | 'states-differ' | 'unknown' }
  | FailingAssertion
  | EndlessWait;

/**
 * The unsupported feature, or the exceeded limit, because of which a check has no answer. Empty if
 * the reason is another.
 */
export interface C11Refusal {
  readonly limit?: C11Limit;
  /** The place in the text. */
  readonly at?: Span;
  /** The address of the cell that the limit is about. */
  readonly address?: number;
}

/** Whether a program is robust against C11. */
export type C11Verdict =
  | { readonly kind: 'robust' }
  | { readonly kind: 'not-robust'; readonly violation: C11Violation }
  | ({ readonly kind: 'unknown'; readonly reason: UnknownReason } & C11Refusal);

/** The answer of `check` against C11. Plain data. */
export interface C11Result {
  readonly model: C11Model;
  readonly verdict: C11Verdict;
  /**
   * A data race, or whether there is none; `not-looked-for` if not all executions were searched. A
   * program is free of races in C11 only if it is robust and has no race here.
   */
  readonly race: C11Race | 'none' | 'not-looked-for';
  /**
   * The effect of the violations on states and assertions; absent for robust programs, and if not
   * requested.
   */
  readonly effect?: C11Effect;
  /**
   * Whether the program's assertions hold in all executions of C11. `none`: the program has no
   * assertions.
   */
  readonly assertions: 'hold' | 'fail' | 'unknown' | 'none';
  /**
   * The properties `exists` and `finally` of the program; absent if it has none, or they were not
   * looked at.
   */
  readonly claims?: readonly C11Claim[];
  /**
   * A use of freed memory under SC, which is one in C11, too, whatever the memory orders. Absent if
   * none was found or looked for.
   */
  readonly freedUse?: FreedUse;
  /** The assumptions of the answer, in addition to those of the program. */
  readonly assumptions?: readonly Assumption[];
  readonly states: number;
  readonly milliseconds: number;
  readonly diagnostics: readonly Diagnostic[];
}
