import { binary, constant, registerValue } from './expression.js';
import type { RegisterId } from './ids.js';
import type { Instruction } from './instruction.js';

const most = 2 ** 31 - 1;

/**
 * An instruction that says that the model ends here, and what it stands for goes on: a pool is
 * empty, or a number too large. It always faults by an overflow, `2147483647 + (r == r)`, in a form
 * that texts may have, and that nothing else is written in.
 */
export function modelLimit(register: RegisterId): Instruction {
  const own = registerValue(register);
  const value = binary('+', constant(most), binary('==', own, own));
  return { kind: 'assign', into: register, value };
}

/** Whether the instruction is one of `modelLimit`. */
export function isModelLimit(instruction: Instruction): boolean {
  if (instruction.kind !== 'assign' || instruction.value.kind !== 'binary') return false;
  const { operator, left, right } = instruction.value;
  if (operator !== '+' || left.kind !== 'constant' || left.value !== most) return false;
  if (right.kind !== 'binary' || right.operator !== '==') return false;
  const { left: one, right: other } = right;
  return one.kind === 'register' && other.kind === 'register' && one.register === other.register;
}
