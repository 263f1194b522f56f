import { insertFences, placesIn } from '../fences/apply-repair.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import type { FencePlace } from '@fencewright/model/verdict/event-fence-result.js';

/**
 * Returns the program with a fence at each of the places: before every outgoing instruction of the
 * location and, if an invocation ends there, before its end. Transitions keep their ids; the fences
 * are appended.
 */
export function insertEventFences(
  program: EventProgram,
  places: readonly FencePlace[],
): EventProgram {
  return {
    ...program,
    bodies: program.bodies.map((body, id) => {
      const own = places.flatMap((place) => (place.body === id ? [place.location] : []));
      return insertFences(body, placesIn(body, own));
    }),
  };
}

/** Converts a run of the program with inserted fences to a run of the original program. */
export function withoutInserted({ bodies }: EventProgram, run: EventRun): EventRun {
  return {
    ...run,
    actions: run.actions.filter(
      (action) =>
        !('site' in action) ||
        action.site.transition < (bodies[action.site.body]?.transitions.length ?? 0),
    ),
  };
}
