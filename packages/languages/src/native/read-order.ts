import {
  fenceOrders,
  loadOrders,
  rmwOrders,
  storeOrders,
  type MemoryOrder,
} from '@fencewright/model/program/memory-order.js';
import { wrongOperand } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { ProblemList } from './problem-list.js';
import type { NativeTerm } from './term.js';

/**
 * The kind of access or fence that has the memory order; `failure`: the load of a compare-exchange
 * that does not store.
 */
type OrderPlace = 'load' | 'store' | 'rmw' | 'failure' | 'fence';

const allowed: Readonly<Record<OrderPlace, readonly MemoryOrder[]>> = {
  load: loadOrders,
  store: storeOrders,
  rmw: rmwOrders,
  failure: loadOrders,
  fence: fenceOrders,
};

const places: Readonly<Record<OrderPlace, string>> = {
  load: 'a load',
  store: 'a store',
  rmw: 'a read-modify-write',
  failure: 'a read-modify-write that fails',
  fence: 'a fence',
};

/** Whether the word is a memory order. */
export function isOrder(word: string): boolean {
  return rmwOrders.some((order) => order === word);
}

/** Returns the order named by a word at a place; `undefined` after a reported error. */
export function orderNamed(
  word: string,
  place: OrderPlace,
  span: Span,
  problems: ProblemList,
): MemoryOrder | undefined {
  const order = allowed[place].find((one) => one === word);
  if (order) return order;
  const message = isOrder(word)
    ? `${places[place]} cannot have the memory order ${word}`
    : `'${word}' is not a memory order`;
  problems.add(wrongOperand(span, message, `write one of ${allowed[place].join(', ')}`));
  return undefined;
}

/** Returns the order that an operand of a call names; `undefined` after a reported error. */
export function readOrder(
  term: NativeTerm,
  place: OrderPlace,
  problems: ProblemList,
): MemoryOrder | undefined {
  if (term.kind === 'name' && !term.index) return orderNamed(term.name, place, term.span, problems);
  const hint = `write one of ${allowed[place].join(', ')}`;
  problems.add(wrongOperand(term.span, 'a memory order is expected here', hint));
  return undefined;
}
