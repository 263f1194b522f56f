import type { ThreadId } from '../program/ids.js';
import type {
  Invariant,
  InvariantBinder,
  InvariantExpression,
  Program,
  Property,
  StateExpression,
} from '../program/program.js';

/** What a `never` property claims, as an invariant; absent for other kinds, and for cells without a name. */
export function propertyInvariant(program: Program, property: Property): Invariant | undefined {
  if (property.kind !== 'never') return undefined;
  const binders: InvariantBinder[] = [];
  const bind = (thread: ThreadId): number => {
    const known = binders.findIndex((binder) => binder.thread === thread);
    if (known >= 0) return known;
    return binders.push({ name: program.threads[thread]?.name ?? '', thread }) - 1;
  };
  const convert = (expression: StateExpression): InvariantExpression | undefined => {
    switch (expression.kind) {
      case 'constant':
        return expression;
      case 'at':
        return { kind: 'at', binder: bind(expression.thread), location: expression.location };
      case 'ended':
        return { kind: 'ended', binder: bind(expression.thread) };
      case 'register':
        return { kind: 'register', binder: bind(expression.thread), register: expression.register };
      case 'memory':
        return cellAt(program, expression.address);
      case 'unary': {
        const operand = convert(expression.operand);
        return operand && { ...expression, operand };
      }
      case 'binary': {
        const left = convert(expression.left);
        const right = convert(expression.right);
        return left && right && { ...expression, left, right };
      }
    }
  };
  const operand = convert(property.condition);
  return (
    operand && {
      name: property.name,
      binders,
      condition: { kind: 'unary', operator: '!', operand },
    }
  );
}

function cellAt({ symbols }: Program, address: number): InvariantExpression | undefined {
  const symbol = symbols.findIndex(
    ({ base, length }) => address >= base && address < base + length,
  );
  const found = symbols[symbol];
  if (!found) return undefined;
  if (!found.isArray) return { kind: 'cell', symbol };
  return { kind: 'cell', symbol, index: { kind: 'constant', value: address - found.base } };
}
