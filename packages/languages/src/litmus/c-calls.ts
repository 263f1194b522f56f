import { nearestName } from '@fencewright/ground/source/nearest-name.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { Token } from '@fencewright/ground/source/tokens.js';
import { readingFailureOf } from '@fencewright/ground/source/tokens.js';
import type { CPlace, CStatement, CTerm, CUpdate } from './c-syntax.js';
import { countOf } from '@fencewright/ground/base/number-words.js';

/** An argument of a call: a term (where `*p` is still a place), or the name of a memory order. */
export interface CallArgument {
  readonly term: CTerm;
  /** The place that the argument points to; present for `&r` of a local variable. */
  readonly place?: CPlace;
}

/** The meaning of a call: a value, or an action. */
export type CallMeaning =
  | { readonly kind: 'value'; readonly term: CTerm }
  | { readonly kind: 'done'; readonly statement: CStatement };

/** Functions and macros whose calls have no effect on the order of accesses on x86-TSO. */
const nothing = new Set([
  'smp_rmb',
  'smp_wmb',
  'rmb',
  'wmb',
  'dma_rmb',
  'dma_wmb',
  'barrier',
  'smp_mb__before_atomic',
  'smp_mb__after_atomic',
  'smp_mb__after_spinlock',
  'smp_acquire__after_ctrl_dep',
  'atomic_signal_fence',
  'rcu_read_lock',
  'rcu_read_unlock',
  'cpu_relax',
]);
const fences = new Set(['smp_mb', 'mb', '__sync_synchronize']);
/** Functions and macros that load the cell given as argument: `READ_ONCE(*x)`. */
const loadsOfCells = new Set([
  'READ_ONCE',
  'ACCESS_ONCE',
  'rcu_dereference',
  'lockless_dereference',
]);
/** Functions that load from a pointer given as argument. */
const loads = new Set([
  'smp_load_acquire',
  'atomic_load',
  'atomic_load_explicit',
  'atomic_read',
  'atomic_read_acquire',
]);
const storesToCells = new Set(['WRITE_ONCE', 'rcu_assign_pointer']);
const stores = new Set(['smp_store_release', 'atomic_set', 'atomic_set_release']);

const locks = new Set(['spin_lock', 'raw_spin_lock']);
const unlocks = new Set(['spin_unlock', 'raw_spin_unlock']);

/** The names of all calls that `callOf` knows, without the suffixes of weaker orders. */
const knownCalls: readonly string[] = [
  ...nothing,
  ...fences,
  ...loadsOfCells,
  ...loads,
  ...storesToCells,
  ...stores,
  ...locks,
  ...unlocks,
  'spin_trylock',
  'atomic_thread_fence',
  'atomic_store',
  'atomic_store_explicit',
  'smp_store_mb',
  'xchg',
  'cmpxchg',
  'atomic_exchange',
  'atomic_xchg',
  'atomic_cmpxchg',
  'atomic_compare_exchange_strong',
  'atomic_compare_exchange_weak',
  'atomic_fetch_add',
  'atomic_fetch_sub',
  'atomic_fetch_and',
  'atomic_fetch_or',
  'atomic_fetch_xor',
  'atomic_add',
  'atomic_sub',
  'atomic_inc',
  'atomic_dec',
  'atomic_add_return',
  'atomic_sub_return',
  'atomic_inc_return',
  'atomic_dec_return',
  'atomic_dec_and_test',
];

/** Whether the memory order of a call is the strongest one, `memory_order_seq_cst`. */
function isStrong(order: CallArgument | undefined): boolean {
  return order?.term.kind !== 'name' || order.term.name.includes('seq_cst');
}

/**
 * Returns the pointer and the value given to a call, in whichever order: the kernel's calls reverse
 * the order of C11's. `undefined` if there are fewer than two arguments.
 */
function pointerAndValue(
  [a, b]: readonly CallArgument[],
  isPointer: (term: CTerm) => boolean,
): readonly [CTerm, CTerm] | undefined {
  if (!a || !b) return undefined;
  return isPointer(b.term) && !isPointer(a.term) ? [b.term, a.term] : [a.term, b.term];
}

/**
 * Returns the meaning of a call, by the usual mapping to x86: loads and stores are plain, except
 * that a sequentially consistent store is an exchange; every read-modify-write is locked, whatever
 * its order; only full fences remain. Throws `ReadingFailure`.
 *
 * Source: [BOS+11] for C11, and the kernel's own definitions of its primitives for x86.
 */
