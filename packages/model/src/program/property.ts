import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { hasPart } from './expression.js';
import type { LocationId, ThreadId } from './ids.js';
import type { Property, StateExpression, StateLeaf } from './program.js';

/** Whether the property claims the existence of a state, rather than the absence. */
export function claimsExistence({ kind }: Pick<Property, 'kind'>): boolean {
  return kind === 'exists' || kind === 'stuck';
}

/**
 * The goal of a progress claim: a thread that can always reach one of the locations again or,
 * without locations, its end.
 */
export interface ProgressGoal {
  readonly thread: ThreadId;
  readonly locations?: readonly LocationId[];
}

/**
 * Returns the goal of a `progress` property, whose condition is the end of a thread, or that the
 * thread is at one of some locations; `undefined` for all other properties. The goal of a thread
 * without a path to an end is to change memory that other threads access.
 */
export function progressGoal({ kind, condition }: Property): ProgressGoal | undefined {
  if (kind !== 'progress') return undefined;
  if (condition.kind === 'ended') return { thread: condition.thread };
  const threads = new Set<ThreadId>();
  const locations: LocationId[] = [];
  hasPart<StateLeaf>(condition, (part) => {
    if (part.kind !== 'at') return false;
    threads.add(part.thread);
    locations.push(part.location);
    return false;
  });
  const [thread, ...others] = threads;
  if (thread === undefined || others.length > 0)
    throw new InternalError('progress is that of a thread, at locations of it');
  return { thread, locations };
}

/** The parts of a state read by a condition. */
interface Mentions {
  readonly memory: boolean;
  /** Whether the condition reads positions of threads, their ends, or registers. */
  readonly threads: boolean;
  /** Whether the condition depends on whether store buffers are empty. */
  readonly buffers: boolean;
}

/** The parts of a state read by the condition, even if its value does not depend on them. */
export function mentionsOf(condition: StateExpression): Mentions {
  const mentions = (...kinds: readonly StateExpression['kind'][]): boolean =>
    hasPart(condition, ({ kind }) => kinds.includes(kind));
  return {
    memory: mentions('memory'),
    threads: mentions('at', 'ended', 'register'),
    buffers: mentions('drained'),
  };
}
