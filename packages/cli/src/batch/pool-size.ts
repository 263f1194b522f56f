import { availableParallelism, totalmem } from 'node:os';
import { mebibyte } from '../options/values.js';

/** The number of bytes that a process of a batch uses besides the tables of searches. */
const overhead = 128 * mebibyte;

/** Returns the number of bytes of memory allowed by this machine for all processes together. */
function memoryHere(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Returns the number of processes for a batch: as requested, or the number of processors; fewer if
 * the memory limits of all processes together exceed the machine's memory.
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
