import type { ThreadId } from '../../program/ids.js';
import { partsOf, type Repair } from '../../program/repair.js';
import type { Action, Computation } from '../../trace/computation.js';

/** Something that a thread does while a store of its own waits in its buffer. */
export interface Delay {
  /** The oldest store in the buffer. */
  readonly store: Extract<Action, { kind: 'issue' }>;
  /** What overtakes it. */
  readonly overtaker: Action;
}

/**
 * The last load from memory that the thread does while stores of its own are in its buffer, with
 * the oldest of these; where there is no such load, the last instruction; `undefined` if the thread
 * delays nothing.
 */
export function lastDelay(computation: Computation, thread: ThreadId): Delay | undefined {
  const buffer: Delay['store'][] = [];
  let lastLoad: Delay | undefined;
  let last: Delay | undefined;
  for (const action of computation) {
    if (action.thread !== thread) continue;
    if (action.kind === 'store') {
      buffer.shift();
      continue;
    }
    const [store] = buffer;
    if (store) {
      last = { store, overtaker: action };
      if (action.kind === 'load' && !action.early) lastLoad = last;
    }
    if (action.kind === 'issue') buffer.push(action);
  }
  return lastLoad ?? last;
}

/** The delay of a thread that has a part of the repair. */
export function delayAt(computation: Computation, repair: Repair): Delay | undefined {
  for (const { thread } of partsOf(repair)) {
    const found = lastDelay(computation, thread);
    if (found) return found;
  }
  return undefined;
}
