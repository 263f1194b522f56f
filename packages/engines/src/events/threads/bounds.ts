import type { BodyId } from '@fencewright/model/program/event-program.js';

/** Bounds that make the call trees of an event program finite. */
export interface CallTreeBounds {
  /** The number of instances that are started of an event with any number of instances. */
  readonly instances: number;
  /**
   * The maximum number of times that a body occurs on one path through a call tree, from the
   * handler on.
   */
  readonly depth: number;
  /** The maximum number of postings by one instruction of a task in a loop. */
  readonly postings: number;
  /** The maximum number of tasks of all events taken together. */
  readonly tasks: number;
}

export const defaultBounds: CallTreeBounds = { instances: 2, depth: 8, postings: 3, tasks: 100 };

/** A bound that has cut off behaviour of the program. */
export type BoundHit =
  | { readonly kind: 'instances'; readonly body: BodyId; readonly most: number }
  | { readonly kind: 'depth'; readonly body: BodyId; readonly most: number }
  | { readonly kind: 'postings'; readonly body: BodyId; readonly most: number }
  | { readonly kind: 'tasks'; readonly body: BodyId; readonly most: number };
