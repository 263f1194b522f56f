import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import { isBuffered } from '@fencewright/model/program/instruction.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { TransitionOfRun } from '@fencewright/model/reach/engine.js';
import { admittedBy } from '@fencewright/model/semantics/admitted.js';
import {
  executeTransition,
  flush,
  initialState,
  type Successor,
} from '@fencewright/model/semantics/machine.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import {
  compileProgram,
  leavingTransitions,
  type ProgramCode,
} from '@fencewright/model/semantics/thread-code.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import { shortestHappensBeforeCycle } from '@fencewright/model/trace/cycle.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import { buildTrace, type HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import { shrinkSchedule } from './shrink-schedule.js';

/** A step of the user's program in a schedule that a search has found. */
export interface ScheduledStep extends TransitionOfRun {
  /** Whether the step is a store of the attacker that remains in the buffer. */
  readonly delayed: boolean;
}

/**
 * Returns the steps of a thread's path for a schedule. With `delaying`, the stores among the steps
 * stay in the thread's buffer.
 */
export function scheduledSteps(
  program: Program,
  thread: ThreadId,
  path: readonly Omit<TransitionOfRun, 'thread'>[],
  delaying: boolean,
): ScheduledStep[] {
  const { transitions } = at(program.threads, thread);
  return path.map((step) => {
    const { instruction } = at(transitions, step.transition);
    return { thread, ...step, delayed: delaying && isBuffered(instruction) };
  });
}

/**
 * Executes the step. Returns `undefined` if the state does not allow the step, or the step faults:
 * earlier steps may have been left out of the schedule.
 */
function perform(
  code: ProgramCode,
  state: MachineState,
  step: ScheduledStep,
): Successor | undefined {
  try {
    return performOrFault(code, state, step);
  } catch (error) {
    if (!(error instanceof ExecutionFault)) throw error;
    return undefined;
  }
}

function performOrFault(
  code: ProgramCode,
  state: MachineState,
  step: ScheduledStep,
): Successor | undefined {
  const location = at(state.locations, step.thread);
  const transition = leavingTransitions(code, step.thread, location).find(
    ({ id }) => id === step.transition,
  );
  if (!transition) return undefined;
  const { instruction } = transition.transition;
  const model = isBuffered(instruction) && !step.delayed ? 'SC' : 'TSO';
  const results = executeTransition(model, code, state, step.thread, transition);
  if (step.choice === undefined) return results[0];
  return results.find(
    ({ actions: [action] }) => action?.kind === 'local' && action.choice === step.choice,
  );
}

/**
 * Executes the steps of a schedule, then moves the attacker's buffered stores to memory;
 * `undefined` if some step is not possible.
 */
function performSchedule(
  program: Program,
  code: ProgramCode,
  schedule: readonly ScheduledStep[],
  attacker: ThreadId,
): Computation | undefined {
  let state = initialState(program);
  const computation: Action[] = [];
  for (const step of schedule) {
    const result = perform(code, state, step);
    if (!result) return undefined;
    computation.push(...result.actions);
    ({ state } = result);
  }
  while (at(state.buffers, attacker).length > 0) {
    const stored = flush(state, attacker);
    if (!stored) return undefined;
    computation.push(...stored.actions);
    ({ state } = stored);
  }
  return computation;
}

/**
 * Returns a lower bound on the number of actions in the witness made from a schedule. The witness
 * has all steps of the attacker, with two actions for a store, and at least one action of another
 * thread for the happens-before path.
 */
export function leastActions(
  program: Program,
  { thread }: Attack,
  schedule: readonly ScheduledStep[],
): number {
  const transitions = program.threads[thread]?.transitions ?? [];
  return schedule.reduce((sum, step) => {
    if (step.thread !== thread) return sum;
    return sum + (isBuffered(at(transitions, step.transition).instruction) ? 2 : 1);
  }, 1);
}

/**
 * Returns the replayed witness of a schedule, without steps of helpers (threads besides the
 * attacker) that the cycle does not need.
 */
export function witnessOfSchedule(
  program: Program,
  attack: Attack,
  schedule: readonly ScheduledStep[],
  happensBefore: HappensBefore,
): Witness {
  const code = compileProgram(program);
  const perform = (steps: readonly ScheduledStep[]): Computation | undefined =>
    performSchedule(program, code, steps, attack.thread);
  const shortest = shrinkSchedule(program, schedule, attack, happensBefore, perform);
  const computation = performSchedule(program, code, shortest, attack.thread);
  if (!computation) throw new InternalError('the schedule of a witness cannot be performed');
  return verifiedWitness(program, attack, computation, happensBefore);
}

/**
 * Replays a computation and returns it as a witness; throws `InternalError` if the computation is
 * no witness.
 */
export function verifiedWitness(
  program: Program,
  attack: Attack,
  computation: Computation,
  happensBefore: HappensBefore,
): Witness {
  const states = replayStates(program, computation);
  const end = states?.at(-1);
  if (!end || end.buffers.some((buffer) => buffer.length > 0))
    throw new InternalError('the replay of a witness failed');
  const admitted = admittedBy(program)(computation);
  const trace = buildTrace(computation, admitted);
  const edges = shortestHappensBeforeCycle(trace, happensBefore);
  if (!edges) throw new InternalError('a witness has no happens-before cycle');
  const cycle = edges.map(({ from, to, relation }) => ({
    from: trace.nodes[from]!.issuedAt,
    to: trace.nodes[to]!.issuedAt,
    relation,
  }));
  if (happensBefore === 'standard' || admitted.size === 0) return { attack, computation, cycle };
  return { attack, computation, cycle, admitted: [...admitted] };
}
