import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram, MilestoneId } from '../program/event-program.js';
import type { EventRun } from '../trace/event-run.js';
import type { RunCause } from '../verdict/event-judgement.js';

/**
 * Returns, for each begun event and each milestone (label) awaited by the event, the earlier
 * actions that passed the milestone: one of these actions caused the begin.
 */
export function runCauses(
  { bodies, instances, milestones = [] }: EventProgram,
  { tasks, actions }: EventRun,
): readonly (readonly RunCause[])[] {
  if (milestones.length === 0) return [];
  const passed = milestones.map((): number[] => []);
  const causes: (readonly RunCause[])[] = [];
  const passedAt = (action: EventRun['actions'][number]): MilestoneId | undefined => {
    if (action.kind !== 'silent') return undefined;
    const { body, transition } = action.site;
    const { instruction } = at(at(bodies, body).transitions, transition);
    return instruction.kind === 'pass' ? instruction.milestone : undefined;
  };
  actions.forEach((action, place) => {
    const milestone = passedAt(action);
    if (milestone !== undefined) at(passed, milestone).push(place);
    if (action.kind !== 'begin') return;
    const { parent, instances: entry } = at(tasks, action.task);
    if (parent !== undefined) return;
    for (const waited of at(instances, entry).after ?? [])
      causes.push(at(passed, waited).map((by) => ({ passed: by, begun: place })));
  });
  return causes;
}
