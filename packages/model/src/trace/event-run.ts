import type { BodyId } from '../program/event-program.js';
import type { TransitionId } from '../program/ids.js';

/** Index into `EventRun.tasks`: tasks are numbered in order of creation. */
export type TaskId = number;

/** An invocation of a handler or of a posted procedure ([BEMR18] Sect. 3). */
export interface Task {
  readonly body: BodyId;
  readonly arguments: readonly number[];
  /** The number of the event: started instances are numbered from 0 in order of their start. */
  readonly event: number;
  /** The instance declaration of the event: an index into `EventProgram.instances`. */
  readonly instances: number;
  /** The posting task; absent for a handler. */
  readonly parent?: TaskId;
  /** 0 is the main thread; every background task has its own thread, numbered from 1. */
  readonly thread: number;
}

/** The place of an action in the text of an event program: an instruction of a body. */
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
       * A step without access. `choice` is the value chosen by a `havoc`; the return from a call
       * has the site of the call.
       */
      | { readonly kind: 'silent'; readonly choice?: number }
      | { readonly kind: 'post'; readonly posted: TaskId }
    ));

/** A run of an event program on several threads, from its start; complete or not. */
export interface EventRun {
  readonly tasks: readonly Task[];
  readonly actions: readonly EventAction[];
}
