import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { Budget } from '@fencewright/ground/base/budget.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { searchAttacks } from '../../src/search/attack-search.js';

const examples = new URL('../../../../examples/', import.meta.url);

/** A program whose only attack needs a number that never stops growing. */
const endless = `program Endless
var x, y
thread counter { loop { x = x + 1; fence; if (x < 0) { y = 0; fence; } } }
thread reader { local r; loop { y = r; r = x; } }
`;

const texts = new Map([
  ['endless', endless],
  ...['lamport-fast', 'mcs-lock', 'chase-lev', 'treiber-stack'].map((name) => {
    const file = new URL(`${name}.fw`, examples);
    return [name, readFileSync(file, 'utf8')] as const;
  }),
]);

afterEach(() => vi.restoreAllMocks());

/**
 * Returns how a search ends: its limit, states, bytes and verdicts. The clock moves on by
 * `millisecondsPerLook` each time that the search looks at it.
 */
async function stop(text: string, maxStates: number, millisecondsPerLook: number) {
  const program = finiteProgram(parseNative(text).model);
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += millisecondsPerLook));
  const budget = new Budget({ maxStates });
  const { incomplete, attacks } = await searchAttacks(program!, { budget, allAttacks: true });
  vi.restoreAllMocks();
  const verdicts = attacks.map(({ verdict }) => verdict);
  return { incomplete, states: budget.finishedStates, bytes: budget.mostBytes, verdicts };
}

test.each([...texts.keys()])(
  'where states run out does not depend on the clock: %s',
  async (name) => {
    const text = texts.get(name)!;
    for (const maxStates of [100, 700, 2000]) {
      const calm = await stop(text, maxStates, 0);
      expect(await stop(text, maxStates, 1000)).toEqual(calm);
    }
  },
);
