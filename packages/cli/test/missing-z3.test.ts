import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { storeBuffering } from './programs.js';

test('--solver native without z3 on the PATH says what to install', async () => {
  const cwd = await folderWith({ 'sb.fw': storeBuffering });
  const bin = path.join(cwd, 'bin');
  await mkdir(bin);
  await symlink(process.execPath, path.join(bin, 'node'));
  const args = ['check', '--engine', 'chc', '--solver', 'native', 'sb.fw'];
  const run = await fencewright(args, { cwd, env: { PATH: bin } });
  expect(run.code).toBe(65);
  expect(run.stderr).toContain("error FW4001: the engine needs 'z3'");
  expect(run.stderr).toContain("with 'apt install z3'");
  expect(run.stdout).toContain('cannot be decided: the engine could not run');
});
