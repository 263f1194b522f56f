import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { sameStores, storeBuffering } from './programs.js';

/**
 * A program that needs fewer fences for value robustness: two suffice, as the two stores of 1 to
 * `y` need no order.
 */
const cheaper = `program Cheaper
var x, y, z, w
thread a { local s; x = 1; y = 1; z = 1; s = w; }
thread b { local r, q; y = 1; r = x; w = 1; q = z; }
`;

/** A program with any number of copies, all of whose stores are equal. */
const crowd = `program Crowd
var x, y
thread t[*] { local r; x = 1; r = y; }
thread u { local s; y = 1; fence; s = x; }
`;

/** A program whose copies store equal values, whose order does not matter by values. */
const alike = `program Alike
var x, y
thread t[*] { local r; y = 1; r = x; }
thread u { x = 1; y = 1; }
`;

const files = {
  'cheaper.fw': cheaper,
  'crowd.fw': crowd,
  'alike.fw': alike,
  'same.fw': sameStores,
  'sb.fw': storeBuffering,
};

interface FenceJson {
  readonly results: readonly {
    readonly happensBefore?: string;
    readonly cost: number;
    readonly verdict: string;
  }[];
}

async function jsonOf(cwd: string, ...args: string[]): Promise<FenceJson['results'][number]> {
  const { stdout } = await fencewright([...args, '--json'], { cwd });
  return (JSON.parse(stdout) as FenceJson).results[0]!;
}

describe('fence --hb value', () => {
  test('finds what is cheapest by values, and writes it', async () => {
    const cwd = await folderWith(files);
    expect(await jsonOf(cwd, 'fence', 'cheaper.fw')).toMatchObject({
      happensBefore: 'standard',
      cost: 3,
    });
    const run = await fencewright(['fence', '--hb', 'value', 'cheaper.fw', '-o', 'out.fw'], {
      cwd,
    });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain(
      'becomes robust under value happens-before with 2 fences of cost 2, provably cheapest',
    );
    const text = await readFile(path.join(cwd, 'out.fw'), 'utf8');
    expect(text.match(/fence;/g)).toHaveLength(2);
    const check = async (...args: string[]) =>
      (await fencewright(['check', 'out.fw', ...args], { cwd })).code;
    expect(await check('--hb', 'value')).toBe(0);
    expect(await check()).toBe(10);
    expect(await jsonOf(cwd, 'fence', '--hb', 'value', 'cheaper.fw')).toMatchObject({
      happensBefore: 'value',
      verdict: 'not-robust',
      cost: 2,
    });
  });

  test('says so where nothing is to be done, and where too much was', async () => {
    const cwd = await folderWith({
      ...files,
      'spare.fw': sameStores.replaceAll('y = 1;', 'y = 1; fence;'),
    });
    const nothing = await fencewright(['fence', '--hb', 'value', 'same.fw'], { cwd });
    expect(nothing.stdout).toContain('is already robust under value happens-before: no fence');
    const spare = ['fence', '--minimise', 'spare.fw'];
    const standard = await jsonOf(cwd, ...spare);
    expect(standard.cost).toBeGreaterThan(0);
    expect(await jsonOf(cwd, ...spare, '--hb', 'value')).toMatchObject({ cost: 0 });
  });

  test('treats all instances', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['fence', '--hb', 'value', 'crowd.fw', '-o', 'out.fw'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('becomes robust under value happens-before with 1 fence');
    expect(await fencewright(['check', '--hb', 'value', 'out.fw'], { cwd })).toMatchObject({
      code: 0,
    });
  });

  test.each([
    [['--for', 'safe'], 'is about robustness, which --for does not ask for'],
    [['--repair', 'xchg'], 'goes with fences only'],
    [['--repair', 'any'], 'goes with fences only'],
    [['--minimise', '--locked-stores'], 'goes with fences only'],
  ])('does not go together with %s', async (args, why) => {
    const cwd = await folderWith(files);
    const run = await fencewright(['fence', '--hb', 'value', 'sb.fw', ...args], { cwd });
    expect(run).toMatchObject({ code: 64, stdout: '' });
    expect(run.stderr).toContain(`error: --hb value ${why}`);
  });
});

