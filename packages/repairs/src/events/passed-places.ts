import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import type { FencePlace } from '@fencewright/model/verdict/event-fence-result.js';
import { topFrame } from '@fencewright/model/events/configuration.js';
import type { EventMachineOptions } from '@fencewright/model/events/machine.js';
import { walkEventRun } from '@fencewright/model/events/replay-event-run.js';

/**
 * The places that a TSO run leaves while stores wait in the buffer of the leaving thread, without
 * duplicates, in the order of the run.
 *
 * Every repair of a program with a violating run has a fence at one of these places. Proof: assume
 * that all fences are at other places. The run passes each such place with an empty buffer. So the
 * program with the fences can do the run, with each fence right before the step that leaves its
 * place: at this moment it is the thread's turn, and the fence waits for nothing. A fence changes
 * no memory and is no access, so the violation remains. Fences not passed by the run do not matter.
 * Conversely a fence at one of the places makes this run impossible: only commits could empty the
 * buffer between the arrival and the step, and at the step the run has stores in the buffer.
 */
export function passedPlaces(
  program: EventProgram,
  run: EventRun,
  options: EventMachineOptions = {},
): readonly FencePlace[] {
  const places = new Map<string, FencePlace>();
  let next = 0;
  for (const [configuration] of walkEventRun(program, run, 'multi-tso', options)) {
    const action = run.actions[next++];
    if (!configuration) throw new InternalError('a witness is no run of the program');
    if (!action || ['start', 'begin', 'store'].includes(action.kind)) continue;
    const { thread: own } = at(run.tasks, action.task);
    const thread = configuration.threads.find(({ thread: other }) => other === own);
    if (!thread?.running || thread.buffer.length === 0) continue;
    const { body, location } = topFrame(thread.running);
    places.set(`${body} ${location}`, { body, location });
  }
  return [...places.values()];
}
