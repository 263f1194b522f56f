import { spawn } from 'node:child_process';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { fencewrightAfresh as fencewright, folderWith } from './fencewright.js';
import { includedFiles } from '../src/included-files.js';
import { fenced, huge, storeBuffering } from './programs.js';

const binary = fileURLToPath(new URL('../bin/fencewright.js', import.meta.url));

/** Starts the command line with `--watch`. */
function watching(cwd: string, ...args: string[]) {
  const child = spawn(process.execPath, [binary, ...args, '--watch'], { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  let runs = 0;
  let hear: () => void = () => undefined;
  const listen = (text: string): void => {
    said += text;
    hear();
  };
  child.stdout.setEncoding('utf8').on('data', listen);
  child.stderr.setEncoding('utf8').on('data', listen);
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise<void>((resolve) => (hear = resolve));
  };
  /** Returns the output of the next run, once complete. */
  const next = async (): Promise<string> => {
    await until(() => said.split('Ctrl-C ends the watch').length > runs + 1);
    runs += 1;
    return said.split('Ctrl-C ends the watch')[runs - 1]!;
  };
  const heard = (text: string): Promise<void> => until(() => said.includes(text));
  return { next, heard, ended, stop: () => child.kill('SIGINT') };
}

test('--watch runs again after each change, and Ctrl-C ends it', async () => {
  const cwd = await folderWith({ 'a.fw': fenced });
  const file = path.join(cwd, 'a.fw');
  const { next, stop, ended } = watching(cwd, 'check', '.');
  expect(await next()).toContain('Fenced is robust');
  await writeFile(file, storeBuffering);
  expect(await next()).toContain('SB breaks on x86');
  // Many editors write a new file, and then rename it.
  await writeFile(path.join(cwd, '.a.new'), fenced);
  await rename(path.join(cwd, '.a.new'), file);
  expect(await next()).toContain('Fenced is robust');
  await rm(file);
  expect(await next()).toContain('no program in it');
  await writeFile(file, storeBuffering);
  expect(await next()).toContain('SB breaks on x86');
  await writeFile(path.join(cwd, 'fencewright.json'), '{"limit": 1}');
  expect(await next()).toContain("did you mean 'limits'");
  await rm(path.join(cwd, 'fencewright.json'));
  expect(await next()).toContain('SB breaks on x86');
  stop();
  expect(await ended).toBe(10);
});

test('Ctrl-C ends a run that is under way, and does not wait for changes', async () => {
  // The check of the second file takes longer than any test, and begins when the first is reported.
  const cwd = await folderWith({ 'a.fw': fenced, 'b.fw': huge });
  const { heard, stop, ended } = watching(cwd, 'check', 'a.fw', 'b.fw');
  await heard('Fenced is robust');
  stop();
  expect(await ended).toBe(5);
});

test('headers are watched, also those that are not there yet', async () => {
  const cwd = await folderWith({
    'a.c': '#include "one.h"\n  # include <two.h>\n#include "missing.h"\n',
    'one.h': '#include "a.c"\n#include <deep.h>\n',
  });
  const inside = (name: string): string => path.join(cwd, name);
  expect(includedFiles(inside('a.c'), [inside('inc')]).toSorted()).toEqual(
    [
      'a.c',
      'inc/a.c',
      'inc/deep.h',
      'inc/missing.h',
      'inc/one.h',
      'inc/two.h',
      'missing.h',
      'one.h',
    ]
      .map(inside)
      .toSorted(),
  );
  expect(includedFiles(inside('a.fw'), [])).toEqual([]);
});

test('--watch refuses standard input and --json', async () => {
  expect((await fencewright(['check', '--watch', '-'])).code).toBe(64);
  expect((await fencewright(['check', '--watch', '--json', 'a.fw'])).code).toBe(64);
});
