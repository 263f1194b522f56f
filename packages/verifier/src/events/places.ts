import type { ItemRules } from '../optimum.js';
import { sizeCostAt } from '../repair.js';
import { anyIndex, literal, type Reader, record } from '../shape.js';
import { type BodyPlace, topOf } from './machine.js';
import type { EventAutomata } from './program.js';
import type { EventMoment } from './replay.js';

/** A fence in the form used by certificates. */
export type EventItem = BodyPlace & { readonly kind: 'fence' };

const fence = record({ kind: literal('fence'), body: anyIndex, location: anyIndex });

/** Reads an item: a fence at one place. */
export const readEventItem: Reader<readonly EventItem[]> = (value, path) => [fence(value, path)];

function placeName({ body, location }: BodyPlace): string {
  return `${body} ${location}`;
}

/**
 * Returns the rules for fences in a program of events: a fence may be at every location of every
 * body that is not marked `nofence`. It is placed before all transitions that leave the location;
 * at the end of a body, before the invocation ends, since main's buffer outlives the tasks of main.
 */
export function eventItemRules({ bodies }: EventAutomata): ItemRules<EventItem> {
  return {
    read: readEventItem,
    allowed: bodies.flatMap(({ locations, transitions }, body) => {
      const forbidden = new Set(
        transitions.flatMap(({ from, nofence }) => (nofence ? [from] : [])),
      );
      return [...locations.keys()].flatMap((location): EventItem[] =>
        forbidden.has(location) ? [] : [{ kind: 'fence', body, location }],
      );
    }),
    name: placeName,
    describe: ({ body, location }) =>
      `fence at ${bodies[body]!.name}:${bodies[body]!.locations[location]!.name}`,
    sizeCost: ({ body, location }) => sizeCostAt(bodies[body]!.transitions, location),
  };
}

/**
 * Whether a run, under TSO, remains a run of the program with fences at all of `places` at once:
 * the run leaves each place with an empty buffer only. As the buffer only shrinks between arrival
 * and departure, the fence can then be passed right before the departure.
 *
 * **Why clauses are necessary.** Let a run survive all places outside a clause `C`, and let `R` be
 * any set of places with none of `C`. Then the run is a run of the program with fences at `R`: each
 * condition above speaks of one place alone. Fences take no part in conflicts or happens-before, so
 * the run violates the same criterion with and without fences at `R`. Hence every sufficient set
 * has a place of every clause.
 */
export function survivesAt(moments: readonly EventMoment[], places: readonly BodyPlace[]): boolean {
  const fenced = new Set(places.map(placeName));
  return moments.every(({ before, step: { task, effect } }) => {
    if (effect.kind === 'start' || effect.kind === 'begin' || effect.kind === 'commit') return true;
    const running = before.running.get(task.thread)!;
    const isEmpty = (before.buffers.get(task.thread) ?? []).length === 0;
    return isEmpty || !fenced.has(placeName(topOf(running)));
  });
}
