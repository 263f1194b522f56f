import { chmod, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

const ragged = 'program P\nvar x\nthread t {\nx=1; // one\n}\n';
const neat = 'program P\nvar x\nthread t {\n  x = 1; // one\n}\n';

test('files are written anew, with their mode; those that are neat are left alone', async () => {
  const cwd = await folderWith({ 'a.fw': `\ufeff${ragged}`, 'b.fw': neat });
  await chmod(path.join(cwd, 'a.fw'), 0o640);
  const before = await stat(path.join(cwd, 'b.fw'));
  expect(await fencewright(['format', 'a.fw', 'b.fw'], { cwd })).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  expect(await readFile(path.join(cwd, 'a.fw'), 'utf8')).toBe(`\ufeff${neat}`);
  expect((await stat(path.join(cwd, 'a.fw'))).mode & 0o777).toBe(0o640);
  expect((await stat(path.join(cwd, 'b.fw'))).ino).toBe(before.ino);
});

test('--check names what would change and writes nothing', async () => {
  const cwd = await folderWith({ 'a.fw': ragged, 'b.fw': neat });
  const run = await fencewright(['format', '--check', 'a.fw', 'b.fw'], { cwd });
  expect(run).toMatchObject({ code: 10, stdout: 'a.fw is laid out in another way\n' });
  expect(await readFile(path.join(cwd, 'a.fw'), 'utf8')).toBe(ragged);
  expect(await fencewright(['format', '--check', 'b.fw'], { cwd })).toMatchObject({ code: 0 });
});

test('standard input goes to standard output', async () => {
  const run = await fencewright(['format', '-'], { input: ragged });
  expect(run).toEqual({ code: 0, stdout: neat, stderr: '' });
});

test('what cannot be read is reported and left alone, and the other files are done', async () => {
  const broken = 'program P thread {\n';
  const cwd = await folderWith({ 'a.fw': broken, 'b.fw': ragged, 'c.litmus': 'X86 SB\n' });
  const run = await fencewright(['format', 'a.fw', 'missing.fw', 'c.litmus', 'b.fw'], { cwd });
  expect(run.code).toBe(65);
  expect(run.stderr).toContain('FW1001');
  expect(run.stderr).toContain('no such file');
  expect(run.stderr).toContain('only programs of the native language can be laid out');
  expect(await readFile(path.join(cwd, 'a.fw'), 'utf8')).toBe(broken);
  expect(await readFile(path.join(cwd, 'b.fw'), 'utf8')).toBe(neat);
});
