import { actingThreads, beginSteps, taskSteps } from './machine.js';
import type { EventMachine, EventStep, EventSuccessors } from './machine.js';
import { topFrame, type EventConfiguration, type EventThread } from './configuration.js';
import { leavingLocation } from './event-code.js';

/** A task that fills its buffer for ever does not do so unseen. */
const longBuffer = 12;

/**
 * Whether nobody but its own thread can notice what the task does next, and nothing that others do
 * can change it: what touches registers only, calls and returns, postings (they wait in a set, and
 * begin on main when main is free), stores into a buffer, and fences that have nothing to wait for.
 */
function isQuiet({ code, semantics, options }: EventMachine, { running, buffer }: EventThread) {
  if (!running) return false;
  const { body, location } = topFrame(running);
  return leavingLocation(code, body, location).every((step) => {
    if ('invocation' in step)
      return (
        step.invocation.kind === 'call' || options.postingFenced !== true || buffer.length === 0
      );
    switch (step.transition.instruction.kind) {
      case 'store':
        return semantics === 'multi-tso' && buffer.length < longBuffer;
      case 'fence':
        return buffer.length === 0;
      case 'load':
      case 'rmw':
      case 'lock':
      case 'unlock':
        return false;
      case 'assign':
      case 'assume':
      case 'assert':
      case 'skip':
      case 'havoc':
        return true;
    }
  });
}

/**
 * All that one task does next, where that is independent of everything that others can do before
 * it; absent if there is no such task. A background task that waits begins.
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

/** Whether it is the only way to go on for the thread of the task that begins. */
function isAlone({ semantics }: EventMachine, { actions, configuration }: EventStep): boolean {
  if (semantics === 'single') return true;
  const [action] = actions;
  const thread = configuration.threads.find(({ running }) => running?.id === action?.task);
  return thread?.thread !== 0;
}
