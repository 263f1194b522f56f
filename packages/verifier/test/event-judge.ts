import { eventAutomataToJson } from '@fencewright/core';
import { enumerateEventTraces, eventVerdicts } from '@fencewright/core/testing';
import { withFences } from './by-definition.js';
import type { EventProgram } from './event-certificates.js';
import type { EventDraft } from './event-forgeries.js';
import { isCheapest, type Subject } from './forgery-campaign.js';

/**
 * The limits of the judge: the number of states of a program, and of places of which all subsets
 * are tried.
 */
export const most = { states: 4_000, places: 14 };

type Place = EventDraft['items'][number]['item'];

/**
 * Returns the program of a certificate: the original program with the changes made in the
 * certificate.
 */
function programIn({ automata }: EventDraft, program: EventProgram): EventProgram {
  const known = eventAutomataToJson(program) as unknown as EventDraft['automata'];
  return {
    ...program,
    symbols: program.symbols.map((one, i) => ({ ...one, ...automata.symbols[i] })),
    instances: automata.instances,
    bodies: program.bodies.map((body, b) => ({
      ...body,
      transitions: body.transitions.map((one, t) => {
        const { from, to, instruction, cost, nofence } = automata.bodies[b]!.transitions[t]!;
        const before = known.bodies[b]!.transitions[t]!.instruction;
        const isSame = JSON.stringify(instruction) === JSON.stringify(before);
        const { cost: _c, nofence: _n, ...rest } = one;
        return {
          ...rest,
          from,
          to,
          instruction: isSame ? one.instruction : (instruction as never),
          ...(cost !== undefined && { cost }),
          ...(nofence && { nofence }),
        };
      }),
    })),
  };
}

/** Returns all places for fences, with the costs stated in the text. */
export function placesOf({ bodies }: EventProgram): { item: Place; cost: number }[] {
  return bodies.flatMap(({ locations, transitions }, body) =>
    locations.flatMap((_, location) => {
      const leaving = transitions.filter(({ from }) => from === location);
      if (leaving.some(({ nofence }) => nofence)) return [];
      const costs = leaving.flatMap(({ cost }) => cost ?? []);
      const cost = costs.length > 0 ? Math.max(...costs) : 1;
      return [{ item: { kind: 'fence' as const, body, location }, cost }];
    }),
  );
}

/**
 * Returns a judge of claims, which enumerates all traces, for all sets of places that cost less.
 */
export function judgeOf(original: EventProgram): Subject<EventDraft>['isTrue'] {
  const known = new Map<string, boolean | undefined>();
  return (draft) => {
    const program = programIn(draft, original);
    const { against, postingFenced } = draft;
    const options = { postingFenced, maxStates: most.states };
    const isEnough = (places: readonly Place[]): boolean | undefined => {
      const fenced = withFences(program, places);
      const tso = enumerateEventTraces(fenced, 'TSO', options);
      const sc = enumerateEventTraces(fenced, 'SC', options);
      const { concurrency, tso: byThread, tsoSerial } = eventVerdicts(sc, tso);
      const verdict = against === 'tso' ? byThread : against === 'both' ? tsoSerial : concurrency;
      return verdict === 'unknown' ? undefined : verdict === 'robust';
    };
    return isCheapest<Place>(placesOf(program), draft, (places) => {
      const key = JSON.stringify([draft.automata, against, postingFenced, places]);
      if (!known.has(key)) known.set(key, isEnough(places));
      return Promise.resolve(known.get(key));
    });
  };
}
