import type { BodyId } from '../program/event-program.js';
import type { TransitionId } from '../program/ids.js';

/** Index into `EventRun.tasks`: tasks are numbered in the order in which they are made. */
export type TaskId = number;

/** An invocation of a handler or of a posted procedure ([BEMR18] Sect. 3). */
export interface Task {
  readonly body: BodyId;
  readonly arguments: readonly number[];
  /** Which event: instances that have started are numbered from 0 in the order of their start. */
  readonly event: number;
  /** What the event is an instance of: an index into `EventProgram.instances`. */
  readonly instances: number;
  /** The task that posted it; absent for a handler. */
  readonly parent?: TaskId;
  /** 0 is the main thread; every other task has a thread of its own, numbered from 1. */
  readonly thread: number;
}

/** Where an action stands in the text. */
export interface Site {
  readonly body: BodyId;
  readonly transition: TransitionId;
}

/**
 * A step of the multi-thread machine, by a task. `issue` puts a store into the thread's buffer,
 * `store` is the moment when it reaches memory: at once under SC, as a commit under TSO, then maybe
 * after its task has returned. An rmw that writes nothing has no `written`. Between a `lock` and
 * its `unlock` no other task acts. Arithmetic, conditions, calls and returns from calls are
 * `silent`.
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
      /** `choice` is what a `havoc` chose. The return from a call has the site of the call. */
      | { readonly kind: 'silent'; readonly choice?: number }
      | { readonly kind: 'post'; readonly posted: TaskId }
    ));

/** A run of an event program on several threads, from its start; it may stop anywhere. */
export interface EventRun {
  readonly tasks: readonly Task[];
  readonly actions: readonly EventAction[];
}
