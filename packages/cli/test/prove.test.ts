import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { fenced, sameStores, storeBuffering } from './programs.js';

const schema = new URL('../schema/result.schema.json', import.meta.url);
const validate = new Ajv2020({ allErrors: true, strict: true }).compile(
  JSON.parse(await readFile(schema, 'utf8')) as object,
);

/** A robust program with a counter that grows for ever. */
const counting = `program Counting
var x, y
thread counter { loop { x = x + 1; } }
thread reader { local r; loop { r = x; y = r; } }
`;

/** A robust program: no thread ever stores to `z`, which a proof has to find out. */
const guarded = `program Guarded
var x, y, z
thread a { local r; x = 1; r = z; }
thread b { local r; r = y; if (r == 7) { z = 1; r = x; } }
`;

/** An open program, which only proofs accept. */
const open = `program Open
var a[*], x
thread t[*] { local r; a[self] = 1; r = a[self]; x = r; }
invariant ones(u: t): ended(u) ==> u.r == 1
`;

const work = `program Work
var x, y
thread a { local r; loop { x = 1; havoc r with r == y || r == 0; } }
thread b[*] { y = 1; }
invariant bits: y == 0 || y == 1
`;

const files = {
  'sb.fw': storeBuffering,
  'fenced.fw': fenced,
  'same.fw': sameStores,
  'counting.fw': counting,
  'guarded.fw': guarded,
  'open.fw': open,
  'work.fw': work,
  'wrong.fw': 'program Wrong\nthread t { x = 1; }\n',
};

describe('prove', () => {
  test.each([
    ['fenced.fw', 0, 'is robust (standard and value happens-before)'],
    ['counting.fw', 0, 'is robust (standard and value happens-before)'],
    ['open.fw', 0, 'for any number of copies of t'],
    ['work.fw', 0, 'abstraction is robust'],
    ['sb.fw', 10, 'is not robust (value happens-before)'],
    ['guarded.fw', 5, 'is not proved: 2 stores have no argument'],
    ['wrong.fw', 65, ''],
  ])('%s ends with %d', async (file, code, text) => {
    const run = await fencewright(['prove', file, '--max-states', '2000'], {
      cwd: await folderWith(files),
    });
    expect(run.code).toBe(code);
    expect(run.stdout).toContain(text);
    if (code !== 65) expect(run.stdout).toMatch(new RegExp(`^${file}: `));
    expect(run.stdout.includes(`\n  hint: fencewright prove --infer ${file} `)).toBe(code === 5);
  });

  test('prints a document of the schema', async () => {
    const cwd = await folderWith(files);
    const args = ['prove', '--infer', '--json', '--max-states', '2000', ...Object.keys(files)];
    const run = await fencewright(args, { cwd });
    const document = JSON.parse(run.stdout) as { results: { verdict: string }[] };
    validate(document);
    expect(validate.errors).toBeNull();
    expect(document.results.map(({ verdict }) => verdict)).toEqual([
      'not-robust',
      'proved',
      'proved',
      'proved',
      'proved',
      'proved',
      'proved',
      'error',
    ]);
  });

  test('answers for properties', async () => {
    const cwd = await folderWith(files);
    const asked = await fencewright(['prove', 'open.fw', '--property', 'ones'], { cwd });
    expect(asked.stdout).toContain('ones: unknown, the invariant is not inductive');
    // The first line says what the exit status says.
    expect(asked.stdout.split('\n')[0]).toMatch(/ is robust \(.*\), but ones is not proved$/);
    expect(asked.code).toBe(5);
    const inductive = open.replace('ended(u) ==> u.r == 1', 'u.r == u.r');
    const held = await fencewright(['prove', '-', '--property', 'ones'], { cwd, input: inductive });
    expect(held.stdout).toContain('ones: holds');
    expect(held.stdout.split('\n')[0]).toMatch(/ is robust \([^)]*\)$/);
    expect(held.code).toBe(0);
  });

  test('refuses names that the program does not have, and lists those that it has', async () => {
    const cwd = await folderWith({
      'two.fw':
        'program P\nvar x\nthread t { x = 1; }\ninvariant low: x <= 1\nproperty good: never (x == 4)\n',
      'none.fw': 'program P\nvar x\nthread t { x = 1; }\n',
    });
    const ask = (...names: string[]) =>
      fencewright(['prove', ...names.flatMap((name) => ['--property', name]), 'two.fw'], { cwd });
    const strange = await ask('good', 'nosuch');
    expect([strange.code, strange.stdout]).toEqual([65, '']);
    expect(strange.stderr).toContain("no invariant or property is named 'nosuch'");
    expect(strange.stderr).toContain('hint: there is low and good');
    expect((await ask('god')).stderr).toContain("did you mean 'good'?");
    expect((await ask('low', 'good')).code).toBe(0);
    const none = await fencewright(['prove', 'none.fw', '--property', 'p'], { cwd });
    expect([none.code, none.stderr]).toEqual([
      65,
      expect.stringContaining('hint: the program has no invariant or property'),
    ]);
    const json = await fencewright(['prove', '--json', '--property', 'p', 'none.fw'], { cwd });
    const document = JSON.parse(json.stdout) as { results: unknown[] };
    validate(document);
    expect(validate.errors).toBeNull();
    expect(document.results).toMatchObject([{ verdict: 'error', cause: 'program' }]);
  });

  test('works without a native Z3', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['prove', 'work.fw', '--solver', 'wasm'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('z3 (wasm)');
  });
});

