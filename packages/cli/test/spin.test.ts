import { readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeWith } from '../../../tools/external-program.js';
import { fencewrightAfresh as fencewright, folderWith, type RunOptions } from './fencewright.js';
import { storeBuffering } from './programs.js';

interface Place {
  readonly cwd: string;
  /** The folder for temporary files of the run. */
  readonly temporary: string;
  readonly options: RunOptions;
}

/**
 * Returns a folder with a program, and a PATH with Node.js and, if `script` is given, with an
 * executable `spin`.
 */
async function placeWith(script?: string): Promise<Place> {
  const cwd = await folderWith({ 'sb.fw': storeBuffering });
  const bin = path.join(cwd, 'bin');
  const temporary = path.join(cwd, 'tmp');
  await mkdir(bin);
  await mkdir(temporary);
  await symlink(process.execPath, path.join(bin, 'node'));
  if (script !== undefined) {
    await writeFile(path.join(bin, 'spin'), `#!/bin/sh\n${script}\n`);
    await chmod(path.join(bin, 'spin'), 0o755);
  }
  return { cwd, temporary, options: { cwd, env: { PATH: bin, TMPDIR: temporary } } };
}

const check = ['check', '--engine', 'spin', 'sb.fw'];

/**
 * Returns a fake spin that never ends, and whose child never ends; both write their process
 * numbers.
 */
const hanging = (folder: string): string =>
  `/bin/sleep 1000 & echo $! > ${folder}/child; echo $$ > ${folder}/own; wait`;

function isRunning(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('engine spin, with a spin that', () => {
  test('is missing: says what to install', async () => {
    const { options, temporary } = await placeWith();
    const run = await fencewright(check, options);
    expect(run.code).toBe(65);
    expect(run.stderr).toContain("error FW4001: the engine needs 'spin'");
    expect(run.stderr).toContain("with 'apt install spin'");
    expect(run.stdout).toContain('cannot be decided: the engine could not run');
    expect(await readdir(temporary)).toEqual([]);
  });

  test('works, but without a C compiler: says what to install', async () => {
    const { options } = await placeWith('exit 0');
    const run = await fencewright([...check, '--json'], options);
    expect(run.code).toBe(65);
    const [result] = (JSON.parse(run.stdout) as { results: unknown[] }).results;
    expect(result).toMatchObject({
      verdict: 'error',
      cause: 'tool',
      diagnostics: [{ code: 'FW4001' }],
    });
    expect(run.stdout).toContain('apt install gcc');
  });

  test('fails: says what it said', async () => {
    const { options, temporary } = await placeWith('echo "spin: out of luck"; exit 3');
    const run = await fencewright(check, options);
    expect(run.code).toBe(65);
    expect(run.stderr).toContain("error FW4002: 'spin' failed, saying: spin: out of luck");
    expect(await readdir(temporary)).toEqual([]);
  });

  test('hangs: is ended at the timeout, with all that it has started', async () => {
    const { cwd, temporary } = await placeWith();
    const { options } = await placeWith(hanging(cwd));
    const env = { ...options.env, TMPDIR: temporary };
    const run = await fencewright([...check, '--timeout', '0.6'], { ...options, env });
    expect(run.code).toBe(5);
    // On a busy machine the time is over before the engine has begun.
    expect(run.stdout).toMatch(/undecided: the time (limit was reached|ran out)/);
    await until(() => !isRunning(path.join(cwd, 'own')) && !isRunning(path.join(cwd, 'child')));
    expect(await readdir(temporary)).toEqual([]);
  });

  test.each([
    [1, 5],
    [2, 130],
  ])('hangs: Ctrl-C, %s times, leaves nothing behind', async (times, code) => {
    const { cwd, temporary } = await placeWith();
    const { options } = await placeWith(hanging(cwd));
    const env = { ...options.env, TMPDIR: temporary };
    const run = await fencewright(check, {
      ...options,
      env,
      during: (kill) =>
        void until(async () => (await readdir(cwd)).includes('own')).then(() => {
          for (let i = 0; i < times; i++) kill('SIGINT');
        }),
    });
    // Two signals that arrive together may count as one.
    expect([code, 5]).toContain(run.code);
    await until(() => !isRunning(path.join(cwd, 'own')) && !isRunning(path.join(cwd, 'child')));
    expect(await readdir(temporary)).toEqual([]);
  });
});

describeWith('spin', ['-V'], 'engine spin, with SPIN itself', () => {
  test('tells the time of its parts, in text and in JSON, and leaves nothing behind', async () => {
    const { cwd, temporary } = await placeWith();
    const options = { cwd, env: { TMPDIR: temporary } };
    const text = await fencewright([...check, '--all-attacks', '--jobs', '2'], options);
    expect(text.code).toBe(10);
    expect(text.stdout).toMatch(/of that: generating .*, compiling .*, verifying /);
    expect(text.stdout).toContain('2 attacks: 2 feasible');
    const json = await fencewright([...check, '--json'], options);
    const [result] = (JSON.parse(json.stdout) as { results: unknown[] }).results;
    expect(result).toMatchObject({
      verdict: 'not-robust',
      stats: {
        engine: 'spin',
        phases: {
          generating: expect.any(Number) as number,
          compiling: expect.any(Number) as number,
          verifying: expect.any(Number) as number,
        },
      },
      witness: { attack: {}, computation: expect.any(Array) as unknown[] },
    });
    expect(await readdir(temporary)).toEqual([]);
  });
});
