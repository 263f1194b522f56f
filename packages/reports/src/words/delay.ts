import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { singleRepairs, type Repair } from '@fencewright/model/program/repair.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { RepairReason } from '@fencewright/model/verdict/fence-result.js';

/** An action of a thread that is executed while a store of the thread is buffered. */
export interface Delay {
  /** The oldest store in the thread's buffer at the moment of the action. */
  readonly store: Extract<Action, { kind: 'issue' }>;
  /** The action of the thread that is executed while the store is buffered. */
  readonly overtaker: Action;
}

/**
 * Returns the last load from memory executed by the thread while the thread's buffer has stores,
 * with the oldest buffered store. Without such a load, returns the last action executed by the
 * thread while the buffer has stores; `undefined` if the thread delays nothing.
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

/** Returns the threads of an instance that are copies of the given thread of the program. */
function copiesIn(instance: Program, program: Program, thread: ThreadId): readonly ThreadId[] {
  const { name, copy } = at(program.threads, thread);
  return instance.threads.flatMap((own, t) =>
    (own.copy?.template ?? own.name) === (copy?.template ?? name) ? [t] : [],
  );
}

/**
 * Returns the delay that a repair prevents, in the execution because of which the repair is needed;
 * `undefined` if no thread whose text has the repair delays a store there. The thread of the result
 * is a thread of the program, even if the execution is that of an instance.
 */
export function delayAt(
  program: Program,
  { computation, program: instance }: RepairReason,
  repair: Repair,
): Delay | undefined {
  for (const { thread } of singleRepairs(repair))
    for (const own of instance ? copiesIn(instance, program, thread) : [thread]) {
      const found = lastDelay(computation, own);
      if (found)
        return {
          store: { ...found.store, thread },
          overtaker: { ...found.overtaker, thread },
        };
    }
  return undefined;
}
