import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { dividing, endless, fenced, storeBuffering, trencher } from './programs.js';

const files = {
  'sb.fw': storeBuffering,
  'sb.txt': trencher,
  'fenced.fw': fenced,
  'endless.fw': endless,
  'dividing.fw': dividing,
  'wrong.fw': 'program Wrong\nthread t { x = 1; }\n',
};
const explain = (cwd: string, ...args: string[]) =>
  fencewright(['explain', '--max-states', '3000', ...args], { cwd });

describe('explain draws', () => {
  test('all pictures in one run, and says where they are', async () => {
    const cwd = await folderWith(files);
    const run = await explain(
      cwd,
      'sb.fw',
      '--report',
      'html=a.html',
      '--report',
      'svg=a.svg',
      '--report',
      'dot=a.dot',
    );
    expect(run).toMatchObject({ code: 10, stderr: '' });
    expect(run.stdout).toContain(
      'the page is in a.html\nthe graph is in a.svg\nthe graph is in a.dot',
    );
    const read = (name: string) => readFile(path.join(cwd, name), 'utf8');
    expect(await read('a.html')).toMatch(/^<!doctype html>/i);
    expect(await read('a.svg')).toMatch(/^<svg /);
    expect(await read('a.dot')).toMatch(/^digraph "SB"/);
  });

  test.each([
    ['html', /^<!doctype html>/i],
    ['svg', /^<svg /],
    ['dot', /^digraph /],
  ])('%s=- on standard output, with the text beside it on the other', async (format, start) => {
    const cwd = await folderWith(files);
    const run = await explain(cwd, 'sb.txt', '--report', `${format}=-`);
    expect(run.code).toBe(10);
    expect(run.stdout).toMatch(start);
    expect(run.stdout).not.toContain('Step by step');
    expect(run.stderr).toContain('Step by step');
  });

  test.each([
    ['fenced.fw', 0, /Fenced <span class="verdict good">robust</],
    ['endless.fw', 5, /Endless <span class="verdict doubtful">undecided</],
    ['dividing.fw', 65, /Dividing <span class="verdict bad">cannot be decided</],
  ])('a page for %s too, but no graph', async (file, code, headline) => {
    const cwd = await folderWith(files);
    const run = await explain(cwd, file, '--report', 'html=a.html', '--report', 'svg=a.svg');
    expect(run.code).toBe(code);
    expect(run.stdout).toContain('a.svg is not written: without an execution there is no graph');
    const page = await readFile(path.join(cwd, 'a.html'), 'utf8');
    expect(page.replace(/\s+/g, ' ')).toMatch(headline);
    expect(await readdir(cwd)).not.toContain('a.svg');
  });

  test('nothing for a file with errors', async () => {
    const cwd = await folderWith(files);
    expect(await explain(cwd, 'wrong.fw', '--report', 'html=a.html')).toMatchObject({ code: 65 });
    expect(await readdir(cwd)).not.toContain('a.html');
  });

  test('says why it cannot write', async () => {
    const cwd = await folderWith(files);
    const run = await explain(cwd, 'sb.fw', '--report', 'html=no/where.html');
    expect(run.code).toBe(64);
    expect(run.stderr).toContain('no/where.html cannot be written: its folder does not exist');
    expect(run.stdout).toContain('SB breaks on x86');
  });

  test.each([
    [['sb.fw', 'fenced.fw', '--report', 'html=a.html'], 'a single file'],
    [
      ['sb.fw', '--report', 'html=-', '--report', 'svg=-'],
      'standard output has room for one picture',
    ],
    [['sb.fw', '--json', '--report', 'dot=-'], '--json and a picture cannot share standard output'],
  ])('refuses %j', async (args, complaint) => {
    const cwd = await folderWith(files);
    const run = await explain(cwd, ...args);
    expect(run.code).toBe(64);
    expect(run.stderr).toContain(complaint);
  });
});
