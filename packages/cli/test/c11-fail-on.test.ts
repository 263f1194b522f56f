import { expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

/**
 * A program in which two threads add 1 to `x`; `claim` is an assertion of the first thread on the
 * old value.
 */
const counter = (claim: string, property = ''): string => `program Counter
var x
thread one { local r; r = fetch_add(x, 1); ${claim} }
thread two { fetch_add(x, 1); }
${property}`;

test.each([
  ['assert(r == 0);', '', 0, 10],
  ['assert(r < 2);', '', 0, 0],
  ['assert(r < 2);', 'property done: finally (x == 2)', 0, 0],
  ['assert(r < 2);', 'property done: exists (x == 1)', 0, 10],
  // There is no moment at which all threads see the same memory.
  ['assert(r < 2);', 'property done: never (x == 3)', 0, 5],
])('--fail-on violated asks about assertions against C11: %s %s', async (...row) => {
  const [claim, property, usual, violated] = row;
  const cwd = await folderWith({ 'a.fw': counter(claim, property) });
  const codeOf = async (...more: readonly string[]): Promise<number | null> =>
    (await fencewright(['check', '--model', 'c11', ...more, 'a.fw'], { cwd })).code;
  expect(await codeOf()).toBe(usual);
  expect(await codeOf('--fail-on', 'violated')).toBe(violated);
  expect(await codeOf('--fail-on', 'races,not-robust')).toBe(usual);
});

test('words without an answer about C11 are refused by name', async () => {
  const cwd = await folderWith({ 'a.fw': counter('') });
  const args = ['check', '--model', 'c11', '--fail-on', 'violated,hangs', 'a.fw'];
  const { code, stderr } = await fencewright(args, { cwd });
  expect(code).toBe(64);
  expect(stderr).toContain('--fail-on hangs is for --model tso');
});

test('a state that a property asks for is reached or not, as in reach', async () => {
  const text = `program SB
var x, y
thread a { local r; store(x, 1, relaxed); r = load(y, relaxed); }
thread b { local r; store(y, 1, relaxed); r = load(x, relaxed); }
property both: exists (a.r == 0 && b.r == 0)
property none: exists (a.r == 2)
property one: finally (a.r == 1 || b.r == 1)
`;
  const cwd = await folderWith({ 'a.fw': text });
  const { stdout } = await fencewright(['check', '--model', 'c11', 'a.fw'], { cwd });
  expect(stdout).toContain('  both: reached; under SC, never reached\n');
  expect(stdout).toContain('  none: never reached, as under SC\n');
  expect(stdout).toContain('  one: fails; under SC, holds\n');
});
