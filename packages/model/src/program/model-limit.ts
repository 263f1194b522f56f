import { binary, constant, registerValue } from './expression.js';
import type { RegisterId } from './ids.js';
import type { Instruction } from './instruction.js';

const most = 2 ** 31 - 1;

/**
 * Returns an instruction at which a front end's model ends although the original code continues: a
 * pool of blocks is empty, say, or a number too large. The instruction always overflows,
 * `2147483647 + (r == r)`: texts can express the instruction, but programs have no other use for
 * it.
 */
export function modelLimit(register: RegisterId): Instruction {
  const own = registerValue(register);
  const value = binary('+', constant(most), binary('==', own, own));
  return { kind: 'assign', into: register, value };
}

/**
 * Whether `modelLimit` made the instruction, at which a front end's model ends although the
 * original code continues.
 */
export function isModelLimit(instruction: Instruction): boolean {
  if (instruction.kind !== 'assign' || instruction.value.kind !== 'binary') return false;
  const { operator, left, right } = instruction.value;
  if (operator !== '+' || left.kind !== 'constant' || left.value !== most) return false;
  if (right.kind !== 'binary' || right.operator !== '==') return false;
  const { left: one, right: other } = right;
  return one.kind === 'register' && other.kind === 'register' && one.register === other.register;
}
