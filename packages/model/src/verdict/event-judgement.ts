import type { TaskId } from '../trace/event-run.js';

/** An access of shared memory in a run of an event program. */
export interface RunAccess {
  readonly task: TaskId;
  /**
   * The kind of access: a successful rmw is an `rmw` and counts as a store too, a failing rmw is a
   * `load`.
   */
  readonly kind: 'load' | 'store' | 'rmw';
  readonly address: number;
  /**
   * The action that makes the access, as an index into `EventRun.actions`; for a buffered store,
   * the index of its issue.
   */
  readonly action: number;
  /**
   * For storing accesses: the action by which the store reaches memory; absent if the store never
   * does.
   */
  readonly storedAt?: number;
  /**
   * For reading accesses: the access read from, as an index into `accesses`; absent for the initial
   * value.
   */
  readonly source?: number;
  /**
   * For an access inside a lock block (from `lock` to `unlock`): the index of the action of the
   * `lock`.
   */
  readonly block?: number;
}

/**
 * Two accesses of one cell by different tasks, at least one a store, as indices into `accesses`.
 * `first` comes first in the order in which stores reach memory.
 */
export interface RunConflict {
  readonly first: number;
  readonly second: number;
}

/**
 * The fact that an event waited for a milestone (a label): the action that passed the milestone,
 * and the begin of the event, as indices into `EventRun.actions`.
 */
export interface RunCause {
  readonly passed: number;
  readonly begun: number;
}

/** The reason why one event comes before another in every serial order. */
export type OrderReason =
  | { readonly kind: 'conflict'; readonly conflict: RunConflict }
  | { readonly kind: 'cause'; readonly cause: RunCause };

/**
 * Whether running events one after the other, each with its tasks in DFS order, explains a run.
 *
 * - `against-dfs-order`: two tasks of one event conflict, and the first task is after the second
 * in DFS order.
 * - `cycle-of-events`: each conflict leads from the event of its first access to the event of its
 * second access, each cause from the event that passed a milestone to the event that waited for it.
 * Each conflict or cause starts at the event at which its predecessor ends, and the last one leads
 * back to the start. If several events had passed a milestone in time, all of them would have to
 * come after the waiting event; the cycle names one.
 */
export type Serialisation =
  | { readonly kind: 'serialisable' }
  | { readonly kind: 'against-dfs-order'; readonly conflict: RunConflict }
  | { readonly kind: 'cycle-of-events'; readonly orders: readonly OrderReason[] };

/**
 * An edge of happens-before between accesses, postings and begins of tasks, as indices into
 * `EventRun.actions`. `po` is the order of a thread, on main across tasks; `post` leads from a
 * posting to the begin of the task; `cause` from the passing of a milestone to the begin of an
 * event that waited for it; `lock` from an access of a lock block back to an earlier access of the
 * block.
 */
export interface EventCycleEdge {
  readonly from: number;
  readonly to: number;
  readonly relation: 'po' | 'src' | 'st' | 'cf' | 'post' | 'cause' | 'lock';
}

/** The judgement of one run by the definitions of [BEMR18]. */
export interface RunJudgement {
  /** The accesses of the run, in the order of their actions. */
  readonly accesses: readonly RunAccess[];
  /**
   * A conflict of two tasks of one event against the depth-first order of the event's posted tasks,
   * which violates (D); absent if there is none.
   */
  readonly againstDfsOrder?: RunConflict;
  /**
   * A cycle of conflicts and causes (milestones, labels, for which events waited) between events,
   * which violates (S); absent if there is none.
   */
  readonly cycleOfEvents?: readonly OrderReason[];
  readonly serialisation: Serialisation;
  /**
   * A shortest cycle of the run's happens-before relation; absent if there is none, so that SC
   * explains the run.
   */
  readonly happensBeforeCycle?: readonly EventCycleEdge[];
}
