import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const hasCompiler = spawnSync('g++', ['--version']).status === 0 && process.arch === 'x64';

/** Whether programs in C++ are compiled and run: in continuous integration they have to be. */
export const isNativeNeeded = hasCompiler || process.env.FENCEWRIGHT_CI !== undefined;

/** What to add to the name of tests that do not run. */
export const whyNotNatively = isNativeNeeded ? '' : ' (skipped: there is no g++ for x86-64)';

/** What the program of a file prints, compiled by g++ and run; calls are bound before it starts. */
export function natively(file: string, args: readonly string[] = []): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'fencewright-native-'));
  try {
    const program = path.join(folder, 'program');
    const flags = ['-std=c++17', '-w', '-pthread'];
    const compiled = spawnSync('g++', [...flags, ...args, '-o', program, file], {
      encoding: 'utf8',
    });
    if (compiled.status !== 0) throw new Error(compiled.stderr);
    const run = spawnSync(program, {
      encoding: 'utf8',
      timeout: 60_000,
      env: { LD_BIND_NOW: '1' },
    });
    if (run.status !== 0) throw new Error(`${file} ends with ${run.status ?? run.signal}`);
    return run.stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
