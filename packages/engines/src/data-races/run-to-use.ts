import type { Program } from '@fencewright/model/program/program.js';
import {
  executeTransition,
  flush,
  initialState,
  successorsOf,
  type Successor,
} from '@fencewright/model/semantics/machine.js';
import { isSameAction } from '@fencewright/model/semantics/replay.js';
import { compileProgram, leavingTransitions } from '@fencewright/model/semantics/thread-code.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import type { RacingAccess } from '@fencewright/model/verdict/data-race.js';
import { at } from '@fencewright/ground/base/at.js';

/**
 * Returns the computation `path` of a program, continued by the instruction `use`, which the thread
 * has reached. If `use` waits for an empty store buffer, the thread's buffer is drained before
 * `use`. `undefined` if the program fails an assertion on the way, or the machine has no such
 * computation.
 */
export function runToUse(
  program: Program,
  model: MemoryModel,
  path: Computation,
  { thread, transition }: RacingAccess,
): Computation | undefined {
  const code = compileProgram(program);
  const computation: Action[] = [];
  let state: MachineState = initialState(program);
  const perform = (step: Successor | undefined): boolean => {
    if (!step || step.assertionFailed) return false;
    computation.push(...step.actions);
    ({ state } = step);
    return true;
  };
  while (computation.length < path.length) {
    const action = at(path, computation.length);
    const { steps } = successorsOf(model, code, state, action.thread);
    if (!perform(steps.find(({ actions }) => isSameAction(action, actions[0])))) return undefined;
  }
  for (;;) {
    const leaving = leavingTransitions(code, thread, at(state.locations, thread));
    const step = leaving.find(({ id }) => id === transition);
    if (!step) return undefined;
    const [used] = executeTransition(model, code, state, thread, step);
    if (used) return perform(used) ? computation : undefined;
    if (!perform(flush(state, thread))) return undefined;
  }
}
