import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { MemoraxStatement } from './syntax.js';

/** Returns the statements directly inside a statement. */
export function innerStatements(statement: MemoraxStatement): readonly MemoraxStatement[] {
  switch (statement.kind) {
    case 'block':
      return statement.body;
    case 'either':
      return statement.alternatives.flat();
    case 'if':
      return [statement.positive, ...(statement.negative ? [statement.negative] : [])];
    case 'while':
      return [statement.body];
    case 'nop':
    case 'fence':
    case 'assign':
    case 'assume':
    case 'read-into':
    case 'read-equal':
    case 'write':
    case 'cas':
    case 'goto':
      return [];
    default:
      return unreachable(statement);
  }
}
