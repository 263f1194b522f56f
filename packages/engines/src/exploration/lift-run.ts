import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import {
  executeTransition,
  flush,
  initialState,
  type Successor,
} from '@fencewright/model/semantics/machine.js';
import { memoryModels, type MemoryModel } from '@fencewright/model/trace/memory-model.js';
import { leavingTransitions, type ProgramCode } from '@fencewright/model/semantics/thread-code.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { MachineStep } from './machine-thread.js';

/** The steps of one thread from a state of an exploration, to be executed by the machine. */
export interface ThreadRun {
  readonly thread: ThreadId;
  readonly steps: readonly MachineStep[];
}

/** A computation of the machine found by an exploration, and the state at the end. */
export interface LiftedRun {
  readonly computation: Computation;
  readonly state: MachineState;
  /** Whether the last step of the run has failed an assertion. */
  readonly failsAssertion: boolean;
}

function choiceOf({ actions: [action] }: Successor): number | undefined {
  return action?.kind === 'local' ? action.choice : undefined;
}

/**
 * Executes the steps of threads on the machine. `isOwned` answers whether only the given thread
 * accesses a cell. The exploration keeps owned cells in no buffer, so stores to owned cells reach
 * memory as soon as possible. Throws `InternalError` if the machine cannot execute a step.
 */
export function liftExploredRun(
  model: MemoryModel,
  code: ProgramCode,
  run: readonly ThreadRun[],
  isOwned: (thread: ThreadId, address: number) => boolean,
): LiftedRun {
  const { leaving } = memoryModels[model];
  let state = initialState(code.program);
  let failsAssertion = false;
  const computation: Action[] = [];
  const perform = (taken: Successor | undefined): void => {
    if (!taken) throw new InternalError('a step of an exploration that the machine does not have');
    computation.push(...taken.actions);
    failsAssertion = taken.assertionFailed === true;
    ({ state } = taken);
  };
  const execute = (
    thread: ThreadId,
    step: Exclude<MachineStep, { flushed: number }>,
  ): Successor | undefined => {
    const leaving = leavingTransitions(code, thread, at(state.locations, thread));
    const transition = leaving.find(({ id }) => id === step.transition);
    if (!transition) return undefined;
    const results = executeTransition(model, code, state, thread, transition);
    return results.find((result) => choiceOf(result) === step.choice);
  };
  const flushOwned = (thread: ThreadId): void => {
    const next = (): number | undefined => {
      const buffer = at(state.buffers, thread);
      return leaving(buffer).find((place) => isOwned(thread, at(buffer, place).address));
    };
    for (let place = next(); place !== undefined; place = next())
      perform(flush(state, thread, place));
  };
  for (const { thread, steps } of run)
    for (const step of steps) {
      perform('flushed' in step ? flush(state, thread, step.flushed) : execute(thread, step));
      if (!failsAssertion) flushOwned(thread);
    }
  return { computation, state, failsAssertion };
}
