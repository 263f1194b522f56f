import { readsRegister } from './expression.js';
import type { LocationId, RegisterId } from './ids.js';
import type { Thread } from './program.js';
import { operandsOf } from './rewrite.js';

/**
 * Whether some path from a location of the thread (default: its start) evaluates the register
 * before setting it.
 */
export function isReadBeforeWritten(
  thread: Thread,
  register: RegisterId,
  start: LocationId = thread.initial,
): boolean {
  const seen = new Set([start]);
  for (const location of seen)
    for (const { from, to, instruction } of thread.transitions) {
      if (from !== location) continue;
      if (operandsOf(instruction).some((operand) => readsRegister(operand, register))) return true;
      if (!('into' in instruction) || instruction.into !== register) seen.add(to);
    }
  return false;
}
