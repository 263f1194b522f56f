import { spanBetween } from '@fencewright/ground/source/span.js';
import {
  isSame,
  readsRegister,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import { wrongOperand } from '@fencewright/ground/source/diagnostic.js';
import type { HavocStatement } from './syntax-statements.js';
import { readHavocRange } from './havoc-range.js';
import { type Cursor, emitAt } from './lower-expression.js';
import { brokenExpression, lowerTerm } from './lower-term.js';
import { readTerm } from './read-term.js';
import type { StatementContext } from './structured-context.js';
import type { CellTerm } from './term.js';
import type { DraftLocation } from '@fencewright/model/program/automaton-builder.js';

/** Emits `havoc r in a..b with e`, after a load of the shared variable in the condition, if any. */
export function lowerHavoc(
  context: StatementContext,
  node: HavocStatement,
  from: DraftLocation,
  to: DraftLocation,
): void {
  const { builder, scope, problems, marks } = context;
  const name = node.register.text;
  const into = scope.registers.get(name);
  const range = readHavocRange(node, scope.shared, problems);
  if (into === undefined) {
    problems.addUnknown(node.register.span, 'register', name, () => scope.registers.keys());
    return;
  }
  const cursor: Cursor = { point: from };
  const where = node.condition && lowerWhere(context, node.condition, into, cursor);
  const span = node.span;
  const end = { line: span.end.line, column: span.end.column - 1 };
  builder.emit(
    cursor.point,
    to,
    { kind: 'havoc', into, ...(range && { range }), ...(where && { where }) },
    spanBetween(span, { end }),
    marks,
  );
}

/**
 * Returns the expression for the condition on the new value, over registers and at most one shared
 * variable.
 */
function lowerWhere(
  context: StatementContext,
  condition: NonNullable<HavocStatement['condition']>,
  into: RegisterId,
  cursor: Cursor,
): Expression {
  const { scope, problems, hidden } = context;
  const term = readTerm(condition, problems);
  if (!term) return brokenExpression;
  let loaded: { readonly address: Expression; readonly register: RegisterId } | undefined;
  const readCell = (address: Expression, cell: CellTerm): Expression => {
    if (loaded && isSame(loaded.address, address)) return registerValue(loaded.register);
    if (loaded || readsRegister(address, into)) {
      const message = loaded
        ? 'the condition of havoc reads more than one shared variable'
        : 'the cell that the condition reads depends on the value of havoc';
      problems.add(wrongOperand(cell.span, message, 'load the cell into a register first'));
      return brokenExpression;
    }
    loaded = { address, register: hidden.take() };
    emitAt(context, cursor, { kind: 'load', into: loaded.register, address }, cell.span);
    return registerValue(loaded.register);
  };
  return lowerTerm(term, {
    scope,
    problems,
    folds: true,
    allowsBareArrays: false,
    readCell,
    readCall: (call) => {
      const message = `${call.name}(...) cannot be part of havoc's condition`;
      problems.add(wrongOperand(call.span, message, 'store the result in a register first'));
      return brokenExpression;
    },
  });
}
