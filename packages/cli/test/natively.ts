import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const hasCompiler = spawnSync('g++', ['--version']).status === 0 && process.arch === 'x64';

/** Whether tests compile and run C++ natively; always true in continuous integration. */
export const isNativeNeeded = hasCompiler || process.env.FENCEWRIGHT_CI !== undefined;

/** A suffix for the names of tests that are skipped. */
export const whyNotNatively = isNativeNeeded ? '' : ' (skipped: there is no g++ for x86-64)';

/**
 * Compiles a file with g++ and runs the program, with all functions bound at the start; returns the
 * output.
 */
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
