import { expect, test } from 'vitest';
import { spanAt } from '@fencewright/ground/source/span.js';
import type { Program } from '@fencewright/model/program/program.js';
import { joinersInWords } from '../src/words/hang-in-words.js';
import { waitInWords } from '../src/words/c11-words.js';
import { differenceLines, placesInWords } from '../src/words/state-in-words.js';
import { program as inOneFile, replayed } from './store-buffering.js';

const header = { name: 'ring.h', text: '' };

/** Store buffering whose accesses stand in a header, in a function called at line 7. */
const program: Program = {
  ...inOneFile,
  threads: inOneFile.threads.map((thread) => ({
    ...thread,
    registers: thread.registers.map((register) => ({ ...register, hidden: true })),
    locations: thread.locations.map((location) => ({ ...location, hidden: true })),
    transitions: thread.transitions.map((transition) => ({
      ...transition,
      origin: {
        span: { ...transition.origin.span!, source: header },
        calls: [{ function: 'put', span: spanAt(6, 0, 1) }],
      },
    })),
  })),
};

const [state] = replayed as [(typeof replayed)[number]];

test('places of threads in a header have its name, and the calls', () => {
  const between = { ...state, locations: [1, 2] };
  expect(placesInWords(program, between)).toBe(
    't2 has ended, t1 is at line 5 of ring.h (called at line 7)',
  );
  expect(differenceLines(program, between)).toEqual([
    ...['t2 has ended', 't1 is at line 5 of ring.h (called at line 7)', 'x = 0', 'y = 0'],
    'values that a thread has loaded and still uses may differ, too',
  ]);
});

test('a wait for ever against C11 has its file, and the calls', () => {
  expect(waitInWords(program, { thread: 0, transition: 1 })).toBe(
    't1 can wait for ever: the load at line 5 of ring.h, called at line 7, never gets what it waits for',
  );
});

test('a join in a header has its file', () => {
  const ended: Program = {
    ...program,
    processEnds: [{ awaits: [{ thread: 0, span: { ...spanAt(2, 0, 1), source: header } }] }],
  };
  const waiting = [{ kind: 'waits', thread: 0, places: [1], reads: [1] } as const];
  expect(joinersInWords(ended, { threads: [0], waiting, state, computation: [] })).toEqual([
    'main waits for it at line 3 of ring.h',
  ]);
});
