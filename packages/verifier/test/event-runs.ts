import type { EventRun } from '@fencewright/core';
import type { EventAction } from '../src/events/replay.js';

/**
 * Returns a run of the tool or of a definition in the form of certificates, with the choices known.
 */
export function written({ tasks, actions }: EventRun): readonly EventAction[] {
  return actions.map((action): EventAction => {
    const { kind, task } = action;
    if (kind === 'start') return { kind, instances: tasks[task]!.instances };
    if (kind === 'begin' || kind === 'return') return { kind, task };
    const { transition } = action.site;
    const choice = kind === 'silent' ? action.choice : undefined;
    return { kind, task, transition, ...(choice !== undefined && { choice }) };
  });
}
