import { readFileSync, statSync } from 'node:fs';
import type { Limits } from '@fencewright/core';
import { defaultMegabytes, mebibyte } from './option-values.js';
import type { FileTask } from './run-here.js';
import type { FileVerb } from './file-verb.js';

/** Bytes that are read and prepared faster than a thread is started. */
const small = 64 * 1024;

/** Whether a file may keep us busy: it is large, or nobody knows how large, or about any number of threads. */
function isHeavy(file: string): boolean {
  if (file === '-') return true;
  try {
    const status = statSync(file);
    if (status.isDirectory()) return false;
    return (
      !status.isFile() || status.size > small || /\[\s*\*\s*\]/.test(readFileSync(file, 'latin1'))
    );
  } catch {
    // Reading it will say what is wrong.
    return false;
  }
}

/**
 * Whether work on the files has to be watched from outside: limits hold for parts that do not look at them, too. Without limits, small
 * files are done with before a thread is there.
 */
export function needsThread(
  files: readonly string[],
  { timeout, maxMemory }: Pick<Limits, 'timeout' | 'maxMemory'>,
): boolean {
  const isLimited = timeout !== undefined || maxMemory !== defaultMegabytes * mebibyte;
  return isLimited || files.some(isHeavy);
}

/** Proofs, and searches for fences, take long also for what is small. */
const heavyVerbs: ReadonlySet<FileVerb> = new Set<FileVerb>(['prove', 'fence', 'bench']);

/** The same for a verb that looks at files one by one. */
export function taskNeedsThread(files: readonly string[], { verb, settings }: FileTask): boolean {
  return (
    heavyVerbs.has(verb) || settings.triesProof === true || needsThread(files, settings.limits)
  );
}
