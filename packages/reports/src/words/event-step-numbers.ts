import type { EventAction, EventRun } from '@fencewright/model/trace/event-run.js';

/**
 * Whether reports show an action of a run as a step; local steps and the starts of events are left
 * out.
 */
export function isToldOfEvents({ kind }: EventAction): boolean {
  return kind !== 'silent' && kind !== 'start';
}

/**
 * Returns, by index of an action of a run, the number of its step among the steps that reports
 * tell, from 1 without gaps; an untold action has the number of the next step.
 */
export function eventStepNumbers({ actions }: EventRun): readonly number[] {
  let told = 0;
  return actions.map((action) => (isToldOfEvents(action) ? (told += 1) : told + 1));
}
