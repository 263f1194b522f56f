import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { wrongOperand } from '@fencewright/ground/source/diagnostic.js';
import type { ProblemList } from './problem-list.js';
import { readOrder } from './read-order.js';
import type { SharedScope } from './scope.js';
import type { CallTerm, CellTerm, NativeTerm } from './term.js';

/** A load or store with a memory order, as written: `load(x, acquire)`, `store(x, 1, release)`. */
export type AccessCall = { readonly cell: CellTerm; readonly order?: MemoryOrder } & (
  { readonly kind: 'load' } | { readonly kind: 'store'; readonly value: NativeTerm }
);

/** The numbers of operands of loads and stores, without the order. */
export const accessOperands: Readonly<Record<AccessCall['kind'], number>> = { load: 1, store: 2 };

/** Whether the call is a load or a store. */
export function isAccessName(name: string): name is AccessCall['kind'] {
  return Object.hasOwn(accessOperands, name);
}

/** Reports an order, or a read-modify-write, at a plain variable. */
export function refusePlain(
  cell: CellTerm,
  what: string,
  shared: SharedScope,
  problems: ProblemList,
): void {
  if (cell.kind !== 'name') return;
  const symbol = shared.symbolIds.get(cell.name);
  if (symbol === undefined || !shared.symbols[symbol]?.isPlain) return;
  const message = `'${cell.name}' is plain, and ${what} needs an atomic variable`;
  problems.add(wrongOperand(cell.span, message, "declare it without 'plain'"));
}

/** Returns the load or store that a call means; `undefined` after a reported error. */
export function readAccess(
  { name, arguments: given, span }: CallTerm & { readonly name: AccessCall['kind'] },
  shared: SharedScope,
  problems: ProblemList,
): AccessCall | undefined {
  const usage = name === 'load' ? 'write load(x, acquire)' : 'write store(x, 1, release)';
  const wanted = accessOperands[name];
  if (given.length !== wanted && given.length !== wanted + 1) {
    const message = `${name} takes ${wanted} operands and an order, not ${given.length}`;
    problems.add(wrongOperand(span, message, usage));
    return undefined;
  }
  const [cell, value] = given;
  if (cell?.kind !== 'name' && cell?.kind !== 'memory') {
    const message = `the first operand of ${name} is a shared variable`;
    problems.add(wrongOperand(cell?.span ?? span, message, usage));
    return undefined;
  }
  const named = given[wanted];
  const order = named && readOrder(named, name, problems);
  if (named && !order) return undefined;
  if (order) refusePlain(cell, 'a memory order', shared, problems);
  const access = { cell, ...(order && { order }) };
  return name === 'load' ? { kind: name, ...access } : { kind: name, ...access, value: value! };
}
