import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { machineStateKey } from '@fencewright/model/semantics/explore-machine.js';
import type { Program } from '@fencewright/model/program/program.js';
import { successors } from '@fencewright/model/semantics/machine.js';
import { compileProgram, leavingTransitions } from '@fencewright/model/semantics/thread-code.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { ProgressGoal } from '@fencewright/model/program/property.js';

/** The maximum number of states that the confirmation of a hang visits. */
const mostStates = 10_000;

function isLuck({ threads }: Program, { thread, transition }: Action): boolean {
  const luck = threads[thread]?.transitions[transition]?.luck;
  return luck === 'chance' || luck === 'choice';
}

/**
 * Confirms a hang by an exploration of the machine without store buffers, which begins with the
 * state of the hang. Throws `InternalError` if a goal in `lost` is reached after all: the end of a
 * thread, or a label of a thread.
 */
export function confirmHang(
  program: Program,
  start: MachineState,
  lost: readonly ProgressGoal[],
): void {
  const code = compileProgram(program);
  const isEnd = (thread: number, { locations }: MachineState): boolean =>
    leavingTransitions(code, thread, locations[thread] ?? 0).length === 0;
  if (start.buffers.some((buffer) => buffer.length > 0))
    throw new InternalError('threads are said to wait for ever while stores wait');
  const seen = new Map([[machineStateKey(start), start]]);
  for (const state of seen.values()) {
    for (const { thread } of lost)
      if (isEnd(thread, state))
        throw new InternalError('a thread is said to wait for ever, and ends');
    if (seen.size > mostStates) return;
    for (const { actions, state: next } of successors('SC', code, state).steps) {
      if (actions.some((action) => isLuck(program, action))) continue;
      // Inside a lock block, the thread may be unable to complete the block.
      const isBetween = next.lockHolder === undefined;
      for (const { thread, locations = [] } of isBetween ? lost : [])
        if (
          locations.includes(next.locations[thread] ?? -1) &&
          actions.some((one) => one.thread === thread)
        )
          throw new InternalError('a thread is said never to come to a label, and does');
      const key = machineStateKey(next);
      if (!seen.has(key)) seen.set(key, next);
    }
  }
}
