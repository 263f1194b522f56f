import { readFileSync, statSync } from 'node:fs';
import type { Limits, Question } from '@fencewright/core';
import { formatOf, needsCompiler, type FormatsByExtension } from './formats.js';
import { defaultMegabytes, mebibyte } from './options/values.js';
import type { FileTask } from './run-here.js';

/** How the formats of files are told, and what holds for the work on each. */
interface Order {
  readonly from?: string;
  readonly formats?: FormatsByExtension;
  readonly limits: Pick<Limits, 'timeout' | 'maxMemory'>;
}

/** Bytes that are read and prepared faster than a thread is started. */
const small = 64 * 1024;

/**
 * Whether a file may keep us busy: it is large, or nobody knows how large, or about any number of
 * threads, or in C, whose `main` is run when it is read.
 */
function isHeavy(file: string, { from, formats }: Order): boolean {
  if (file === '-' || needsCompiler(from ?? formatOf(file, formats))) return true;
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
 * Whether work on the files has to be watched from outside: limits hold for parts that do not look
 * at them, too. Without limits, small files are done with before a thread is there.
 */
export function needsThread(files: readonly string[], order: Order): boolean {
  const { timeout, maxMemory } = order.limits;
  const isLimited = timeout !== undefined || maxMemory !== defaultMegabytes * mebibyte;
  return isLimited || files.some((file) => isHeavy(file, order));
}

/** Proofs, and searches for fences, take long also for what is small. */
function isHeavyQuestion(question: Question): boolean {
  switch (question.kind) {
    case 'prove':
    case 'fence':
    case 'bench':
      return true;
    case 'check':
      return question.triesProof === true;
    default:
      return false;
  }
}

/** The same for a question about each of the files. */
export function taskNeedsThread(
  files: readonly string[],
  { request }: Pick<FileTask, 'request'>,
): boolean {
  return isHeavyQuestion(request.question) || needsThread(files, request);
}
