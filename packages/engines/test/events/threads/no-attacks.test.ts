import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { enumerateEventTraces } from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { checkEventTso } from '../../../src/events/threads/check-event-tso.js';
import { hasNoAttacks } from '../../../src/events/threads/no-attacks.js';
import { randomEventProgram } from '@fencewright/reference/testing/random-event-program.js';
import { eventText } from './event-text.js';

const runs = randomRuns(150, 5000, 45);
const seed = randomSeed(20181122);

describe('without a load or posting behind a store', () => {
  const clicks = (body: string): string => `
    event click() { async[any] render(); }
    procedure render() { local c; ${body} }
    events click() *`;

  test('any number of instances is robust against TSO', async () => {
    const { verdict } = await checkEventTso(eventText(clicks('c = x; x = c + 1 - 2 * c;')), {
      budget: new Budget(),
    });
    expect(verdict).toMatchObject({ kind: 'robust', shownBy: 'no-attacks' });
  });

  test.each([
    ['a load of another cell behind it', 'x = 1; c = y;', false],
    ['a posting behind it', 'x = 1; async[any] render();', false],
    ['a fence between them', 'x = 1; fence; c = y;', true],
    ['a loop that leads back to the load', 'loop { c = y; x = 1; }', false],
    ['an exchange, which waits', 'c = xchg(x, 1); c = y;', true],
    ['a call that does both', 'call both();', false],
    ['a call that stores, then a load', 'call puts(); c = y;', false],
  ])('%s', (_, body, expected) => {
    const procedures = 'procedure both() { local r; x = 1; r = y; } procedure puts() { x = 1; }';
    expect(hasNoAttacks(eventText(`${clicks(body)} ${procedures}`))).toBe(expected);
  });

  test('main is one thread: a store of one handler waits while another one loads', () => {
    const text = (load: string): string => `
      event first() { x = 1; }
      event second() { local r; ${load} }
            procedure p() { y = 1; }
      events first(), second()`;
    expect(hasNoAttacks(eventText(text('r = y;')))).toBe(false);
    expect(hasNoAttacks(eventText(text('y = 2;')))).toBe(true);
  });

  test(`the definition agrees on random programs`, () => {
    const random = new SeededRandom(seed);
    let found = 0;
    for (let run = 0; run < runs; run++) {
      const { program } = randomEventProgram(random, { maxAccesses: 6 });
      if (!hasNoAttacks(program)) continue;
      found++;
      const traces = enumerateEventTraces(program, 'TSO', { maxStates: 4000 });
      expect(traces.cyclic, JSON.stringify({ run, program: program.bodies })).toBeFalsy();
    }
    expect(found).toBeGreaterThan(runs / 50);
  });
});
