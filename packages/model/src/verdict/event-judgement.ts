import type { TaskId } from '../trace/event-run.js';

/** An access of shared memory in a run of an event program. */
export interface RunAccess {
  readonly task: TaskId;
  /** A successful rmw is an `rmw` and a store, a failing one a `load`. */
  readonly kind: 'load' | 'store' | 'rmw';
  readonly address: number;
  /** Index into `EventRun.actions`: of a store that waits in a buffer, its issue. */
  readonly action: number;
  /** For what stores: the action by which it reaches memory; absent if it does not. */
  readonly storedAt?: number;
  /**
   * For what reads: the access that it reads from, as an index into `accesses`; absent for the
   * initial value.
   */
  readonly source?: number;
  /** For an access inside a lock block: the action that is its `lock`. */
  readonly block?: number;
}

/**
 * Two accesses of one cell by different tasks, one of them a store, as indices into `accesses`;
 * `first` comes first where the stores reach memory.
 */
export interface RunConflict {
  readonly first: number;
  readonly second: number;
}

/**
 * Whether events one after the other, with the tasks of each in DFS order, explain a run.
 *
 * - `against-dfs-order`: two tasks of one event conflict, and the first is behind the second in DFS
 *   order.
 * - `cycle-of-events`: each conflict leads from the event of its first access to that of its
 *   second, where the next one starts; the last ends where the first starts.
 */
export type Serialisation =
  | { readonly kind: 'serialisable' }
  | { readonly kind: 'against-dfs-order'; readonly conflict: RunConflict }
  | { readonly kind: 'cycle-of-events'; readonly conflicts: readonly RunConflict[] };

/**
 * An edge of happens-before between accesses, postings and begins of tasks, as indices into
 * `EventRun.actions`. `po` is the order of a thread, on main across tasks; `post` leads from a
 * posting to the begin of the task; `lock` from an access of a lock block back to an earlier one.
 */
export interface EventCycleEdge {
  readonly from: number;
  readonly to: number;
  readonly relation: 'po' | 'src' | 'st' | 'cf' | 'post' | 'lock';
}

/** What the definitions say of one run. */
export interface RunJudgement {
  /** In the order of their actions. */
  readonly accesses: readonly RunAccess[];
  readonly serialisation: Serialisation;
  /** A shortest cycle of happens-before; absent if there is none: SC explains the run. */
  readonly happensBeforeCycle?: readonly EventCycleEdge[];
}
