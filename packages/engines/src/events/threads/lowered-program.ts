import { at } from '@fencewright/ground/base/at.js';
import type { BodyId } from '@fencewright/model/program/event-program.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Site } from '@fencewright/model/trace/event-run.js';
import type { BoundHit } from './bounds.js';

/** A node of a call tree, as an index into `LoweredProgram.tasks`. */
export type TaskNode = number;

/** A possible task: a node of a call tree. */
export interface LoweredTask {
  readonly body: BodyId;
  /** The index, in `EventProgram.instances`, of the entry to which the task's event belongs. */
  readonly instances: number;
  /** The thread that executes the task; 0 is the main thread. */
  readonly thread: ThreadId;
  /**
   * The arguments of the task: numbers equal for all postings of the task, and `handed` for
   * arguments from mailboxes.
   */
  readonly arguments: readonly (number | 'handed')[];
}

/**
 * The role of a thread's transition in the event program. `inside`: no separate step, but possibly
 * a part of a step. `argument`: part of the posting or, on the `begin` side, of the begin of the
 * task.
 */
export type TransitionMeaning =
  | { readonly kind: 'inside'; readonly site?: Site }
  | { readonly kind: 'start' | 'begin' | 'return'; readonly task: TaskNode }
  | { readonly kind: 'step'; readonly task: TaskNode; readonly site: Site }
  | {
      readonly kind: 'post';
      readonly task: TaskNode;
      readonly site: Site;
      readonly posted: TaskNode;
    }
  | {
      readonly kind: 'argument';
      readonly task: TaskNode;
      readonly index: number;
      readonly side: 'post';
      readonly site: Site;
    }
  | {
      readonly kind: 'argument';
      readonly task: TaskNode;
      readonly index: number;
      readonly side: 'begin';
    };

/** A transition after which a bound leaves out behaviour of the program. */
export interface Cut {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  readonly bound: BoundHit;
}

/**
 * An event program with finitely many tasks as a program of threads: the main thread, which
 * executes handlers and posted tasks in any order, and for each background task a thread that waits
 * until the task is posted. Postings go through mailboxes (`HandOver`).
 */
export interface LoweredProgram {
  readonly program: Program;
  readonly tasks: readonly LoweredTask[];
  /** The role of each transition in the event program, indexed by thread, then by transition. */
  readonly meanings: readonly (readonly TransitionMeaning[])[];
  readonly cuts: readonly Cut[];
  /**
   * The bounds that leave out behaviour already at the start of the program, for example instances
   * of events.
   */
  readonly leftOut: readonly BoundHit[];
}

/**
 * Returns the body's instruction that contains a transition; `undefined` if the transition belongs
 * to no instruction.
 */
export function siteOf(
  { meanings }: LoweredProgram,
  thread: ThreadId,
  transition: TransitionId,
): Site | undefined {
  const meaning = at(at(meanings, thread), transition);
  return 'site' in meaning ? meaning.site : undefined;
}
