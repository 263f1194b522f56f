import { eventAutomataToJson } from '@fencewright/core';
import { randomEventProgram, SeededRandom } from '@fencewright/core/testing';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { certifyEvents, type EventProgram, parseEvents } from './event-certificates.js';
import { type EventDraft, eventForgeries } from './event-forgeries.js';
import { judgeOf, most, placesOf } from './event-judge.js';
import type { Chance } from './forgeries.js';
import { forgeMany, type Subject } from './forgery-campaign.js';

const changes = randomRuns(150, 4000);
const seed = randomSeed(20261123);

/** Programs in which several stores have to wait, or with marks in their text. */
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
      // Changes the program only if the verifier does not get the true program.
      const given = chance(2) === 0 ? eventAutomataToJson(program) : undefined;
      return { honest, given, isTrue: judgeOf(program) };
    };
    const limits = { maxStates: 20_000 };
    await forgeMany<EventDraft>({ changes, seed, forgeries: eventForgeries, limits, subject });
  });
});
