import { readsRegister, type Expression } from './expression.js';
import type { LocationId, RegisterId } from './ids.js';
import type { Instruction } from './instruction.js';
import type { Thread } from './program.js';

/** The expressions evaluated by an instruction. */
export function operandsOf(instruction: Instruction): readonly Expression[] {
  switch (instruction.kind) {
    case 'store':
      return [instruction.address, instruction.value];
    case 'load':
      return [instruction.address];
    case 'assign':
      return [instruction.value];
    case 'assume':
    case 'assert':
      return [instruction.condition];
    case 'havoc':
      return instruction.where ? [instruction.where] : [];
    case 'rmw':
      return [instruction.address, ...instruction.operation.operands];
    case 'fence':
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
    case 'skip':
      return [];
  }
}

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
