import type { Program } from '../program/program.js';
import type { Action, Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import { initialState, successorsOf, type Successor } from './machine.js';
import type { RelaxedModel } from '../trace/memory-model.js';
import { compileProgram } from './thread-code.js';

/** Whether two actions are equal: kind, thread, instruction, address and values. */
export function isSameAction(a: Action, b: Action | undefined): boolean {
  if (!b) return false;
  const fields = Object.keys({ ...a, ...b }) as (keyof Action)[];
  return fields.every((field) => a[field] === b[field]);
}

/**
 * Replays a computation on the machine of a memory model and returns the states along it, one more
 * than its actions; `undefined` if the program has no such computation: some action is impossible
 * with exactly its address and value.
 */
export function replayStates(
  program: Program,
  computation: Computation,
  model: RelaxedModel = 'TSO',
): readonly MachineState[] | undefined {
  const code = compileProgram(program);
  const states = [initialState(program)];
  for (const action of computation) {
    const state = states.at(-1);
    const step: Successor | undefined =
      state &&
      successorsOf(model, code, state, action.thread).steps.find(({ actions }) =>
        isSameAction(action, actions[0]),
      );
    if (!step) return undefined;
    states.push(step.state);
  }
  return states;
}
