import {
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fencewrightAfresh as fencewright, folderWith } from './fencewright.js';
import { storeBuffering } from './programs.js';

const asRoot = process.getuid?.() === 0;

/** Returns an environment in which Node.js executes the script before the command starts. */
async function hooked(folder: string, script: string): Promise<{ NODE_OPTIONS: string }> {
  await writeFile(path.join(folder, 'hook.cjs'), script);
  return { NODE_OPTIONS: `--require ${path.join(folder, 'hook.cjs')}` };
}

test('--write keeps the mode of the file', async () => {
  const cwd = await folderWith({ 'sb.fw': storeBuffering });
  await chmod(path.join(cwd, 'sb.fw'), 0o640);
  const run = await fencewright(['fence', '--write', 'sb.fw'], { cwd });
  expect(run.code).toBe(0);
  expect((await stat(path.join(cwd, 'sb.fw'))).mode & 0o777).toBe(0o640);
  expect(await readFile(path.join(cwd, 'sb.fw'), 'utf8')).toContain('fence;');
});

test.runIf(asRoot)('--write keeps the owner of the file', async () => {
  const cwd = await folderWith({ 'sb.fw': storeBuffering });
  const { chown } = await import('node:fs/promises');
  await chown(path.join(cwd, 'sb.fw'), 12345, 23456);
  expect((await fencewright(['fence', '--write', 'sb.fw'], { cwd })).code).toBe(0);
  expect(await stat(path.join(cwd, 'sb.fw'))).toMatchObject({ uid: 12345, gid: 23456 });
});

