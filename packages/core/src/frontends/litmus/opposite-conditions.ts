import type { Expression } from '../../program/expression.js';

const negated: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

/** Whether two expressions are written alike. */
export function isSameExpression(a: Expression, b: Expression): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether, as can be seen from how they are written, exactly one of the conditions holds, whatever the registers are. */
export function areOpposite(a: Expression, b: Expression): boolean {
  if (a.kind === 'unary' && a.operator === '!' && isSameExpression(a.operand, b)) return true;
  if (b.kind === 'unary' && b.operator === '!' && isSameExpression(b.operand, a)) return true;
  if (a.kind === 'constant' && b.kind === 'constant') return (a.value === 0) !== (b.value === 0);
  if (a.kind !== 'binary' || b.kind !== 'binary') return false;
  const operators = `${a.operator} ${b.operator}`;
  if (operators === '&& ||' || operators === '|| &&')
    return areOpposite(a.left, b.left) && areOpposite(a.right, b.right);
  return (
    negated[a.operator] === b.operator &&
    isSameExpression(a.left, b.left) &&
    isSameExpression(a.right, b.right)
  );
}
