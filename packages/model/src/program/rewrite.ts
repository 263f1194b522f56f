import { mapParts, type Expression } from './expression.js';
import type { RegisterId } from './ids.js';
import type { Instruction } from './instruction.js';

/**
 * Returns the expression with registers replaced; registers for which `replacement` returns nothing
 * do not change.
 */
export function substituteRegisters(
  expression: Expression,
  replacement: (register: RegisterId) => Expression | undefined,
): Expression {
  return expression.kind === 'register'
    ? (replacement(expression.register) ?? expression)
    : mapParts(expression, (part) => substituteRegisters(part, replacement));
}

/**
 * Returns the instruction with `value` applied to its expressions for values, and `address` to its
 * expressions for addresses.
 */
export function mapInstruction<I extends Instruction>(
  instruction: I,
  value: (expression: Expression) => Expression,
  address?: (expression: Expression) => Expression,
): I;
export function mapInstruction(
  step: Instruction,
  value: (expression: Expression) => Expression,
  address = value,
): Instruction {
  switch (step.kind) {
    case 'store':
      return { ...step, address: address(step.address), value: value(step.value) };
    case 'load':
      return { ...step, address: address(step.address) };
    case 'rmw':
      return {
        ...step,
        address: address(step.address),
        operation: {
          ...step.operation,
          operands: step.operation.operands.map((operand) => value(operand)),
        },
      };
    case 'assign':
      return { ...step, value: value(step.value) };
    case 'assume':
    case 'assert':
      return { ...step, condition: value(step.condition) };
    case 'havoc':
      return step.where ? { ...step, where: value(step.where) } : step;
    case 'fence':
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
    case 'skip':
      return step;
  }
}
