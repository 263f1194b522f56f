import { availableParallelism, totalmem } from 'node:os';
import { mebibyte } from '../options/values.js';

/** Bytes that a process takes besides the tables of its searches. */
const overhead = 128 * mebibyte;

/** Bytes that processes here may take together. */
function memoryHere(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * How many processes to have: as many as are wished for, or as there are processors; fewer where
 * they could not all have the memory that each of them may take.
 */
export function poolSize(
  wished: number | undefined,
  bytesEach: number,
  memory = memoryHere(),
  processors = availableParallelism(),
): number {
  const fitting = Math.floor(memory / (bytesEach + overhead));
  return Math.max(1, Math.min(wished ?? processors, fitting));
}
