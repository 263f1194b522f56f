import { at } from '@fencewright/ground/base/at.js';
import type { BodyId } from '@fencewright/model/program/event-program.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Site } from '@fencewright/model/trace/event-run.js';
import type { BoundHit } from './bounds.js';

/** Index into `LoweredProgram.tasks`. */
export type TaskNode = number;

/** A task that there may be: a node of a call tree. */
export interface LoweredTask {
  readonly body: BodyId;
  /** Index into `EventProgram.instances`. */
  readonly instances: number;
  /** The task that posts it; absent for a handler. */
  readonly parent?: TaskNode;
  /** Where it runs: 0 is the main thread. */
  readonly thread: ThreadId;
  /** Those that are the same whenever it is posted; the others come in mailboxes. */
  readonly arguments: readonly (number | 'handed')[];
}

/**
 * What a transition of a thread is in the event program; `inside` is no step of its own there, but
 * may be a part of one. Of an `argument`: it goes with the posting or, on the other side, with the
 * begin of its task.
 */
export type Meaning =
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

/** A transition behind which something is left out. */
export interface Cut {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  readonly bound: BoundHit;
}

/**
 * An event program with finitely many tasks as a program of threads: the main thread, which takes
 * handlers and posted tasks in any order, and one for each task that has a thread of its own,
 * asleep until it is posted. Postings go through mailboxes (`HandOver`).
 */
export interface LoweredProgram {
  readonly program: Program;
  readonly tasks: readonly LoweredTask[];
  /** Indexed by thread, then by transition. */
  readonly meanings: readonly (readonly Meaning[])[];
  readonly cuts: readonly Cut[];
  /** What was left out at the start. */
  readonly leftOut: readonly BoundHit[];
}

/** The instruction of a body that a transition is, or is a part of; absent for what is neither. */
export function siteOf(
  { meanings }: LoweredProgram,
  thread: ThreadId,
  transition: TransitionId,
): Site | undefined {
  const meaning = at(at(meanings, thread), transition);
  return 'site' in meaning ? meaning.site : undefined;
}