describe('certificates by values', () => {
  test.each([
    [
      'fence',
      'cheaper.fw',
      'with the 2 chosen repairs of cost 2 it is robust under value happens-before',
    ],
    ['check', 'alike.fw', 'every instance is robust against TSO under value happens-before'],
  ])('of %s name the notion, and prove nothing else', async (verb, file, proves) => {
    const cwd = await folderWith(files);
    const args = [verb, '--hb', 'value', file, '--certificate', 'c.json'];
    expect(await fencewright(args, { cwd })).toMatchObject({ code: 0, stderr: '' });
    const holds = await fencewright(['verify-certificate', 'c.json', file], { cwd });
    expect(holds).toMatchObject({ code: 0, stderr: '' });
    expect(holds.stdout).toContain(proves);
    const certificate = path.join(cwd, 'c.json');
    const text = await readFile(certificate, 'utf8');
    await writeFile(
      certificate,
      text.replace('"happensBefore": "value"', '"happensBefore": "standard"'),
    );
    expect(await fencewright(['verify-certificate', 'c.json', file], { cwd })).toMatchObject({
      code: 10,
    });
  });
});

describe('the notion of a verdict', () => {
  test('is named by check in all its reports, and in what it advises', async () => {
    const cwd = await folderWith(files);
    const args = [
      'check',
      '--hb',
      'value',
      'sb.fw',
      '--report',
      'sarif=out.sarif',
      '--report',
      'junit=out.xml',
    ];
    const { stdout } = await fencewright(args, { cwd });
    expect(stdout).toContain('it is not robust under value happens-before: ');
    expect(stdout).toContain('; fencewright fence --hb value sb.fw finds');
    const sarif = await readFile(path.join(cwd, 'out.sarif'), 'utf8');
    expect(sarif).toContain('"text": "Not robust under value happens-before: t1 can delay');
    const junit = await readFile(path.join(cwd, 'out.xml'), 'utf8');
    expect(junit).toContain('not robust under value happens-before: ');
  });

  test('is named where it is not known whether the program is robust', async () => {
    const cwd = await folderWith(files);
    const limit = ['--max-states', '2', '--report', 'sarif=out.sarif', '--report', 'junit=out.xml'];
    const { code } = await fencewright(['check', '--hb', 'value', 'cheaper.fw', ...limit], { cwd });
    expect(code).toBe(5);
    const sarif = await readFile(path.join(cwd, 'out.sarif'), 'utf8');
    expect(sarif).toContain('whether the program is robust under value happens-before: ');
    const junit = await readFile(path.join(cwd, 'out.xml'), 'utf8');
    expect(junit).toContain('message="undecided under value happens-before: ');
  });

  test('is named on the page of explain, with its fences', async () => {
    const cwd = await folderWith(files);
    const args = ['explain', '--hb', 'value', 'cheaper.fw', '--report', 'html=out.html'];
    expect(await fencewright(args, { cwd })).toMatchObject({ code: 10 });
    const page = await readFile(path.join(cwd, 'out.html'), 'utf8');
    expect(page).toContain('fencewright fence --write --hb value cheaper.fw');
    expect(page).toContain('2 fences of cost 2');
  });

  test('is named in the rows of bench, whose fences are those of the notion', async () => {
    const cwd = await folderWith(files);
    const { stdout } = await fencewright(['bench', '--hb', 'value', 'cheaper.fw', 'same.fw'], {
      cwd,
    });
    const [, first = '', second = ''] = stdout.split('\n');
    expect(first).toMatch(/^Cheaper( +\d+){7} +2 .* not robust \(value\)$/);
    expect(second).toMatch(/^Same( +\d+){7} +0 .* robust \(value\)$/);
    const suite = ['bench', '--suite', 'reduction', '--hb', 'value', 'same.fw'];
    const run = await fencewright(suite, { cwd });
    expect(run).toMatchObject({ code: 64, stdout: '' });
    expect(run.stderr).toContain('looks for proofs in either notion: leave --hb out');
  });

  test('of all instances', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['check', '--hb', 'value', 'alike.fw', 'crowd.fw'], { cwd });
    expect(run.code).toBe(10);
    expect(run.stdout).toContain(
      'Alike is robust under value happens-before for any number of copies of t',
    );
    expect(run.stdout).toContain('Crowd is not robust under value happens-before with 1 copy of t');
    expect(await fencewright(['check', 'alike.fw'], { cwd })).toMatchObject({ code: 10 });
  });
});
