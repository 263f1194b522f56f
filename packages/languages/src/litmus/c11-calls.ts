import { countOf } from '@fencewright/ground/base/number-words.js';
import { readingFailureOf, type Token } from '@fencewright/ground/source/tokens.js';
import {
  loadOrders,
  type MemoryOrder,
  rmwOrders,
  storeOrders,
} from '@fencewright/model/program/memory-order.js';
import type { CallArgument, CallMeaning, CRmwOrders, CTerm, CUpdate } from './c-syntax.js';

/**
 * For each kind of operation, the memory orders that C11 allows, and the name of the kind for
 * messages.
 */
const allowed = {
  load: { what: 'a load', orders: loadOrders },
  store: { what: 'a store', orders: storeOrders },
  rmw: { what: 'a read-modify-write', orders: rmwOrders },
  failure: { what: 'a compare-exchange that fails', orders: loadOrders },
  fence: { what: 'a fence', orders: rmwOrders },
} as const satisfies Readonly<
  Record<string, { readonly what: string; readonly orders: readonly MemoryOrder[] }>
>;

const prefix = 'memory_order_';

/**
 * Returns the memory order that an argument of a call names; `seq_cst` without the argument.
 * `memory_order_consume` means `acquire`, as in compilers. Throws `ReadingFailure`.
 */
function orderOf(
  call: Token,
  kind: keyof typeof allowed,
  argument: CallArgument | undefined,
): MemoryOrder {
  if (!argument) return 'seq_cst';
  const { what, orders } = allowed[kind];
  const { term } = argument;
  const written = term.kind === 'name' ? term.name : '';
  const name = written === `${prefix}consume` ? `${prefix}acquire` : written;
  const order = orders.find((one) => `${prefix}${one}` === name);
  if (order) return order;
  const list = orders.map((one) => `${prefix}${one}`);
  throw readingFailureOf(
    call,
    `this is no memory order of ${what}`,
    `write one of ${list.join(', ')}`,
  );
}

/** The functions of C11 that have a meaning, by name, without `_explicit`: kind and variant. */
const functions = new Map<string, readonly [kind: string, variant?: string]>([
  ...['load', 'store', 'exchange', 'thread_fence'].map(
    (kind) => [`atomic_${kind}`, [kind]] as const,
  ),
  ...['strong', 'weak'].map(
    (variant) => [`atomic_compare_exchange_${variant}`, ['compare', variant]] as const,
  ),
  ...['add', 'sub', 'and', 'or', 'xor'].map(
    (operator) => [`atomic_fetch_${operator}`, ['fetch', operator]] as const,
  ),
]);

/** The names of the supported functions of C11, without `_explicit`. */
export const callsOfC11: readonly string[] = [...functions.keys()];

/**
 * Returns the meaning of a call of C11; `undefined` for another call. On x86, loads and stores are
 * plain, except that a `seq_cst` store is an exchange; each read-modify-write is locked; only full
 * fences remain. Throws `ReadingFailure`.
 *
 * Source: [BOS+11].
 */
export function callOfC11(call: Token, args: readonly CallArgument[]): CallMeaning | undefined {
  const { span } = call;
  const [, name = '', explicit] = /^(.*?)(_explicit)?$/.exec(call.text) ?? [];
  const [kind, variant] = functions.get(name) ?? [];
  if (kind === undefined) return undefined;
  const operands = { load: 1, store: 2, exchange: 2, thread_fence: 0, compare: 3, fetch: 2 };
  const least = operands[kind as keyof typeof operands];
  const orders = kind === 'thread_fence' ? 1 : explicit ? (kind === 'compare' ? 2 : 1) : 0;
  if (args.length < least + orders)
    throw readingFailureOf(call, `this call takes ${countOf(least + orders, 'argument')}`);
  const ordering = explicit || kind === 'thread_fence' ? args.slice(least) : [];
  const [cell, value] = args.map(({ term }) => term);
  const rmw = (update: CUpdate, given: CRmwOrders) =>
    ({ kind: 'rmw', address: cell!, update, orders: given, span }) as const;
  const order = (of: keyof typeof allowed): MemoryOrder => orderOf(call, of, ordering[0]);
  switch (kind) {
    case 'thread_fence': {
      const strength = order('fence');
      if (strength === 'relaxed') return { kind: 'done', statement: { kind: 'nothing', span } };
      const weaker = strength === 'seq_cst' ? {} : { weaker: strength };
      return { kind: 'done', statement: { kind: 'fence', ...weaker, span } };
    }
    case 'load': {
      const term: CTerm = { kind: 'load', address: cell!, order: order('load'), span };
      return { kind: 'value', term };
    }
    case 'store': {
      const strength = order('store');
      if (strength === 'seq_cst') {
        const update: CUpdate = { kind: 'operation', name: 'xchg', operand: value! };
        const term: CTerm = { ...rmw(update, { order: strength }), isStore: true };
        return { kind: 'done', statement: { kind: 'evaluate', term, span } };
      }
      const place = { kind: 'cell', address: cell! } as const;
      return {
        kind: 'done',
        statement: { kind: 'assign', place, value: value!, order: strength, span },
      };
    }
    case 'compare': {
      const given: CRmwOrders = {
        ...{ order: order('rmw'), failureOrder: orderOf(call, 'failure', ordering[1]) },
        ...(variant === 'weak' && { mayFail: true }),
      };
      const expected = args[1]!.place ?? { kind: 'cell' as const, address: value! };
      const update = { kind: 'compare-exchange', expected, desired: args[2]!.term } as const;
      return { kind: 'value', term: rmw(update, given) };
    }
    default: {
      const operation = variant ? (`fetch_${variant}` as 'fetch_add') : 'xchg';
      const update: CUpdate = { kind: 'operation', name: operation, operand: value! };
      return { kind: 'value', term: rmw(update, { order: order('rmw') }) };
    }
  }
}