test('--write, -o and -o - keep the byte order mark and the line ends', async () => {
  const text = `\ufeff${storeBuffering.replaceAll('\n', '\r\n')}`;
  const cwd = await folderWith({ 'sb.fw': text });
  await fencewright(['fence', '-o', 'other.fw', 'sb.fw'], { cwd });
  const piped = await fencewright(['fence', '-o', '-', 'sb.fw'], { cwd });
  await fencewright(['fence', '--write', 'sb.fw'], { cwd });
  const written = await readFile(path.join(cwd, 'sb.fw'), 'utf8');
  expect(written.startsWith('\ufeff')).toBe(true);
  expect(written.slice(1)).not.toContain('\ufeff');
  expect(written).toContain('fence;');
  expect(written.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(await readFile(path.join(cwd, 'other.fw'), 'utf8')).toBe(written);
  expect(piped.stdout).toBe(written);
});

test.each([
  ['--write', ['fence', '--write', 'sb.fw'], 'sb.fw'],
  ['-o', ['convert', '--to', 'trencher', 'sb.fw', '-o', 'out.txt'], 'out.txt'],
  ['--certificate', ['fence', '--certificate', 'out.txt', 'sb.fw'], 'out.txt'],
  ['--dot', ['explain', '--report', 'dot=out.txt', 'sb.fw'], 'out.txt'],
  ['--junit', ['check', '--report', 'junit=out.txt', 'sb.fw'], 'out.txt'],
])('%s leaves a read-only file alone', async (_, args, target) => {
  const cwd = await folderWith({ 'sb.fw': storeBuffering, 'out.txt': 'mine' });
  const before = await readFile(path.join(cwd, target), 'utf8');
  await chmod(path.join(cwd, target), 0o444);
  const run = await fencewright(args, { cwd });
  expect(run.code).toBe(64);
  expect(run.stderr).toContain(`fencewright: ${target} cannot be written: the file is read-only`);
  expect(await readFile(path.join(cwd, target), 'utf8')).toBe(before);
});

test('--write leaves a file alone that was changed after it was read', async () => {
  const cwd = await folderWith({ 'sb.fw': storeBuffering });
  const file = path.join(cwd, 'sb.fw');
  // The hook changes the file directly after the synchronous read; a later change is too late.
  const env = await hooked(
    cwd,
    `const fs = require('node:fs');
     const { readFileSync } = fs;
     fs.readFileSync = (name, ...how) => {
       const bytes = readFileSync(name, ...how);
       if (name === 'sb.fw') fs.appendFileSync('sb.fw', '// mine');
       return bytes;
     };`,
  );
  const run = await fencewright(['fence', '--write', 'sb.fw'], { cwd, env });
  expect(run.stderr).toContain('sb.fw cannot be written: the file has changed since it was read');
  expect(run.code).toBe(64);
  expect(await readFile(file, 'utf8')).toBe(`${storeBuffering}// mine`);
});

test('what a run that was killed has left goes with the next, and what a running one has stays', async () => {
  const cwd = await folderWith({ 'sb.fw': storeBuffering });
  const env = await hooked(
    cwd,
    `require('node:fs').promises.rename = () => process.kill(process.pid, 'SIGKILL');`,
  );
  const killed = await fencewright(['fence', '--write', 'sb.fw'], { cwd, env });
  expect(killed.code).toBeNull();
  const unfinished = async (): Promise<string[]> =>
    (await readdir(cwd)).filter((name) => name.startsWith('.'));
  expect(await unfinished()).toHaveLength(1);
  expect(await readFile(path.join(cwd, 'sb.fw'), 'utf8')).toBe(storeBuffering);
  const mine = `.fencewright-${process.pid}-0123456789abcdef`;
  await writeFile(path.join(cwd, mine), '');
  await writeFile(path.join(cwd, '.fencewright-notes'), '');
  expect((await fencewright(['fence', '--write', 'sb.fw'], { cwd })).code).toBe(0);
  expect((await unfinished()).toSorted()).toEqual([mine, '.fencewright-notes']);
});

test('links are followed, also those that lead to nothing yet', async () => {
  const cwd = await folderWith({});
  await mkdir(path.join(cwd, 'there'));
  await writeFile(path.join(cwd, 'there/sb.fw'), storeBuffering);
  await symlink('there/sb.fw', path.join(cwd, 'link.fw'));
  await symlink('there/new.fw', path.join(cwd, 'dangling.fw'));
  await symlink('circle.fw', path.join(cwd, 'circle.fw'));
  expect((await fencewright(['fence', '-o', 'dangling.fw', 'link.fw'], { cwd })).code).toBe(0);
  expect((await fencewright(['fence', '--write', 'link.fw'], { cwd })).code).toBe(0);
  for (const link of ['link.fw', 'dangling.fw'])
    expect((await lstat(path.join(cwd, link))).isSymbolicLink()).toBe(true);
  for (const file of ['there/sb.fw', 'there/new.fw'])
    expect(await readFile(path.join(cwd, file), 'utf8')).toContain('fence;');
  expect(await readdir(path.join(cwd, 'there'))).toEqual(['new.fw', 'sb.fw']);
  const circle = await fencewright(['fence', '-o', 'circle.fw', 'link.fw'], { cwd });
  expect(circle.code).toBe(64);
});

test('a full disk is said, and is no fault of ours', async () => {
  const cwd = await folderWith({ 'sb.fw': storeBuffering });
  const args = ['check', '--report', 'sarif=/dev/full', 'sb.fw'];
  const full = await fencewright(args, { cwd });
  expect(full.stderr).toContain('/dev/full cannot be written: the disk is full');
  expect(full.code).toBe(64);
  const env = await hooked(
    cwd,
    `const { open } = require('node:fs').promises;
     require('node:fs').promises.open = async (...how) => {
       const handle = await open(...how);
       handle.writeFile = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOSPC' }));
       return handle;
     };`,
  );
  const run = await fencewright(['fence', '--write', 'sb.fw'], { cwd, env });
  expect(run.stderr).toContain('sb.fw cannot be written: the disk is full');
  expect(run.code).toBe(64);
  expect(await readFile(path.join(cwd, 'sb.fw'), 'utf8')).toBe(storeBuffering);
  expect((await readdir(cwd)).toSorted()).toEqual(['hook.cjs', 'sb.fw']);
});

test('a full disk behind standard output is said, too', async () => {
  const cwd = await folderWith({ 'sb.fw': storeBuffering });
  const env = await hooked(
    cwd,
    `const { Writable } = require('node:stream');
     const failing = new Writable({ write: (chunk, how, done) => done(Object.assign(new Error('no'), { code: 'ENOSPC' })) });
     Object.defineProperty(process, 'stdout', { value: failing });`,
  );
  const run = await fencewright(['check', 'sb.fw'], { cwd, env });
  expect(run.stderr).toBe('fencewright: standard output cannot be written: the disk is full\n');
  expect(run.code).toBe(64);
});

test('a file with a second name is left alone, for the other name would keep the old text', async () => {
  const cwd = await folderWith({ 'sb.fw': storeBuffering });
  await link(path.join(cwd, 'sb.fw'), path.join(cwd, 'other.fw'));
  const run = await fencewright(['fence', '--write', 'sb.fw'], { cwd });
  expect(run.code).toBe(64);
  expect(run.stderr).toContain(
    'sb.fw cannot be written: other names of the file (hard links) would keep the old text',
  );
  for (const name of ['sb.fw', 'other.fw'])
    expect(await readFile(path.join(cwd, name), 'utf8')).toBe(storeBuffering);
});
