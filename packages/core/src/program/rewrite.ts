import type { Expression } from './expression.js';
import type { RegisterId } from './ids.js';
import type { RmwOperation } from './instruction.js';
import type { BlockStep } from './instrumented.js';

/** The expression with some registers replaced; those that `replacement` has nothing for stay. */
export function substituteRegisters(
  expression: Expression,
  replacement: (register: RegisterId) => Expression | undefined,
): Expression {
  const inside = (part: Expression): Expression => substituteRegisters(part, replacement);
  switch (expression.kind) {
    case 'constant':
    case 'address':
      return expression;
    case 'register':
      return replacement(expression.register) ?? expression;
    case 'element':
      return { ...expression, index: inside(expression.index) };
    case 'unary':
      return { ...expression, operand: inside(expression.operand) };
    case 'binary':
      return { ...expression, left: inside(expression.left), right: inside(expression.right) };
  }
}

function mapOperation(
  operation: RmwOperation,
  value: (expression: Expression) => Expression,
): RmwOperation {
  switch (operation.kind) {
    case 'xchg':
      return { ...operation, value: value(operation.value) };
    case 'cas':
      return {
        ...operation,
        expected: value(operation.expected),
        desired: value(operation.desired),
      };
    case 'fetch':
      return { ...operation, operand: value(operation.operand) };
  }
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
        operation: mapOperation(step.operation, value),
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
