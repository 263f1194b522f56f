import { eventAutomataToJson } from '@fencewright/core';
import {
  enumerateEventTraces,
  eventVerdicts,
  randomEventProgram,
  SeededRandom,
} from '@fencewright/core/testing';
import { describe, expect, test } from 'vitest';
import { withFences } from './by-definition.js';
import { certifyEvents, type EventProgram, parseEvents } from './event-certificates.js';
import { type EventDraft, eventForgeries } from './event-forgeries.js';
import type { Chance } from './forgeries.js';
import { forgeMany, isCheapest, type Subject } from './forgery-campaign.js';

const changes = Number(process.env.FENCEWRIGHT_FORGERIES ?? 250);
const seed = Number(process.env.FENCEWRIGHT_SEED ?? 20261123);

/** States of a program that the judge looks at, and places of which subsets are tried. */
const most = { states: 4_000, places: 14 };

type Place = EventDraft['items'][number]['item'];

/** Programs in which more than one store has to wait, or with marks in their text. */
const written = [
  `var x, y, a, b
  event e() { x = 1; async[any] p(); y = 1; async[any] q(); }
  procedure p() { a = x; }
  procedure q() { b = y; }
  events e()`,
  `var x, y
  event e() { @cost(2) x = 1; async[any] p(); }
  event f() { local r; r = y; @nofence r = x; }
  procedure p() { y = 1; local r; r = x; }
  events e(), f()`,
  `var item, closed, late, seen
  event log() { async[any] append(); }
  procedure append() { item = 1; late = closed; }
  event close() { closed = 1; seen = item; }
  events log(), close()`,
  `var x, y, z, w
  event e() { async[any] p(); }
  procedure p() { local r, q; x = 1; r = y; z = 1; q = w; }
  event f() { local s; y = 1; fence; s = x; }
  events e(), f()`,
];

function programOf(round: number, chance: Chance): EventProgram {
  const text = written[round % 8];
  if (text !== undefined) return parseEvents(text);
  const random = new SeededRandom(seed + round);
  const { program } = randomEventProgram(random, { maxTasks: 5, maxAccesses: 7 });
  if (chance(3) > 0) return program;
  return {
    ...program,
    bodies: program.bodies.map((body) => ({
      ...body,
      transitions: body.transitions.map((one) => {
        const what = chance(8);
        return { ...one, ...(what === 0 && { cost: 2 }), ...(what === 1 && { nofence: true }) };
      }),
    })),
  };
}

/** The program that a certificate holds: that which it was made for, but for what was changed. */
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

/** All places with their costs, by what the text says. */
function placesOf({ bodies }: EventProgram): { item: Place; cost: number }[] {
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

/** Judges claims by an enumeration of all traces, for all sets of places that cost less. */
function judgeOf(original: EventProgram): Subject<EventDraft>['isTrue'] {
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

describe('a forged certificate of fences for a program of events', () => {
  test(`is accepted only if what it says is true: ${changes} changes, with the digest renewed`, async () => {
    expect(Object.keys(eventForgeries).length).toBeGreaterThanOrEqual(50);
    const subject = async (
      round: number,
      chance: Chance,
    ): Promise<Subject<EventDraft> | undefined> => {
      const program = programOf(round, chance);
      if (placesOf(program).length > most.places) return undefined;
      const against = (['both', 'both', 'tso', 'both', 'tso', 'concurrency'] as const)[chance(6)]!;
      const honest = await certifyEvents(program, against, chance(6) === 0 ? 'fenced' : 'plain');
      if (!honest || (honest.clauses.length === 0 && chance(10) > 0)) return undefined;
      // Whoever changes the program does so where nobody else knows it.
      const given = chance(2) === 0 ? eventAutomataToJson(program) : undefined;
      return { honest, given, isTrue: judgeOf(program) };
    };
    const limits = { maxStates: 20_000 };
    await forgeMany<EventDraft>({ changes, seed, forgeries: eventForgeries, limits, subject });
  });
});