export function callOf(
  name: Token,
  args: readonly CallArgument[],
  isPointer: (term: CTerm) => boolean,
): CallMeaning {
  const { span, text } = name;
  const [first, second, third] = args;
  const need = (count: number): void => {
    if (args.length < count)
      throw readingFailureOf(name, `this call takes ${countOf(count, 'argument')}`);
  };
  const done = (statement: CStatement): CallMeaning => ({ kind: 'done', statement });
  const value = (term: CTerm): CallMeaning => ({ kind: 'value', term });
  const rmw = (address: CTerm, update: CUpdate): CTerm => ({ kind: 'rmw', address, update, span });
  if (nothing.has(text)) return done({ kind: 'nothing', span });
  if (fences.has(text)) return done({ kind: 'fence', span });
  if (text === 'atomic_thread_fence')
    return done({ kind: isStrong(first) ? 'fence' : 'nothing', span });
  if (loadsOfCells.has(text)) {
    need(1);
    return value({ kind: 'load', address: cellOf(name, first!), span });
  }
  if (loads.has(text)) {
    need(1);
    return value({ kind: 'load', address: first!.term, span });
  }
  const store = (address: CTerm, stored: CTerm, isExchange: boolean): CallMeaning =>
    isExchange
      ? done({
          kind: 'evaluate',
          term: rmw(address, { kind: 'operation', name: 'xchg', operand: stored }),
          span,
        })
      : done({ kind: 'assign', place: { kind: 'cell', address }, value: stored, span });
  if (storesToCells.has(text) || text === 'smp_store_mb') {
    need(2);
    return store(cellOf(name, first!), second!.term, text === 'smp_store_mb');
  }
  if (stores.has(text) || text === 'atomic_store' || text === 'atomic_store_explicit') {
    need(2);
    const isStrongStore =
      text === 'atomic_store' || (text === 'atomic_store_explicit' && isStrong(third));
    return store(first!.term, second!.term, isStrongStore);
  }
  if (locks.has(text) || text === 'spin_trylock') {
    need(1);
    const [expected, desired] = [number(0, span), number(1, span)];
    const found = rmw(first!.term, { kind: 'cmpxchg', expected, desired });
    return locks.has(text)
      ? done({ kind: 'while', condition: found, body: { kind: 'nothing', span }, span })
      : value({ kind: 'unary', operator: '!', operand: found, span });
  }
  if (unlocks.has(text)) {
    need(1);
    return store(first!.term, number(0, span), false);
  }
  const base = text.replace(/_(?:explicit|relaxed|acquire|release)$/, '');
  switch (base) {
    case 'xchg':
    case 'atomic_xchg':
    case 'atomic_exchange':
      need(2);
      return value(rmw(first!.term, { kind: 'operation', name: 'xchg', operand: second!.term }));
    case 'cmpxchg':
    case 'atomic_cmpxchg':
      need(3);
      return value(
        rmw(first!.term, { kind: 'cmpxchg', expected: second!.term, desired: third!.term }),
      );
    case 'atomic_compare_exchange_strong':
    case 'atomic_compare_exchange_weak': {
      need(3);
      const expected = second!.place ?? { kind: 'cell', address: second!.term };
      return value(rmw(first!.term, { kind: 'compare-exchange', expected, desired: third!.term }));
    }
    default:
      return arithmeticCall(name, base, args, isPointer);
  }
}

const symbols = { add: '+', sub: '-', and: '&', or: '|', xor: '^' } as const;

/**
 * Returns the meaning of `atomic_fetch_add`, `atomic_add_return`, `atomic_inc` and similar calls.
 */
function arithmeticCall(
  name: Token,
  base: string,
  args: readonly CallArgument[],
  isPointer: (term: CTerm) => boolean,
): CallMeaning {
  const { span } = name;
  const match = /^atomic_(?:(fetch)_)?(add|sub|and|or|xor|inc|dec)(?:_(return|and_test))?$/.exec(
    base,
  );
  if (!match) {
    const nearest = nearestName(base, knownCalls);
    const hint = nearest
      ? `did you mean '${nearest}'?`
      : 'docs/formats.md lists the supported calls';
    throw readingFailureOf(name, 'this call is not supported', hint);
  }
  const [, fetch, word = '', ending] = match;
  const isStep = word === 'inc' || word === 'dec';
  const pair = isStep
    ? args[0] && ([args[0].term, number(1, span)] as const)
    : pointerAndValue(args, isPointer);
  if (!pair)
    throw readingFailureOf(name, `this call takes ${isStep ? '1 argument' : '2 arguments'}`);
  const [address, operand] = pair;
  const operator = ({ inc: 'add', dec: 'sub' }[word] ?? word) as keyof typeof symbols;
  const update: CUpdate = { kind: 'operation', name: `fetch_${operator}`, operand };
  const old: CTerm = { kind: 'rmw', address, update, span };
  if (fetch === undefined && ending === undefined)
    return { kind: 'done', statement: { kind: 'evaluate', term: old, span } };
  if (ending === undefined) return { kind: 'value', term: old };
  const symbol = symbols[operator];
  const fresh: CTerm = { kind: 'binary', operator: symbol, left: old, right: operand, span };
  if (ending === 'return') return { kind: 'value', term: fresh };
  return {
    kind: 'value',
    term: { kind: 'binary', operator: '==', left: fresh, right: number(0, span), span },
  };
}

function number(value: number, span: Span): CTerm {
  return { kind: 'number', value, span };
}

/**
 * Returns the address of the cell that an argument like `*x` names; throws `ReadingFailure` for
 * another argument.
 */
function cellOf(name: Token, { term }: CallArgument): CTerm {
  if (term.kind === 'load') return term.address;
  throw readingFailureOf(name, "the first argument of this call is a cell like '*x'");
}
