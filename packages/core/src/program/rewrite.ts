import { mapParts, type Expression } from './expression.js';
import type { RegisterId } from './ids.js';
import type { BlockStep } from './instrumented.js';

/** The expression with some registers replaced; those that `replacement` has nothing for stay. */
export function substituteRegisters(
  expression: Expression,
  replacement: (register: RegisterId) => Expression | undefined,
): Expression {
  return expression.kind === 'register'
    ? (replacement(expression.register) ?? expression)
    : mapParts(expression, (part) => substituteRegisters(part, replacement));
}

/** The step with `value` applied to its expressions, and `address` to those that give the address of a cell. */
export function mapStepExpressions<S extends BlockStep>(
  step: S,
  value: (expression: Expression) => Expression,
  address?: (expression: Expression) => Expression,
): S;
export function mapStepExpressions(
  step: BlockStep,
  value: (expression: Expression) => Expression,
  address = value,
): BlockStep {
  switch (step.kind) {
    case 'store':
    case 'auxiliary-store':
      return { ...step, address: address(step.address), value: value(step.value) };
    case 'load':
    case 'auxiliary-load':
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
    case 'lock':
    case 'unlock':
    case 'skip':
      return step;
  }
}
