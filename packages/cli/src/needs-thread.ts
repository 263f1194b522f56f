import { readFileSync, statSync } from 'node:fs';
import type { Limits, Question } from '@fencewright/core';
import { formatOf, needsCompiler, type FormatsByExtension } from './formats.js';
import { defaultMegabytes, mebibyte } from './options/values.js';
import type { FileTask } from './run-here.js';

/** The options for the formats of files, and the limits for the work on each file. */
interface FileRequest {
  readonly from?: string;
  readonly formats?: FormatsByExtension;
  readonly limits: Pick<Limits, 'timeout' | 'maxMemory'>;
}

/** The number of bytes up to which reading a file takes less time than starting a thread. */
const small = 64 * 1024;

/**
 * Whether work on a file may take long: a large file, a file of unknown size, a file about any
 * number of threads, or a file in C, as reading executes `main`.
 */
function isHeavy(file: string, { from, formats }: FileRequest): boolean {
  if (file === '-' || needsCompiler(from ?? formatOf(file, formats))) return true;
  try {
    const status = statSync(file);
    if (status.isDirectory()) return false;
    return (
      !status.isFile() || status.size > small || /\[\s*\*\s*\]/.test(readFileSync(file, 'latin1'))
    );
  } catch {
    // Reading the file will report the error.
    return false;
  }
}

/**
 * Whether work on the files needs a thread that can be ended from outside, as some parts of the
 * work do not check limits. Without limits, small files are done before a thread would have
 * started.
 */
export function needsThread(files: readonly string[], order: FileRequest): boolean {
  const { timeout, maxMemory } = order.limits;
  const isLimited = timeout !== undefined || maxMemory !== defaultMegabytes * mebibyte;
  return isLimited || files.some((file) => isHeavy(file, order));
}

/** Whether a question takes long even for small programs: proofs, and searches for fences. */
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

/** Whether the question about the files needs a thread that can be ended from outside. */
export function taskNeedsThread(
  files: readonly string[],
  { request }: Pick<FileTask, 'request'>,
): boolean {
  return isHeavyQuestion(request.question) || needsThread(files, request);
}
