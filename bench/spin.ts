import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Program } from '@fencewright/core';
import { toPromela } from '@fencewright/reference/promela/print-promela.js';
import { mergeLocalSteps } from './merge-local-steps.js';
import { isInstalled, isOutOfTime, timedProcess, type TimedProcess } from './timed-process.js';

/** The figures of SPIN's exploration of a program under SC. */
export interface SpinFigures {
  readonly states: number;
  /** The CPU time of the verifier that SPIN makes, in milliseconds, without making it. */
  readonly cpu: number;
  /** The CPU time for translating and compiling the verifier, in milliseconds. */
  readonly compileCpu: number;
}

/** The figures of SPIN's exploration, or the reason why there are none. */
export type SpinResult = SpinFigures | { readonly failure: string };

/** Returns the commands that SPIN needs and the machine lacks; `undefined` if none. */
export function missingForSpin(): string | undefined {
  const missing = ['spin', 'cc'].filter((command) => !isInstalled(command));
  return missing.length > 0 ? missing.join(' and ') : undefined;
}

/** The maximum memory of the verifier that SPIN makes, in MB. */
const memory = 4_000;

/**
 * The search depths with which SPIN is tried; the first sufficient depth is used. Deep searches
 * cost the verifier memory, and time to allocate the memory.
 */
const depths = [10_000, 5_000_000];

/**
 * Returns the program as an expert would write a model for SPIN: a step is an access with the local
 * computation that follows it, registers are 0 when no later instruction reads them, numbers have
 * 16 bits, and nothing is printed.
 */
export function promelaByHand(program: Program): string {
  const { text } = toPromela(mergeLocalSteps(program), { original: program });
  const model = text.replaceAll(/; printf\("step[^)]*\)/g, '').replaceAll(/^int /gm, 'short ');
  return `#define FAULT(n) true\n${model}`;
}

/**
 * Explores the program with SPIN and its own reductions, stopping neither at deadlocks nor at
 * assertions.
 */
export function runSpin(program: Program, folder: string, seconds: number): SpinResult {
  const cwd = mkdtempSync(path.join(folder, 'spin-'));
  writeFileSync(path.join(cwd, 'program.pml'), promelaByHand(program));
  const translated = timedProcess('spin', ['-a', 'program.pml'], { cwd });
  if (translated.exitCode !== 0) return { failure: translated.stdout.trim() };
  const flags = ['-O2', '-w', '-DSAFETY', `-DMEMLIM=${memory}`, '-o', 'pan', 'pan.c'];
  const compiled = timedProcess('cc', flags, { cwd });
  if (compiled.exitCode !== 0) return { failure: compiled.stderr.trim() };
  const explore = (depth: number) =>
    timedProcess('./pan', ['-E', '-A', `-m${depth}`], { cwd, seconds });
  const isTooDeep = ({ stdout }: TimedProcess): boolean =>
    stdout.includes('max search depth too small');
  let run = explore(depths[0]!);
  for (const depth of depths.slice(1)) if (isTooDeep(run)) run = explore(depth);
  if (isOutOfTime(run)) return { failure: `over ${seconds} s` };
  const found = /^\s*([0-9.e+]+) states, stored/m.exec(run.stdout);
  if (run.stdout.includes('out of memory')) return { failure: `over ${memory} MB` };
  if (!found || run.stdout.includes('Search not completed')) return { failure: 'not completed' };
  if (isTooDeep(run)) return { failure: 'too deep' };
  if (!/errors: 0\b/.test(run.stdout)) return { failure: 'error' };
  return {
    states: Number(found[1]),
    cpu: run.cpu,
    compileCpu: translated.cpu + compiled.cpu,
  };
}
