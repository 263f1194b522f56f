import {
  type DefinedVerdict,
  enumerateEventTraces,
  type EventEnumerationOptions,
  eventVerdicts,
} from '@fencewright/reference/definitions/enumerate-event-traces.js';
import type { EventInstruction, EventProgram } from '@fencewright/model/program/event-program.js';
import type { Location, Transition } from '@fencewright/model/program/program.js';
import type { FencePlace } from '@fencewright/model/verdict/event-fence-result.js';

/** Returns every location of every body, ends included. */
export function allPlaces({ bodies }: EventProgram): readonly FencePlace[] {
  return bodies.flatMap(({ locations }, body) =>
    locations.map((_, location) => ({ body, location })),
  );
}

/**
 * Returns the program with fences by the definition, one for each instruction that leaves a place.
 */
export function withFences(program: EventProgram, places: readonly FencePlace[]): EventProgram {
  return {
    ...program,
    bodies: program.bodies.map((body, id) => {
      const locations: Location[] = [...body.locations];
      const transitions: Transition<EventInstruction>[] = [];
      const fenced = (location: number): boolean =>
        places.some((place) => place.body === id && place.location === location);
      const fence = (from: number): number => {
        const to = locations.push({ name: `f${locations.length}`, hidden: true }) - 1;
        transitions.push({ from, to, instruction: { kind: 'fence' }, origin: {} });
        return to;
      };
      for (const step of body.transitions)
        transitions.push(fenced(step.from) ? { ...step, from: fence(step.from) } : step);
      const left = new Set(body.transitions.map(({ from }) => from));
      body.locations.forEach((_, location) => {
        if (fenced(location) && !left.has(location)) fence(location);
      });
      return { ...body, locations, transitions };
    }),
  };
}

/** Returns the program with `skip` in place of its fences. */
export function withoutFences(program: EventProgram): EventProgram {
  return {
    ...program,
    bodies: program.bodies.map((body) => ({
      ...body,
      transitions: body.transitions.map((step) =>
        step.instruction.kind === 'fence' ? { ...step, instruction: { kind: 'skip' } } : step,
      ),
    })),
  };
}

/** Returns the verdicts on a program that the definitions give. */
export function defined(
  program: EventProgram,
  options: EventEnumerationOptions = {},
): { readonly concurrency: DefinedVerdict; readonly tsoSerial: DefinedVerdict } {
  const sc = enumerateEventTraces(program, 'SC', options);
  return eventVerdicts(sc, enumerateEventTraces(program, 'TSO', options));
}

/** Yields every choice of places for fences that costs less than `cost`, as indices. */
export function* cheaperChoices(
  costs: readonly number[],
  cost: number,
  from = 0,
): Generator<readonly number[]> {
  if (cost <= 0) return;
  yield [];
  for (let first = from; first < costs.length; first++)
    for (const rest of cheaperChoices(costs, cost - costs[first]!, first + 1))
      yield [first, ...rest];
}
