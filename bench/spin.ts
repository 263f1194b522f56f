import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Program } from '@fencewright/core';
import { NoPromela, toPromela } from './promela.js';
import { isInstalled, timedProcess } from './timed-process.js';

/** SPIN's exploration of a program under SC. */
export interface SpinFigures {
  readonly states: number;
  /** ms of CPU time of the verifier, without its making. */
  readonly cpu: number;
  /** ms of CPU time for translating and compiling the verifier. */
  readonly compileCpu: number;
}

/** Figures, or why there are none. */
export type SpinResult = SpinFigures | { readonly failure: string };

/** What is missing for SPIN to run, if anything is. */
export function missingForSpin(): string | undefined {
  const missing = ['spin', 'cc'].filter((command) => !isInstalled(command));
  return missing.length > 0 ? missing.join(' and ') : undefined;
}

const depth = 3_000_000;

/** Explores the program with SPIN and its own reductions, stopping neither at deadlocks nor at assertions. */
export function runSpin(program: Program, folder: string, seconds: number): SpinResult {
  const cwd = mkdtempSync(path.join(folder, 'spin-'));
  try {
    writeFileSync(path.join(cwd, 'program.pml'), toPromela(program));
  } catch (error) {
    if (error instanceof NoPromela) return { failure: error.message };
    throw error;
  }
  const translated = timedProcess('spin', ['-a', 'program.pml'], { cwd });
  if (translated.exitCode !== 0) return { failure: translated.stdout.trim() };
  const flags = ['-O2', '-w', '-DSAFETY', '-DMEMLIM=8000', '-o', 'pan', 'pan.c'];
  const compiled = timedProcess('cc', flags, { cwd });
  if (compiled.exitCode !== 0) return { failure: compiled.stderr.trim() };
  const run = timedProcess('./pan', ['-E', '-A', `-m${depth}`], { cwd, seconds });
  if (run.exitCode === 124) return { failure: `over ${seconds} s` };
  const found = /^\s*([0-9.e+]+) states, stored/m.exec(run.stdout);
  if (!found || /out of memory|Search not completed/.test(run.stdout))
    return { failure: 'not completed' };
  if (run.stdout.includes('max search depth too small')) return { failure: 'too deep' };
  if (!/errors: 0\b/.test(run.stdout)) return { failure: 'error' };
  return {
    states: Number(found[1]),
    cpu: run.cpu,
    compileCpu: translated.cpu + compiled.cpu,
  };
}
