import { stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

const handOver = `program HandOver
var x, got
event e() { x = 1; async[any] p(); }
procedure p() { local b; b = x; got = b; }
events e()
`;
const doubleClick = `program DoubleClick
var count
event click() { async[any] load(); }
procedure load() { local c; c = count; count = c + 1; }
events click() * 2
`;
const unfenceable = handOver.replace('async', '@nofence async');

describe('fence of a program of events', () => {
  test('says which fence, why, and how the text changes', async () => {
    const cwd = await folderWith({ 'h.fw': handOver });
    const run = await fencewright(['fence', 'h.fw'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('becomes robust with 1 fence of cost 1, provably cheapest');
    expect(run.stdout).toContain('1. e: a fence at line 3, cost 1');
    expect(run.stdout).toContain("p()'s load of x (line 4) comes before e()'s store of x (line 3)");
    expect(run.stdout).toContain('+event e() { x = 1; fence; async[any] p(); }');
  });

  test('--write mends the file, which then needs nothing', async () => {
    const cwd = await folderWith({ 'h.fw': handOver });
    expect(await fencewright(['fence', 'h.fw', '--write'], { cwd })).toMatchObject({ code: 0 });
    expect(await fencewright(['check', 'h.fw'], { cwd })).toMatchObject({ code: 0 });
    const again = await fencewright(['fence', 'h.fw', '--write'], { cwd });
    expect(again.stdout).toContain('is already robust: no fence needed');
  });

  test('-o - prints the program alone', async () => {
    const run = await fencewright(['fence', '-', '-o', '-'], { input: handOver });
    expect(run.code).toBe(0);
    expect(run.stdout).toBe(handOver.replace('async', 'fence; async'));
  });

  test.each([
    ['needs no store buffer', doubleClick, 'concurrency', 'without store buffers'],
    ['no fence may stand', unfenceable, 'no-place', 'no fence may stand'],
  ])('exits 10 where it %s, and writes nothing', async (_, text, because, sentence) => {
    const cwd = await folderWith({ 'a.fw': text });
    const run = await fencewright(['fence', 'a.fw', '-o', 'b.fw'], { cwd });
    expect(run.code).toBe(10);
    expect(run.stdout).toContain('no fence set exists');
    expect(run.stdout).toContain(sentence);
    await expect(stat(path.join(cwd, 'b.fw'))).rejects.toThrow();
    const { stdout } = await fencewright(['fence', '--json', 'a.fw'], { cwd });
    const { results } = JSON.parse(stdout) as { results: object[] };
    expect(results[0]).toMatchObject({ verdict: 'not-robust', outcome: 'impossible', because });
  });

  test('--json has the fences, the clauses and what is known of the program as it is', async () => {
    const cwd = await folderWith({ 'h.fw': handOver });
    const { stdout, code } = await fencewright(['fence', '--json', 'h.fw'], { cwd });
    expect(code).toBe(0);
    const { results } = JSON.parse(stdout) as { results: object[] };
    expect(results[0]).toMatchObject({
      verdict: 'not-robust',
      outcome: 'found',
      against: 'both',
      posting: 'plain',
      criteria: { concurrency: { verdict: 'robust' }, tsoSerial: { verdict: 'not-robust' } },
      fences: [{ kind: 'fence', thread: 'e', line: 3, cost: 1 }],
      cost: 1,
      optimal: true,
      eventClauses: [{ witness: { semantics: 'multi-tso' } }],
    });
  });

  test('an interrupted search is unknown, and says so', async () => {
    const cwd = await folderWith({ 'h.fw': handOver });
    const run = await fencewright(['fence', 'h.fw', '--max-states', '3', '-o', 'b.fw'], { cwd });
    expect(run.code).toBe(5);
    expect(run.stdout).toContain('the limit on states was reached');
    await expect(stat(path.join(cwd, 'b.fw'))).rejects.toThrow();
  });

  test.each([
    [['--posting', 'fenced'], 'is already robust'],
    [['--against', 'concurrency'], 'is already robust against concurrency'],
  ])('%j needs none', async (args, words) => {
    const cwd = await folderWith({ 'h.fw': handOver });
    const run = await fencewright(['fence', 'h.fw', ...args], { cwd });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain(words);
  });

  test.each([
    ['--repair', 'any'],
    ['--minimise'],
    ['--for', 'p'],
    ['--hb', 'value'],
    ['--cost', 'profile'],
  ])('%s %s is refused', async (...args) => {
    const cwd = await folderWith({ 'h.fw': handOver });
    const given = args.filter((arg) => arg !== undefined);
    const run = await fencewright(['fence', 'h.fw', ...given], { cwd });
    expect(run.code).toBe(64);
    const option = args[0] === '--for' ? args[0] : given.join(' ');
    expect(run.stderr).toContain(`${option} does not apply to programs of events`);
  });
});
