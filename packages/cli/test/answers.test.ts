import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { JsonCheckResult, JsonReachResult } from '@fencewright/core';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fencewright, type Run } from './fencewright.js';

const folder = mkdtempSync(join(tmpdir(), 'fencewright-answers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The result on the one file of a run with `--json`. */
function resultOf<T>({ stdout }: Run): T {
  return (JSON.parse(stdout) as { readonly results: readonly T[] }).results[0]!;
}

function fileOf(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const vacuous = fileOf(
  'vacuous.fw',
  'program V\nvar go, x, y\nthread a { local r; while (go == 0) { } x = 1; r = y; }\nthread b { local r; while (go == 0) { } y = 1; r = x; }\n',
);
const counting = fileOf(
  'counting.fw',
  'program C\nvar x\nthread a { loop { x = x + 1; fence; } }\n',
);
const claims = fileOf(
  'claims.fw',
  'program P\nvar x, y\nthread a { x = 1; assert(y); }\nthread b { local r; y = 0; }\nproperty early: never (ended(a) && x == 0)\nproperty waits: stuck (true)\n',
);

test('a fault is an error of the program, also where no attack needs a search', async () => {
  const file = fileOf(
    'fault.fw',
    'program F\nvar x\nthread a { local r; r = x; r = 1 / r; }\nthread b { x = 1; }\n',
  );
  const { code, stderr } = await fencewright(['check', file]);
  expect(code).toBe(65);
  expect(stderr).toMatch(/FW3002/);
});

test('what was not looked for is said', async () => {
  const { code, stdout } = await fencewright(['check', '--max-states', '100', counting]);
  expect(code).toBe(0);
  expect(stdout).toContain('faults were not looked for');
  const json = await fencewright(['check', '--json', '--max-states', '100', counting]);
  const result = resultOf<JsonCheckResult>(json);
  expect([result.faults, result.vacuous?.answer]).toEqual([
    { answer: 'not-looked-for' },
    'not-looked-for',
  ]);
});

test('--fail-on vacuous makes a robust program fail that does nothing', async () => {
  const plain = await fencewright(['check', vacuous]);
  expect([plain.code, plain.stderr]).toEqual([0, expect.stringMatching(/FW2009[\s\S]*FW2010/)]);
  const asked = await fencewright(['check', '--fail-on', 'vacuous', '--json', vacuous]);
  expect(asked.code).toBe(10);
  const result = resultOf<JsonCheckResult>(asked);
  expect(result.verdict).toBe('robust');
  expect(result.vacuous).toMatchObject({ answer: 'found', neverEnd: ['a', 'b'] });
  expect(result.vacuous?.neverRun.map(({ line, access }) => [line, access])).toEqual([
    [3, 'store'],
    [3, 'load'],
    [4, 'store'],
    [4, 'load'],
  ]);
});

test('--fail-on vacuous does not know where SC was not explored to its end', async () => {
  const args = ['check', '--fail-on', 'vacuous', '--max-states', '100', counting];
  expect((await fencewright(args)).code).toBe(5);
});

test.each([['vacuus', /did you mean 'vacuous'/]])(
  '--fail-on %s is refused',
  async (name, words) => {
    const { code, stderr } = await fencewright(['check', '--fail-on', name, vacuous]);
    expect([code, stderr]).toEqual([64, expect.stringMatching(words)]);
  },
);

test('check says what TSO makes of claims', async () => {
  const { stdout } = await fencewright(['check', claims]);
  expect(stdout).toMatch(
    /^\S+: P breaks on x86: early can fail, and cannot without store buffers\n/,
  );
  expect(stdout).not.toMatch(/not looked at/);
  const json = await fencewright(['check', '--json', claims]);
  const { answer, notLookedAt } = resultOf<JsonCheckResult>(json);
  expect(answer).toMatchObject({ kind: 'breaks', claims: ['early'] });
  expect(answer?.computation?.length).toBeGreaterThan(0);
  expect(notLookedAt).toEqual({ properties: [], assertions: 0 });
});

/** Four robust programs: with an assertion that fails, or with no failing claim. */
const robustOnes = {
  // A program whose assertion fails under SC, too.
  wrong: 'program Wrong\nvar x\nthread a { local r; r = x; assert(r == 1); }\n',
  // True under SC at all times; under TSO the flag may still wait when its thread is inside.
  pending:
    'program Pending\nvar up\nthread a { loop { up = 1; inside: skip; up = 0; } }\n' +
    'property announced: never (a @ inside && up == 0)\n',
  fine: 'program Fine\nvar x\nthread a { local r; x = 1; r = x; assert(r == 1); }\n',
};
/** A program that is not robust: both loads may return 0 under TSO. The program claims nothing. */
const differs =
  'program Differs\nvar x, y\nthread a { local r; x = 1; r = y; }\nthread b { local r; y = 1; r = x; }\n';

test.each([
  ['wrong', [], 0, /is wrong even without store buffers: the assertion of a at line 3 can fail/],
  ['wrong', ['--fail-on', 'violated'], 10, /is wrong even without/],
  ['wrong', ['--fail-on', 'differs'], 0, /is wrong even without/],
  ['pending', [], 0, /breaks on x86: announced can fail/],
  ['pending', ['--fail-on', 'violated'], 10, /breaks on x86: announced/],
  [
    'fine',
    ['--fail-on', 'violated,differs'],
    0,
    / holds on x86 as it stands: nothing that it claims can fail\n {2}it is robust: /,
  ],
  ['fine', ['--fail-on', 'violated', '--max-states', '1'], 5, /is undecided|undecided: /],
] as const)('check of %s %j exits with %i', async (name, options, code, words) => {
  const file = join(folder, `${name}.fw`);
  writeFileSync(file, robustOnes[name]);
  const run = await fencewright(['check', ...options, file]);
  expect(run.stdout).toMatch(words);
  expect(run.code).toBe(code);
});

test('check names a state of TSO alone where it is asked for answers', async () => {
  const file = join(folder, 'differs.fw');
  writeFileSync(file, differs);
  const plain = await fencewright(['check', file]);
  expect(plain.stdout).not.toMatch(/differs: /);
  const run = await fencewright(['check', '--answers', '--json', file]);
  const { answer } = resultOf<JsonCheckResult>(run);
  expect(answer).toMatchObject({
    kind: 'differs',
    state: { memory: { x: 1, y: 1 }, registers: { a: { r: 0 }, b: { r: 0 } } },
  });
});

test('reach shows an execution for every failure, in text, JSON and HTML', async () => {
  const page = join(folder, 'claims.html');
  const { code, stdout } = await fencewright(['reach', '--report', `html=${page}`, claims]);
  expect(code).toBe(10);
  expect(stdout).toMatch(/An execution: early fails under TSO\n/);
  expect(stdout).toMatch(
    /An execution: the assertion of a at line 3.* fails under SC and under TSO\n/,
  );
  const html = readFileSync(page, 'utf8');
  expect(html).toContain('Shown: early fails under TSO.');
  expect(html).toMatch(
    /<summary>the assertion of a at line 3.* fails under SC and under TSO<\/summary>/,
  );
  const json = await fencewright(['reach', '--json', claims]);
  const { sc, tso } = resultOf<JsonReachResult>(json);
  const actions = tso?.properties[0]?.computation?.map(({ action }) => action);
  expect(actions).toContain('issue');
  for (const model of [sc, tso])
    expect(model?.failedAssertions[0]?.computation.length).toBeGreaterThan(0);
});
