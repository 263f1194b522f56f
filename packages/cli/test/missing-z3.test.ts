import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fencewrightAfresh as fencewright, folderWith } from './fencewright.js';
import { endless, storeBuffering } from './programs.js';

/** Returns a folder with programs, and an environment whose PATH has a `node` and nothing else. */
async function withoutZ3(): Promise<{ readonly cwd: string; readonly env: { PATH: string } }> {
  const cwd = await folderWith({ 'sb.fw': storeBuffering, 'endless.fw': endless });
  const bin = path.join(cwd, 'bin');
  await mkdir(bin);
  await symlink(process.execPath, path.join(bin, 'node'));
  return { cwd, env: { PATH: bin } };
}

test('check --engine chc --solver native without z3 on the PATH says what to install', async () => {
  const args = ['check', '--engine', 'chc', '--solver', 'native', 'sb.fw'];
  const run = await fencewright(args, await withoutZ3());
  expect(run.code).toBe(65);
  expect(run.stderr).toContain("error FW4001: the engine needs 'z3'");
  expect(run.stderr).toContain("with 'apt install z3'");
  expect(run.stdout).toContain('cannot be decided: the engine could not run');
});

test.each([
  [['prove', '--solver', 'native', 'sb.fw']],
  [['prove', '--infer', '--solver', 'native', 'sb.fw', 'endless.fw']],
  [['check', '--prove', '--max-states', '50', '--solver', 'native', 'endless.fw']],
  [['bench', '--suite', 'reduction', '--solver', 'native', 'sb.fw']],
])('so do %j', async (args) => {
  const run = await fencewright(args, await withoutZ3());
  expect(run.code).toBe(65);
  expect(run.stderr).toContain("error FW4001: the engine needs 'z3'");
  expect(run.stderr).toContain("with 'apt install z3'");
  expect(run.stdout).not.toContain('unknown');
});

test('prove --json without z3 has the message, and no verdict but error', async () => {
  const args = ['prove', '--json', '--solver', 'native', 'sb.fw'];
  const run = await fencewright(args, await withoutZ3());
  expect(run).toMatchObject({ code: 65, stderr: '' });
  expect(JSON.parse(run.stdout)).toMatchObject({
    results: [{ verdict: 'error', cause: 'tool', diagnostics: [{ code: 'FW4001' }] }],
  });
});
