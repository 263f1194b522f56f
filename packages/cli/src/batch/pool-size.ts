import { availableParallelism, totalmem } from 'node:os';
import { mebibyte } from '../options/values.js';

/** Bytes used by a process besides the tables of searches. */
const overhead = 128 * mebibyte;

/** Returns the bytes that processes on this machine may use together. */
function memoryHere(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Returns the number of processes: the requested number, or the number of processors; fewer if the
 * memory limits of all processes together exceed the machine.
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
