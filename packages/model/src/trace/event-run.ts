import type { BodyId } from '../program/event-program.js';
import type { TransitionId } from '../program/ids.js';

/**
 * The number of a task: an index into `EventRun.tasks`. Tasks are numbered in order of creation.
 */
export type TaskId = number;

/**
 * A task of a run of an event program: an execution of an event or of a posted procedure ([BEMR18]
 * Sect. 3).
 */
export interface Task {
  readonly body: BodyId;
  readonly arguments: readonly number[];
  /**
   * The number of the event to which the task belongs: started instances are numbered from 0 in
   * order of their start.
   */
  readonly event: number;
  /** The entry of `EventProgram.instances` that declares the task's event, as an index. */
  readonly instances: number;
  /** The number of the task that posted this task; absent for the task of an event itself. */
  readonly parent?: TaskId;
  /**
   * The number of the thread that runs the task: 0 is the main thread; every task that does not run
   * on main has its own thread, numbered from 1.
   */
  readonly thread: number;
}

/**
 * An instruction in the text of an event program: an event or procedure, and a transition in it.
 */
export interface Site {
  readonly body: BodyId;
  readonly transition: TransitionId;
}

/**
 * A step of a task on the multi-thread machine. `issue` puts a store into the thread's buffer;
 * `store` is the store's arrival in memory: at once under SC, as a commit under TSO, possibly after
 * the task has returned. An rmw that writes nothing has no `written`. Between a `lock` and its
 * `unlock` no other task acts. Arithmetic, conditions, calls and returns from calls are `silent`.
 */
export type EventAction =
  | { readonly kind: 'start'; readonly task: TaskId }
  | { readonly kind: 'begin'; readonly task: TaskId }
  | { readonly kind: 'return'; readonly task: TaskId }
  | ({ readonly task: TaskId; readonly site: Site } & (
      | {
          readonly kind: 'load';
          readonly address: number;
          readonly value: number;
          readonly fromBuffer: boolean;
        }
      | { readonly kind: 'issue'; readonly address: number; readonly value: number }
      | { readonly kind: 'store'; readonly address: number; readonly value: number }
      | {
          readonly kind: 'rmw';
          readonly address: number;
          readonly read: number;
          readonly written?: number;
        }
      | { readonly kind: 'fence' | 'lock' | 'unlock' }
      /**
       * A step without access to memory. `choice` is the value chosen by a `havoc`; the return from
       * a call has the site of the call.
       */
      | { readonly kind: 'silent'; readonly choice?: number }
      | { readonly kind: 'post'; readonly posted: TaskId }
    ));

/** A run of an event program on several threads, from its start; complete or not. */
export interface EventRun {
  readonly tasks: readonly Task[];
  readonly actions: readonly EventAction[];
}
