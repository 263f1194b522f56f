import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { dekker, spare } from './fence-programs.js';
import { fencewright, folderWith, type Run } from './fencewright.js';
import { fenced, storeBuffering, trencher } from './programs.js';

/** Returns a folder with a program and a certificate that `fence` wrote for the program. */
async function certified(file: string, text: string, ...args: string[]): Promise<string> {
  const cwd = await folderWith({ [file]: text, 'costs.json': '{"look": 3}' });
  const run = await fencewright(['fence', file, '--certificate', 'c.json', ...args], { cwd });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain('the certificate is in c.json');
  return cwd;
}

const verifier = path.resolve(import.meta.dirname, '../../verifier/bin/fencewright-verify.js');

function verify(cwd: string, file: string, ...args: string[]): Promise<Run> {
  return fencewright(['verify-certificate', 'c.json', file, ...args], { cwd });
}

const lostWakeUp = `program P
var work, asleep, signal
thread sleeper { local w; asleep = 1; w = work; if (w == 0) while (signal == 0) { } }
thread waker { local a; work = 1; a = asleep; if (a == 1) signal = 1; }
`;

describe('verify-certificate', () => {
  test.each([
    ['states', ['--max-states', '5'], /more than 5 states: raise --max-states/],
    ['work', ['--effort', '1'], /the limit on work was reached: raise --effort/],
    ['memory', ['--max-memory', '1'], /the memory limit was reached: raise --max-memory/],
  ])('names the option that gives it more %s', async (_, limit, said) => {
    const cwd = await certified('dekker.fw', dekker);
    const run = await verify(cwd, 'dekker.fw', ...limit);
    expect(run.code).toBe(5);
    expect(run.stdout).toMatch(said);
  });

  test('a solver that is not known is wrong usage, for both commands', async () => {
    const cwd = await certified('dekker.fw', dekker);
    const run = await verify(cwd, 'dekker.fw', '--solvers', 'z3,z4');
    expect([run.code, run.stderr]).toEqual([
      64,
      expect.stringContaining("--solvers: 'z4' is not one of z3, cvc5"),
    ]);
    const alone = spawnSync(process.execPath, [verifier, 'c.json', '--solvers', 'z4'], {
      ...{ cwd, encoding: 'utf8' },
    });
    expect([alone.status, alone.stderr]).toEqual([64, expect.stringContaining("'z4' is not one")]);
  });

  test.each([
    ['sb.fw', storeBuffering, []],
    ['sb.fw', storeBuffering, ['--repair', 'any']],
    ['sb.txt', trencher, []],
    ['fenced.fw', fenced, []],
    ['spare.fw', spare, ['--minimise', '--locked-stores']],
    ['dekker.fw', dekker, ['--cost', 'profile', '--seed', '3', '--runs', '10']],
  ])('confirms what fence wrote: %s', async (file, text, args) => {
    const cwd = await certified(file, text, ...args);
    const run = await verify(cwd, file);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain(`c.json holds for ${file}:`);
  });

  test('confirms what fence --for wrote', async () => {
    const text =
      'program P\nvar x, y\nthread a { local r; x = 1; @cost(5) r = y; }\nproperty p: never (ended(a) && x == 0)\n';
    for (const repair of ['fence', 'any']) {
      const cwd = await certified('p.fw', text, '--for', 'p', '--repair', repair);
      const run = await verify(cwd, 'p.fw');
      expect(run.code, run.stderr).toBe(0);
      expect(run.stdout).toContain("the properties hold under TSO: 'p' holds");
    }
  });

  test('confirms what reach wrote', async () => {
    const text = `program P
var x, y
thread a { local r; loop { x = 1; x = 0; fence; r = y; } }
thread b { local r; y = 1; fence; r = x; }
property early: never (x == 2)
property breaks: never (x == 1)
`;
    const cwd = await folderWith({
      'p.fw': text,
      'other.fw': text.replace('fence; r = y', 'r = y'),
    });
    const made = await fencewright(['reach', 'p.fw', '--certificate', 'c.json'], { cwd });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain('the certificate is in c.json');
    const run = await verify(cwd, 'p.fw');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain("under TSO, with store buffers of any length: 'early' holds");
    expect(run.stdout).not.toContain('breaks');
    expect((await verify(cwd, 'other.fw')).code).toBe(10);

    await writeFile(path.join(cwd, 'p.fw'), text.replace('x == 2', 'y == 1'));
    const none = await fencewright(['reach', 'p.fw', '--certificate', 'd.json'], { cwd });
    expect(none.stderr).toContain('d.json is not written: no claim that');
    expect(existsSync(path.join(cwd, 'd.json'))).toBe(false);
  });

  test('confirms fences for progress, and says which goals have no proof', async () => {
    const cwd = await certified('wake.fw', lostWakeUp, '--for', 'progress');
    const run = await verify(cwd, 'wake.fw', '--expect', 'progress=holds');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('threads wait for ever only as they do under SC');
    const args = ['fence', 'wake.fw', '--for', 'states', '--certificate', 'd.json'];
    const states = await fencewright(args, { cwd });
    expect([states.code, states.stderr]).toEqual([
      5,
      'fencewright: d.json is not written: there are no certificates for --for states\n',
    ]);
    expect(existsSync(path.join(cwd, 'd.json'))).toBe(false);
  });

  test('what has no proof is said, and nothing is written', async () => {
    const wide = 'x = 5000000000L;';
    const text = (first: string, fence = '') => `program P
var x, y
thread a { local r; ${first} ${fence} r = y; }
thread b { local r; y = 1; ${fence} r = x; }
`;
    const cwd = await folderWith({
      'wide.fw': text(wide),
      'fenced.fw': text('x = 1;', 'fence;'),
      'sb.fw': text('x = 1;'),
    });
    const certified = (...args: string[]) =>
      fencewright([...args, '--certificate', 'c.json'], { cwd });
    const unproved = 'fencewright: c.json is not written: no proof was found, ';
    const trf = await certified('trf', '--fence', 'wide.fw');
    expect([trf.code, trf.stderr]).toEqual([5, expect.stringContaining(unproved)]);
    const fence = await certified('fence', 'wide.fw');
    expect([fence.code, fence.stderr]).toEqual([5, expect.stringContaining(unproved)]);
    const short = await certified('trf', '--fence', 'sb.fw', '--max-states', '25');
    expect(short.code).toBe(5);
    expect(short.stderr).toContain('c.json is not written: only cheapest fences have a proof');
    const prove = await certified('prove', 'sb.fw', '--script', 'c.smt2');
    expect(prove.stderr).toBe(
      ['c.json', 'c.smt2']
        .map((file) => `fencewright: ${file} is not written: nothing was proved\n`)
        .join(''),
    );
    expect(existsSync(path.join(cwd, 'c.json'))).toBe(false);
    const made = await certified('trf', '--fence', 'fenced.fw');
    expect([made.code, made.stderr]).toEqual([0, '']);
    expect(existsSync(path.join(cwd, 'c.json'))).toBe(true);
  });

  const handOver = `program HandOver
var x, got
event e() { @cost(2) x = 1; later: async[any] p(); }
procedure p() { local b; b = x; got = b; }
events e()
`;

  test.each([
    ['both', [], 'serialisable under TSO'],
    ['tso', [], 'robust against TSO'],
    ['concurrency', [], 'without a fence it is robust against concurrency'],
    ['both', ['--posting', 'fenced'], 'without a fence it is serialisable'],
    ['both', ['--cost', 'costs.json'], 'of cost 3 it is serialisable'],
  ])('confirms what fence wrote for events: %s %j', async (against, args, says) => {
    const cwd = await folderWith({ 'e.fw': handOver, 'costs.json': '{"e:later": 3}' });
    const fence = ['fence', 'e.fw', '--against', against, '--certificate', 'c.json', ...args];
    const made = await fencewright(fence, { cwd });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain('the certificate is in c.json');
    const costs = args[0] === '--cost' ? args : [];
    const run = await verify(cwd, 'e.fw', ...costs);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain(says);
    if (costs.length > 0) {
      expect((await verify(cwd, 'e.fw')).code).toBe(64);
      const cheaper = await verify(cwd, 'e.fw', '--cost', 'size');
      expect(cheaper).toMatchObject({ code: 10 });
    }
  });

  test('says what is not known of any number of instances', async () => {
    const text = 'program Clicks\nvar x\nevent e() { x = 1; }\nevents e() *\n';
    const cwd = await certified('e.fw', text);
    const run = await verify(cwd, 'e.fw');
    expect(run.code).toBe(5);
    expect(run.stdout).toContain('the claim for more is not checked');
  });

  test('confirms what trf --fence wrote', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering });
    const args = ['trf', '--fence', '--certificate', 'c.json', 'sb.fw'];
    expect(await fencewright(args, { cwd })).toMatchObject({ code: 0, stderr: '' });
    const run = await verify(cwd, 'sb.fw');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('there is no triangular race');
    const alone = await fencewright(['trf', '--certificate', 'c.json', 'sb.fw'], { cwd });
    expect(alone.code).toBe(64);
    expect(alone.stderr).toContain('--certificate needs --fence');
  });

  test('needs the file of costs where there was one', async () => {
    const cwd = await certified('dekker.fw', dekker, '--cost', 'costs.json');
    const without = await verify(cwd, 'dekker.fw');
    expect(without.code).toBe(64);
    expect(without.stderr).toContain('give it with --cost FILE');
    expect(await verify(cwd, 'dekker.fw', '--cost', 'costs.json')).toMatchObject({ code: 0 });
    const other = await verify(cwd, 'dekker.fw', '--cost', 'size');
    expect(other.code).toBe(10);
    expect(other.stdout).toMatch(/1\. fence at \w+:look costs 1, not 3/);
  });

  test.each([
    ['a cost', (text: string) => text.replace('"cost": 2', '"cost": 1')],
    ['a clause', (text: string) => text.replace('"kind": "issue"', '"kind": "local"')],
    ['the digest', (text: string) => text.replace(/"digest": "./, '"digest": "g')],
    ['the form', (text: string) => text.replace('"chosen"', '"picked"')],
  ])('finds tampering with %s', async (_, tamper) => {
    const cwd = await certified('sb.fw', storeBuffering);
    const certificate = path.join(cwd, 'c.json');
    const text = await readFile(certificate, 'utf8');
    expect(tamper(text)).not.toBe(text);
    await writeFile(certificate, tamper(text));
    const run = await verify(cwd, 'sb.fw');
    expect(run).toMatchObject({ code: 10, stderr: '' });
    expect(run.stdout).toMatch(/^c\.json does not hold for sb\.fw:\n {2}1\. /);
  });

  test('says of a file that is no certificate, or one of another version, that it is none', async () => {
    const cwd = await certified('sb.fw', storeBuffering);
    const certificate = path.join(cwd, 'c.json');
    const text = await readFile(certificate, 'utf8');
    for (const other of ['{}', '[]', text.replace('"version": 3', '"version": 2')]) {
      await writeFile(certificate, other);
      const run = await verify(cwd, 'sb.fw');
      expect(run).toMatchObject({ code: 65, stdout: '' });
      expect(run.stderr).toContain('c.json is not a certificate');
    }
  });

  test('without a program is about the automata in the certificate, as is the command of its own', async () => {
    const cwd = await certified('sb.fw', storeBuffering);
    const run = await fencewright(['verify-certificate', 'c.json'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/^c\.json holds for the automata in it:\n/);
    const own = (...args: string[]) =>
      spawnSync(process.execPath, [verifier, ...args], { cwd, encoding: 'utf8' });
    expect(own('c.json')).toMatchObject({ status: 0, stdout: run.stdout });
    await fencewright(['convert', 'sb.fw', '--to', 'automata', '-o', 'sb.json'], { cwd });
    expect(own('c.json', 'sb.json')).toMatchObject({ status: 0 });
    await writeFile(path.join(cwd, 'other.fw'), storeBuffering.replace('x = 1', 'x = 2'));
    await fencewright(['convert', 'other.fw', '--to', 'automata', '-o', 'other.json'], { cwd });
    expect(own('c.json', 'other.json')).toMatchObject({ status: 10 });
    expect(own()).toMatchObject({ status: 64 });
    expect(own('sb.fw')).toMatchObject({ status: 65 });
  });

  test('does not take one program for another', async () => {
    const cwd = await certified('sb.fw', storeBuffering);
    await writeFile(path.join(cwd, 'other.fw'), storeBuffering.replace('x = 1', 'x = 2'));
    const run = await verify(cwd, 'other.fw');
    expect(run.code).toBe(10);
    expect(run.stdout).toContain('the certificate is about another program');
  });

  test('refuses what cannot be read', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering, 'c.json': '{}', 'bad.fw': 'program' });
    const swapped = await fencewright(['verify-certificate', 'sb.fw', 'c.json'], { cwd });
    expect(swapped).toMatchObject({ code: 65, stdout: '' });
    expect(swapped.stderr).toContain('sb.fw: error FW1013: this is not JSON');
    expect(await verify(cwd, 'missing.fw')).toMatchObject({ code: 65, stdout: '' });
    expect(await verify(cwd, 'bad.fw')).toMatchObject({ code: 65, stdout: '' });
    const missing = await fencewright(['verify-certificate', 'no.json', 'sb.fw'], { cwd });
    expect(missing).toMatchObject({ code: 65, stdout: '' });
  });

  test('keeps to its limits, and says what it has not checked', async () => {
    const cwd = await certified('sb.fw', storeBuffering);
    const run = await verify(cwd, 'sb.fw', '--max-states', '3');
    expect(run).toMatchObject({ code: 5, stderr: '' });
    expect(run.stdout).toBe(
      [
        'c.json was checked in part for sb.fw:',
        '  checked: no cheaper choice of the 4 allowed repairs will do',
        "  checked: repairs are fences; costs are by 'size'",
        '  not checked: with the 2 chosen repairs of cost 2 it is robust (more than 3 states: raise --max-states)',
        '',
      ].join('\n'),
    );
  });

  test('checks what cover wrote for a net', async () => {
    const net =
      "vars\n  a b\nrules\n  a >= 1 -> a' = a - 1;\ninit\n  a = 1, b = 0\ntarget\n  b >= 1\n";
    const cwd = await folderWith({ 'net.spec': net, 'other.spec': net.replace('a = 1', 'a = 2') });
    const covered = await fencewright(['cover', 'net.spec', '--certificate', 'c.json'], { cwd });
    expect(covered.code).toBe(0);
    expect(await verify(cwd, 'net.spec')).toMatchObject({ code: 0 });
    expect(await verify(cwd, 'other.spec')).toMatchObject({ code: 10 });
  });

  test('tells what it says from what was expected', async () => {
    const cwd = await certified('sb.fw', storeBuffering);
    const right = await verify(cwd, 'sb.fw', '--expect', 'claim=robust', '--expect', 'cost=2');
    expect(right).toMatchObject({ code: 0, stderr: '' });
    const [, digest = ''] = /has the digest ([0-9a-f]{64})\n$/.exec(right.stdout) ?? [];
    const pinned = ['--expect', `program=${digest}`, '--expect', 'assumptions=none'];
    expect(await verify(cwd, 'sb.fw', ...pinned)).toMatchObject({ code: 0 });
    const wrong = await verify(cwd, 'sb.fw', '--expect', 'kind=robust', '--expect', 'max-cost=1');
    expect(wrong).toMatchObject({ code: 10, stderr: '' });
    expect(wrong.stdout).toBe(
      [
        'c.json is not what was expected for sb.fw:',
        '  1. expected kind=robust, but the certificate has kind=fences',
        '  2. expected max-cost=1, but the cost is 2',
        '',
      ].join('\n'),
    );
    const none = await verify(cwd, 'sb.fw', '--expect', 'claim=fine');
    expect(none).toMatchObject({ code: 64, stdout: '' });
    const own = (...args: string[]) =>
      spawnSync(process.execPath, [verifier, 'c.json', ...args], { cwd, encoding: 'utf8' });
    expect(own('--expect', 'cost=2')).toMatchObject({ status: 0 });
    expect(own('--expect', 'cost=3')).toMatchObject({ status: 10 });
    expect(own('--expect', 'cost')).toMatchObject({ status: 64 });
    await writeFile(path.join(cwd, 'c.json'), '['.repeat(1_000_000));
    expect(await verify(cwd, 'sb.fw')).toMatchObject({ code: 65, stdout: '' });
    expect(own()).toMatchObject({ status: 65 });
  });

  test('takes any program for what it is', async () => {
    const open = 'program Open\nvar x\nthread t[*] { x = self; }\n';
    const cwd = await certified('sb.fw', storeBuffering);
    await writeFile(path.join(cwd, 'open.fw'), open);
    const run = await verify(cwd, 'open.fw');
    expect(run).toMatchObject({ code: 10, stderr: '' });
    expect(run.stdout).toContain('the certificate is about another program');
  });
});

test('a certificate that may take more memory than allowed is not checked', async () => {
  const cwd = await folderWith({ 'wide.json': `{"x":[${'[],'.repeat(500_000)}[]]}` });
  const run = await fencewright(['verify-certificate', '--max-memory', '64', 'wide.json'], { cwd });
  expect(run).toMatchObject({ code: 5, stderr: '' });
  expect(run.stdout).toContain('the memory limit was reached: raise --max-memory');
});
