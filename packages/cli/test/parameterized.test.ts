import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

const roles = `program Roles
var x[3]
thread t[*] {
  local i, r;
  havoc i in 0..2;
  x[i] = 1;
  if (i > 0) { fence; }
  r = x[(i + 1) % 3];
}
`;

const lock = `program Lock
var m, x, y
thread left[*] {
  local r, s;
  do { s = xchg(m, 1); } while (s == 1);
  x = 1;
  r = y;
  m = 0;
}
thread right[*] {
  local r, s;
  do { s = xchg(m, 1); } while (s == 1);
  y = 1;
  r = x;
  m = 0;
}
`;

interface Result {
  readonly verdict: string;
  readonly scope?: object;
  readonly copies?: object;
  readonly invariant?: number;
}

async function results(args: readonly string[], cwd: string): Promise<readonly Result[]> {
  const { stdout } = await fencewright([...args, '--json'], { cwd });
  return (JSON.parse(stdout) as { results: Result[] }).results;
}

describe('check on threads in any number of copies', () => {
  it('is about all numbers, and shows what proves it', async () => {
    const cwd = await folderWith({ 'lock.fw': lock });
    const { code, stdout } = await fencewright(['check', 'lock.fw'], { cwd });
    expect(stdout).toContain('is robust for any number of copies of left and right');
    expect(stdout).toMatch(/proved by an inductive invariant of \d+ configurations/);
    expect(code).toBe(0);
    const [result] = await results(['check', 'lock.fw'], cwd);
    expect(result).toMatchObject({
      verdict: 'robust',
      scope: { instances: 'all', templates: ['left', 'right'] },
    });
    expect(result?.invariant).toBeGreaterThan(1);
  });

  it('names the instance that breaks', async () => {
    const cwd = await folderWith({ 'roles.fw': roles });
    for (const verb of ['check', 'explain']) {
      const { code, stdout } = await fencewright([verb, 'roles.fw'], { cwd });
      expect(stdout).toContain('is not robust with 3 copies of t');
      expect(stdout).toContain('t[2]');
      expect(code).toBe(10);
    }
    expect(await results(['check', 'roles.fw'], cwd)).toMatchObject([
      { verdict: 'not-robust', scope: { instances: 'one', copies: { t: 3 } } },
    ]);
  });

  it('counts the threads that can be counted', async () => {
    const own = lock.replace(/\n*$/, '\nthread single { local r; r = y; }\n');
    const cwd = await folderWith({ 'lock.fw': lock, 'own.fw': own, 'roles.fw': roles });
    const report = async (...args: string[]) => (await fencewright(args, { cwd })).stdout;
    for (const verb of ['check', 'explain']) {
      expect(await report(verb, 'lock.fw')).toMatch(
        /\n  any number of copies of left and right, \d+ labels/,
      );
      expect(await report(verb, 'own.fw')).toMatch(
        /\n  1 thread and any number of copies of left and right, \d+ labels/,
      );
      expect(await report(verb, 'roles.fw')).toMatch(/\n  3 threads, \d+ labels/);
    }
    await report('explain', 'lock.fw', '--report', 'html=out.html');
    const page = await readFile(path.join(cwd, 'out.html'), 'utf8');
    expect(page).toMatch(/robust for any number of copies of/);
    expect(page).toMatch(/any number of copies of left and right, \d+ labels/);
  });

  it('is never robust without the search of all instances', async () => {
    const cwd = await folderWith({ 'lock.fw': lock, 'roles.fw': roles });
    const check = async (...args: string[]) =>
      (await fencewright(['check', ...args], { cwd })).code;
    expect(await check('lock.fw', '--no-cover')).toBe(5);
    expect(await check('lock.fw', '--without', 'cover')).toBe(5);
    expect(await check('lock.fw', '--no-small-instances', '--max-states', '20')).toBe(5);
    expect(await check('lock.fw', '--no-small-instances', '--no-static-path')).toBe(0);
    expect(await check('roles.fw', '--no-small-instances')).toBe(10);
  });
});

