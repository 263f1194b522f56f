import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { partsOf, type Repair } from '@fencewright/model/program/repair.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { RepairReason } from '@fencewright/model/verdict/fence-result.js';

/** An action of a thread executed while one of its stores waits in the buffer. */
export interface Delay {
  /** The oldest store in the buffer. */
  readonly store: Extract<Action, { kind: 'issue' }>;
  /** What overtakes it. */
  readonly overtaker: Action;
}

/**
 * The last load from memory during which the thread has buffered stores, with the oldest buffered
 * store. Without such a load, the last instruction; `undefined` if the thread delays nothing.
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

/** The threads of an instance with the text of the given program thread. */
function copiesIn(instance: Program, program: Program, thread: ThreadId): readonly ThreadId[] {
  const { name, copy } = at(program.threads, thread);
  return instance.threads.flatMap((own, t) =>
    (own.copy?.template ?? own.name) === (copy?.template ?? name) ? [t] : [],
  );
}

/**
 * The delay of a thread that has a part of the repair, in the computation of a reason. The delay's
 * thread is a thread of the program, also if the computation runs an instance.
 */
export function delayAt(
  program: Program,
  { computation, program: instance }: RepairReason,
  repair: Repair,
): Delay | undefined {
  for (const { thread } of partsOf(repair))
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
