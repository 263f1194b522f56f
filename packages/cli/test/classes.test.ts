import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNativeNeeded, natively, whyNotNatively } from './natively.js';

/**
 * Programs that count objects of C++ classes which are made, copied, moved and destroyed. Each
 * program must claim here the counts that it prints if compiled with the GNU library.
 */
const folder = fileURLToPath(new URL('classes/', import.meta.url));
const programs = readdirSync(folder).filter((name) => name.endsWith('.cpp'));

/** Returns the compiler option for the version of C++: atomic waits need C++20. */
const versionOf = (program: string): readonly string[] =>
  program === 'waits.cpp' ? ['-std=gnu++20'] : [];

/** Returns the values that a natively compiled program prints, by the number of the place. */
function said(program: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of natively(path.join(folder, program), ['-DNATIVE', ...versionOf(program)])
    .trim()
    .split('\n')) {
    const [place = '', value = ''] = line.split(' ');
    // A place that is printed twice must have the same value.
    expect(found.get(place) ?? value, `place ${place}`).toBe(value);
    found.set(place, value);
  }
  return found;
}

/** Returns the answer of `check` about a program that asserts these values. */
async function answerTo(program: string, values: ReadonlyMap<string, string>): Promise<string> {
  const lines = [...values].map(([place, value]) => `#define EXPECTED_${place} ${value}L\n`);
  const cwd = await folderWith({ 'expected.h': lines.join('') });
  const file = path.join(folder, program);
  // The test is about the shipped classes.
  const args = ['check', '--answers', '--json', '--headers', 'own', file, '--', '-I.'];
  const { stdout } = await fencewright(args, { cwd });
  const { results } = JSON.parse(stdout) as { results: { answer?: { kind: string } }[] };
  return results[0]?.answer?.kind ?? stdout;
}

describe.runIf(isNativeNeeded)(`classes are as those of GNU${whyNotNatively}`, () => {
  test.each(programs)('%s', async (program) => {
    const values = said(program);
    expect(values.size).toBeGreaterThan(5);
    expect(await answerTo(program, values)).toBe('robust');
    // The program does not end before the last claim: with another value, the last claim fails.
    const last = String(Math.max(...[...values.keys()].map(Number)));
    const other = String(Number(values.get(last)) + 1);
    const wrong = await answerTo(program, new Map([...values, [last, other]]));
    expect(wrong).toMatch(/^wrong-under-sc$|an assertion fails before a thread is started/);
  });
});

test('g++ is there where all tests are to run', () => {
  if (process.env.FENCEWRIGHT_CI === undefined) return;
  expect(spawnSync('g++', ['--version']).status).toBe(0);
});
