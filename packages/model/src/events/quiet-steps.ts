import { isLocal } from '../program/instruction.js';
import {
  actingThreads,
  beginSteps,
  taskSteps,
  type EventMachine,
  type EventStep,
  type EventSuccessors,
} from './machine.js';
import { topFrame, type EventConfiguration, type EventThread } from './configuration.js';
import { leavingLocation } from './event-code.js';

/**
 * The buffer length from which on stores count as visible, so that an endless task with a growing
 * buffer cannot run unseen.
 */
const longBuffer = 12;

/**
 * Whether the next steps of the thread's task are invisible to other threads and independent of
 * their steps: register operations, calls and returns, milestones (which let more events start, and
 * none fewer), postings (posted tasks wait in a set, and begin on main when main is free), stores
 * into a buffer, and fences with an empty buffer.
 */
function isQuiet({ code, semantics, options }: EventMachine, { running, buffer }: EventThread) {
  if (!running) return false;
  const { body, location } = topFrame(running);
  return leavingLocation(code, body, location).every((step) => {
    if ('invocation' in step)
      return (
        step.invocation.kind !== 'post' || options.postingFenced !== true || buffer.length === 0
      );
    const { instruction } = step.transition;
    if (instruction.kind === 'store')
      return semantics === 'multi-tso' && buffer.length < longBuffer;
    return isLocal(instruction) || (instruction.kind === 'fence' && buffer.length === 0);
  });
}

/**
 * Returns all next steps of one task whose next steps are invisible to other threads (`isQuiet`):
 * steps of other threads neither depend on them nor affect them. Without such a task, returns the
 * begin of a waiting task on a new thread; `undefined` if no such task waits.
 */
export function quietSteps(
  machine: EventMachine,
  configuration: EventConfiguration,
): EventSuccessors | undefined {
  for (const thread of actingThreads(configuration)) {
    if (!isQuiet(machine, thread)) continue;
    const found = taskSteps(machine, configuration, thread);
    if (found.steps.length > 0) return found;
  }
  if (configuration.lockHolder !== undefined) return undefined;
  const begun = beginSteps(machine, configuration).find((step) => isAlone(machine, step));
  return begun && { steps: [begun], faults: [], cuts: [] };
}

/**
 * Whether the step, the begin of a task, is the only possible next step of its thread. On many
 * threads, the main thread may begin another task instead.
 */
function isAlone({ semantics }: EventMachine, { actions, configuration }: EventStep): boolean {
  if (semantics === 'single') return true;
  const [action] = actions;
  const thread = configuration.threads.find(({ running }) => running?.id === action?.task);
  return thread?.thread !== 0;
}