describe('check --prove', () => {
  test('says what settled it', async () => {
    const cwd = await folderWith(files);
    const args = ['check', 'counting.fw', '--max-states', '1000', '--without', 'static-path'];
    expect((await fencewright(args, { cwd })).code).toBe(5);
    const run = await fencewright([...args, '--prove'], { cwd });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('A proof decides the question');
    const json = JSON.parse(
      (await fencewright([...args, '--prove', '--json'], { cwd })).stdout,
    ) as {
      results: unknown[];
    };
    validate(json);
    expect(validate.errors).toBeNull();
    expect(json.results[0]).toMatchObject({ verdict: 'robust', settledBy: 'proof' });
  });

  test('takes programs that no search can take, unless more than a verdict is asked', async () => {
    const cwd = await folderWith(files);
    expect((await fencewright(['check', 'open.fw', '--prove'], { cwd })).code).toBe(0);
    const unasked = await fencewright(['check', 'open.fw'], { cwd });
    expect(unasked.code).toBe(0);
    expect(unasked.stdout).toMatch(/^A proof decides the question:\n/);
    const refused = await fencewright(['check', 'open.fw', '--fail-on', 'deadlocks'], { cwd });
    expect(refused.code).toBe(65);
    expect(refused.stderr).toContain("the array 'a' has no bounds");
  });

  test('leaves a verdict of the search alone', async () => {
    const run = await fencewright(['check', 'sb.fw', '--prove'], { cwd: await folderWith(files) });
    expect(run.code).toBe(10);
    expect(run.stdout).not.toContain('proof');
  });
});

test('bench --suite reduction has the columns of the paper', async () => {
  const cwd = await folderWith(files);
  const run = await fencewright(['bench', '--suite', 'reduction', 'work.fw', 'sb.fw'], { cwd });
  expect(run.stdout).toMatch(/program +RB +RA +WR +RM +LM +questions +seconds +result/);
  expect(run.stdout).toMatch(/Work +\+ +1 +0 +0 +1 .* abstraction robust/);
  expect(run.stdout).toMatch(/SB +- .* not robust \(value\)/);
});

const isSkipped =
  process.env.FENCEWRIGHT_CI === undefined && spawnSync('z3', ['--version']).error !== undefined;

describe.skipIf(isSkipped)('what prove writes (the tests are skipped where there is no z3)', () => {
  test('--certificate: the verifier derives its own questions, and says of which program they are', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['prove', 'work.fw', '--certificate', 'work.json'], { cwd });
    expect(run.code).toBe(0);
    const verify = (...args: string[]) =>
      fencewright(['verify-certificate', 'work.json', ...args, '--solvers', 'z3'], { cwd });
    const accepted = await verify('work.fw');
    expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringContaining('shown by z3')]);
    expect((await verify()).stdout).toContain('for the automata in it');
    expect((await verify('counting.fw')).code).toBe(10);
  });

  test('--certificate and --script are for one file', async () => {
    const cwd = await folderWith(files);
    for (const option of ['--certificate', '--script']) {
      const run = await fencewright(['prove', 'work.fw', 'open.fw', option, 'out'], { cwd });
      expect([run.code, run.stderr]).toEqual([64, expect.stringContaining('is for one file')]);
    }
  });

  test('--script: what Z3 confirms', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['prove', 'work.fw', '--script', 'work.smt2'], { cwd });
    expect(run.code).toBe(0);
    const { stdout } = spawnSync('z3', [path.join(cwd, 'work.smt2')], { encoding: 'utf8' });
    const answers = stdout.trim().split('\n');
    expect(answers.length).toBeGreaterThan(3);
    expect(new Set(answers)).toEqual(new Set(['unsat']));
  });
});

test('properties that were not asked are named, and inferred invariants name places of the text', async () => {
  const cwd = await folderWith({
    'lock.fw': `program Lock
var lock, inside
thread t[*] {
  local r;
  while (!cas(lock, 0, 1)) { }
  cs: inside = 1;
  r = inside;
  lock = 0;
}
property mutex: never (t[0] @ cs && t[1] @ cs)
`,
  });
  const first = await fencewright(['prove', '--infer', 'lock.fw'], { cwd });
  expect(first.stdout).toContain('mutex is not part of this proof');
  const command = ['prove', '--infer', '--property', 'mutex', 'lock.fw'];
  expect(first.stdout).toContain(`hint: fencewright ${command.join(' ')} includes it`);
  const second = await fencewright(command, { cwd });
  expect(second.stdout).toContain('mutex: holds');
  expect(second.stdout).not.toContain('not part of this proof');
  // The statement behind the label is called cs, the one behind that has no label.
  expect(second.stdout).toMatch(/invariant .*a @ cs .*a @ \(line 7\)/);
  expect(second.stdout).toContain('(what a read at line 5)');
  expect(second.stdout).not.toMatch(/\.h\d|@ L\d/);
});
