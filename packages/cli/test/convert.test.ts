import { chmod, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { storeBuffering, trencher } from './programs.js';

const files = { 'sb.fw': storeBuffering, 'sb.txt': trencher };

describe('convert', () => {
  test.each([
    ['native', '.fw'],
    ['trencher', '.txt'],
  ])('to %s gives a program with the same verdict', async (format, extension) => {
    for (const file of Object.keys(files)) {
      const cwd = await folderWith(files);
      const converted = `converted${extension}`;
      const run = await fencewright(['convert', '--to', format, file, '-o', converted], { cwd });
      expect(run).toMatchObject({ code: 0, stdout: '' });
      const check = await fencewright(['check', '--all-attacks', converted], { cwd });
      expect(check.code).toBe(10);
      expect(check.stdout).toContain('2 attacks: 2 feasible');
    }
  });

  test('to dot prints a graph', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['convert', '--to', 'dot', 'sb.fw'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/^digraph/);
  });

  test('refuses what the format cannot say, and leaves the output alone', async () => {
    const cwd = await folderWith({
      'a.fw': 'program P\nvar x = 7\nthread t { local r; r = x; }\n',
      'out.txt': 'precious',
    });
    const run = await fencewright(['convert', '--to', 'trencher', 'a.fw', '-o', 'out.txt'], {
      cwd,
    });
    expect(run).toMatchObject({ code: 65, stdout: '' });
    expect(run.stderr).toContain('error FW1012');
    expect(run.stderr).toContain('a.fw cannot be written in the format trencher');
    expect(await readFile(path.join(cwd, 'out.txt'), 'utf8')).toBe('precious');
    expect(await readdir(cwd)).toEqual(['a.fw', 'out.txt']);
  });

  test('replaces a file as a whole, through a link too', async () => {
    const cwd = await folderWith({ ...files, 'real.txt': 'old' });
    await symlink('real.txt', path.join(cwd, 'link.txt'));
    const args = ['convert', '--to', 'trencher', 'sb.fw', '-o', 'link.txt'];
    expect(await fencewright(args, { cwd })).toMatchObject({ code: 0 });
    expect(await readFile(path.join(cwd, 'real.txt'), 'utf8')).toContain('thread t1');
    expect((await readdir(cwd)).toSorted()).toEqual(['link.txt', 'real.txt', 'sb.fw', 'sb.txt']);
  });

  test('says why it cannot write', async () => {
    const cwd = await folderWith(files);
    await mkdir(path.join(cwd, 'folder'));
    await chmod(path.join(cwd, 'folder'), 0o755);
    const to = (output: string) =>
      fencewright(['convert', '--to', 'dot', 'sb.fw', '-o', output], { cwd });
    const missing = await to('no/where.dot');
    expect(missing.code).toBe(64);
    expect(missing.stderr).toContain('cannot be written: its folder does not exist');
    const folder = await to('folder');
    expect(folder.code).toBe(64);
    expect(folder.stderr).toContain('folder cannot be written: it is a folder');
  });
});