describe('check --certificate', () => {
  it('writes what verify-certificate confirms, for that program only', async () => {
    const other = lock.replace('y = 1', 'y = 2');
    const cwd = await folderWith({ 'lock.fw': lock, 'other.fw': other, 'roles.fw': roles });
    const run = await fencewright(['check', 'lock.fw', '--certificate', 'c.json'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('the certificate is in c.json');
    const holds = await fencewright(['verify-certificate', 'c.json', 'lock.fw'], { cwd });
    expect(holds).toMatchObject({ code: 0, stderr: '' });
    expect(holds.stdout).toContain('c.json holds for lock.fw');
    for (const file of ['other.fw', 'roles.fw']) {
      const fails = await fencewright(['verify-certificate', 'c.json', file], { cwd });
      expect(fails.code).toBe(10);
      expect(fails.stdout).toContain('about another program');
    }
  });

  it('writes nothing where there is nothing to prove', async () => {
    const cwd = await folderWith({ 'lock.fw': lock, 'roles.fw': roles });
    const check = (...args: string[]) =>
      fencewright(['check', ...args, '--certificate', 'c.json'], { cwd });
    const broken = await check('roles.fw');
    expect(broken.code).toBe(10);
    expect(broken.stderr).toContain('c.json is not written: only robustness has a proof');
    expect((await check('lock.fw', '--no-cover')).code).toBe(5);
    expect((await check('lock.fw', 'roles.fw')).code).toBe(64);
    expect((await fencewright(['verify-certificate', 'c.json', 'lock.fw'], { cwd })).code).toBe(65);
  });

  it('is about numbers of copies, which the verifier has to be told', async () => {
    const cwd = await folderWith({ 'lock.fw': lock });
    const one = ['--copies', 'left=1,right=1'];
    const made = await fencewright(['check', 'lock.fw', ...one, '--certificate', 'c.json'], {
      cwd,
    });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const verify = (...args: string[]) =>
      fencewright(['verify-certificate', 'c.json', ...args], { cwd });
    expect(await verify('lock.fw', ...one)).toMatchObject({ code: 0, stderr: '' });
    const other = await verify('lock.fw', '--copies', 'left=2,right=1');
    expect(other.code).toBe(10);
    expect(other.stdout).toContain('about another program');
    expect((await verify('lock.fw')).code).toBe(10);
    for (const args of [one, ['lock.fw', '--copies', 'left=1..2']])
      expect((await verify(...args)).code).toBe(64);
    const events = await verify('lock.fw', '--instances', 'left=1,right=1');
    expect(events.code).toBe(65);
    expect(events.stderr).toContain('--instances does not apply to programs of threads');
  });
});

describe('fence on threads in any number of copies', () => {
  it('finds the cheapest fences for all numbers, and puts them into the text', async () => {
    const cwd = await folderWith({ 'roles.fw': roles, 'lock.fw': lock });
    const args = ['fence', 'roles.fw', '-o', 'fenced.fw'];
    const { code, stdout } = await fencewright(args, { cwd });
    expect(stdout).toContain('becomes robust with 1 fence of cost 1, provably cheapest');
    expect(code).toBe(0);
    expect((await fencewright(['check', 'fenced.fw'], { cwd })).code).toBe(0);
    const { stdout: none } = await fencewright(['fence', 'lock.fw'], { cwd });
    expect(none).toContain('is already robust');
    const mixed = await fencewright(['fence', 'roles.fw', '--property', 'p'], { cwd });
    expect(mixed.code).not.toBe(0);
  });
});

describe('fence --certificate on threads in any number of copies', () => {
  it('writes what verify-certificate confirms, for that program only', async () => {
    const cwd = await folderWith({ 'lock.fw': lock, 'roles.fw': roles });
    const run = await fencewright(['fence', 'roles.fw', '--certificate', 'c.json'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('the certificate is in c.json');
    const holds = await fencewright(['verify-certificate', 'c.json', 'roles.fw'], { cwd });
    expect(holds).toMatchObject({ code: 0, stderr: '' });
    expect(holds.stdout).toContain('every instance is robust');
    const fails = await fencewright(['verify-certificate', 'c.json', 'lock.fw'], { cwd });
    expect(fails.code).toBe(10);
  });
});

describe('--copies', () => {
  const both = `program P
var x, y
thread t[*] { local r; x = 1; r = y; }
thread w[*] { local r; y = 1; r = x; }
`;

  it.each([
    ['t=2,w=2', []],
    ['t=2,w=1', []],
    ['t=1,w=3', []],
    ['t=2,w=3', ['--repair', 'any']],
    ['t=2,w=3', ['--repair', 'xchg']],
  ] as const)('%s %j: fences go into the text of templates', async (threads, options) => {
    const cwd = await folderWith({ 'p.fw': both });
    const asked = ['fence', '--copies', threads, ...options, 'p.fw', '-o', 'q.fw'];
    const { code } = await fencewright(asked, { cwd });
    expect(code).toBe(0);
    // Both sides delay their store: one repair in each text is necessary and sufficient.
    const after = await fencewright(['check', '--copies', threads, 'q.fw'], { cwd });
    expect(after.code).toBe(0);
    expect((await readFile(path.join(cwd, 'q.fw'), 'utf8')).match(/fence|xchg/g)).toHaveLength(2);
  });

  it('and an attack of any number of copies is a program with any number of copies', async () => {
    const cwd = await folderWith({ 'p.fw': both });
    const asked = ['convert', '--attack', 'any', 'p.fw', '--to'];
    const { code } = await fencewright([...asked, 'native', '-o', 'q.fw'], { cwd });
    expect(code).toBe(0);
    const text = await readFile(path.join(cwd, 'q.fw'), 'utf8');
    expect(text).toContain('property attack_fails: never (t[0] @ goal');
    // `both` is not robust, so that some instance reaches the goal under SC.
    const { stdout } = await fencewright(['reach', 'q.fw'], { cwd });
    expect(stdout).toContain('wrong already under SC: attack_fails');
    expect((await fencewright([...asked, 'automata'], { cwd })).stdout).toContain('"goal"');
    // Spin needs a number.
    expect((await fencewright([...asked, 'promela'], { cwd })).code).toBe(65);
    const counted = await fencewright([...asked, 'promela', '--copies', 't=2,w=1'], { cwd });
    expect(counted).toMatchObject({ code: 0 });
    const range = await fencewright([...asked, 'native', '--copies', 't=1..2'], { cwd });
    expect(range.code).toBe(64);
  });

  it('looks at the instances it lists only, and says so', async () => {
    const cwd = await folderWith({ 'roles.fw': roles, 'lock.fw': lock });
    const { code, stdout } = await fencewright(['check', 'roles.fw', '--copies', 't=1..3'], {
      cwd,
    });
    expect(stdout).toContain('With 2 copies of t; nothing is said about other numbers.');
    expect(code).toBe(10);
    expect(await results(['check', 'roles.fw', '--copies', 't=1..3'], cwd)).toMatchObject([
      { verdict: 'robust', copies: { t: 1 } },
      { verdict: 'robust', copies: { t: 2 } },
      { verdict: 'not-robust', copies: { t: 3 } },
    ]);
    const pairs = ['check', 'lock.fw', '--copies', 'left=0..1,right=2', '--copies', 'right=2'];
    expect((await results(pairs, cwd)).map(({ copies }) => copies)).toEqual([
      { left: 0, right: 2 },
      { left: 1, right: 2 },
    ]);
  });

  it('reads standard input once for all instances', async () => {
    const args = ['check', '-', '--json', '--copies', 't=2..3'];
    const { stdout } = await fencewright(args, { input: roles });
    const { results: found } = JSON.parse(stdout) as { results: Result[] };
    expect(found.map(({ verdict }) => verdict)).toEqual(['robust', 'not-robust']);
  });

  it('gives every verb numbers that needs them', async () => {
    const cwd = await folderWith({ 'lock.fw': lock });
    const without = await fencewright(['reach', 'lock.fw'], { cwd });
    expect(without.code).toBe(65);
    expect(without.stderr).toContain('--threads');
    const args = ['reach', 'lock.fw', '--copies', 'left=1,right=1'];
    expect((await fencewright(args, { cwd })).code).toBe(0);
  });

  it('refuses what it cannot read', async () => {
    const cwd = await folderWith({ 'lock.fw': lock });
    const run = (...ranges: string[]) =>
      fencewright(['check', 'lock.fw', ...ranges.flatMap((range) => ['--copies', range])], {
        cwd,
      });
    expect((await run('left')).code).toBe(64);
    expect((await run('left=3..1')).code).toBe(64);
    const unknown = await run('lift=1');
    expect(unknown.code).toBe(65);
    expect(unknown.stderr).toContain("did you mean 'left'?");
    // The error appears once, and not for each instance.
    const { stderr } = await run('q=1..3');
    expect(stderr.match(/no thread is named 'q'/g)).toHaveLength(1);
    expect(stderr).toContain('there is left, right');
  });
});

describe('convert --to mist|tts|pnml', () => {
  it('writes attacks as nets that cover decides alike', async () => {
    const cwd = await folderWith({ 'lock.fw': lock, 'roles.fw': roles });
    for (const [file, code] of [
      ['lock', 0],
      ['roles', 10],
    ] as const)
      for (const [format, end] of [
        ['mist', 'spec'],
        ['tts', 'tts'],
      ] as const) {
        const net = `${file}.${end}`;
        const args = ['convert', `${file}.fw`, '--to', format, '--attack', 'any', '-o', net];
        expect(await fencewright(args, { cwd })).toMatchObject({ code: 0 });
        expect((await fencewright(['cover', net], { cwd })).code).toBe(code);
      }
    const product = ['convert', 'lock.fw', '--to', 'mist', '--attack', 'any', '--net', 'product'];
    await fencewright([...product, '-o', 'product.spec'], { cwd });
    expect((await fencewright(['cover', 'product.spec'], { cwd })).code).toBe(0);
    const json = ['convert', 'lock.fw', '--to', 'json', '--attack', 'any'];
    expect(JSON.parse((await fencewright(json, { cwd })).stdout)).toMatchObject({
      format: 'fencewright-net',
      controls: expect.arrayContaining(['before', 'delaying', 'path', 'goal']) as string[],
    });
    const misplaced = await fencewright(['convert', 'lock.fw', '--to', 'dot', '--net', 'flat'], {
      cwd,
    });
    expect(misplaced.code).toBe(64);
    expect(misplaced.stderr).toContain('--net is for the formats mist, tts, pnml, json');
    const args = ['convert', 'roles.fw', '--to', 'pnml', '--attack', 't:6:8'];
    expect((await fencewright(args, { cwd })).stdout).toContain('<transition ');
    expect((await fencewright(['convert', 'roles.fw', '--to', 'pnml'], { cwd })).code).toBe(65);
  });

  it('a net that is no thread transition system is refused as such', async () => {
    const text = `program N
var x, y
domain 0..1
thread t[*] { local r; x = 1; fence; r = y; }
thread s[*] { local r; y = 1; fence; r = x; }
`;
    const cwd = await folderWith({ 'n.fw': text });
    const asked = ['convert', 'n.fw', '--attack', 'any', '--net', 'product', '--to'];
    const { code, stderr } = await fencewright([...asked, 'tts'], { cwd });
    expect(code).toBe(65);
    expect(stderr).toContain('this net is no thread transition system');
    expect(await fencewright([...asked, 'mist'], { cwd })).toMatchObject({ code: 0 });
  });
});

describe('options that do not apply to threads in any number of copies', () => {
  const refused = [
    ['--engine', 'instrument'],
    ['--engine', 'single-query'],
    ['--engine', 'spin'],
    ['--engine', 'chc'],
    ['--no-local-first'],
    ['--no-freeze'],
    ['--no-symmetry'],
    ['--without', 'freeze'],
    ['--solver', 'wasm'],
  ];

  it('are refused by name, and those that do are heeded', async () => {
    const cwd = await folderWith({ 'lock.fw': lock });
    for (const [verb, options] of [
      ['check', refused],
      ['explain', refused.slice(0, 1)],
    ] as const)
      for (const option of options) {
        const { code, stdout, stderr } = await fencewright([verb, 'lock.fw', ...option], { cwd });
        expect({ code, stdout }, option.join(' ')).toEqual({ code: 64, stdout: '' });
        expect(stderr).toContain(`${option.join(' ')} does not apply to any number of copies`);
      }
    const heeded = ['--engine', 'search', '--no-dead-registers', '--no-owned-cells'];
    expect((await fencewright(['check', 'lock.fw', ...heeded], { cwd })).code).toBe(0);
    const bounded = ['--copies', 'left=1,right=1', '--engine', 'instrument'];
    expect((await fencewright(['check', 'lock.fw', ...bounded], { cwd })).code).toBe(0);
  });

  it('are refused in JSON as well', async () => {
    const cwd = await folderWith({ 'lock.fw': lock });
    const [result] = await results(['check', 'lock.fw', '--engine', 'instrument'], cwd);
    expect(result).toMatchObject({ verdict: 'error', diagnostics: [{ code: 'FW1012' }] });
  });
});

describe('convert to a net', () => {
  const endless = `program Endless
var x, y, c
thread t[*] { local r, s; r = fetch_add(c, 1); x = 1; fence; s = y; x = s; s = x; }
thread u[*] { local r; y = 1; fence; r = x; y = r; r = y; }
`;

  it('keeps to the limits, and is undecided where it cannot', async () => {
    const cwd = await folderWith({ 'endless.fw': endless });
    const convert = (...args: string[]) => fencewright(['convert', 'endless.fw', ...args], { cwd });
    for (const [limit, reason] of [
      [['--max-memory', '8'], 'the limit on memory was reached'],
      [['--timeout', '0.2'], 'the time ran out'],
    ] as const) {
      const { code, stdout, stderr } = await convert('--to', 'mist', '--attack', 'any', ...limit);
      expect(stderr).toContain(reason);
      expect(stdout).toBe('');
      expect(code).toBe(5);
    }
    expect((await convert('--to', 'native', '--timeout', '60')).code).toBe(0);
  });
});
