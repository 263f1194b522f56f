import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fencewright } from './fencewright.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Programs for all kinds of answers: each breaks, hangs, differs, holds, deadlocks, or has an open
 * answer.
 */
const programs = [
  ...['peterson.fw', 'store-buffering-fenced.fw', 'spsc-queue.fw', 'c11/ring.fw'],
  ...['states/mutex-event.fw', 'states/seqlock-wraps.fw', 'lost-wakeup.fw'],
  ...['any-number/shutdown.fw', 'events/listener.fw'],
];

/** Returns the lines of a text with advice. */
const hintsIn = (text: string): readonly string[] =>
  text.split('\n').filter((line) => /^\s*hint:/.test(line));

test.each([
  [[]],
  [['check']],
  [['check', '--model', 'c11']],
  [['check', '--max-states', '5']],
  [['explain']],
  [['reach', '--max-states', '500']],
  [['fence']],
  [['fence', '--model', 'c11']],
])('an answer has one hint at most: fencewright %j', { timeout: 1_200_000 }, async (args) => {
  let hints = 0;
  for (const program of programs) {
    const file = `examples/${program}`;
    const { stdout, code } = await fencewright([...args, file], { cwd: root });
    expect([file, code]).not.toEqual([file, 70]);
    const found = hintsIn(stdout);
    hints += found.length;
    expect([file, found.slice(1)]).toEqual([file, []]);
  }
  // Most answers of these programs leave something to do; reach answers all by itself.
  if (args[0] !== 'reach') expect(hints).toBeGreaterThan(0);
});

test('the programs are those of the examples', () => {
  const files = readdirSync(path.join(root, 'examples'), { recursive: true, encoding: 'utf8' });
  expect(files).toEqual(expect.arrayContaining(programs));
});
