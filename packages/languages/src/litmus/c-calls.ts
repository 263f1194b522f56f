import { nearestName } from '@fencewright/ground/source/nearest-name.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { type Token, readingFailureOf } from '@fencewright/ground/source/tokens.js';
import { callOfC11, callsOfC11 } from './c11-calls.js';
import type { CallArgument, CallMeaning, CStatement, CTerm, CUpdate } from './c-syntax.js';
import { countOf } from '@fencewright/ground/base/number-words.js';

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
  'rcu_read_lock',
  'rcu_read_unlock',
  'cpu_relax',
]);
const fences = new Set(['smp_mb', 'mb']);
/** Functions and macros that load the cell given as argument: `READ_ONCE(*x)`. */
const loadsOfCells = new Set([
  'READ_ONCE',
  'ACCESS_ONCE',
  'rcu_dereference',
  'lockless_dereference',
]);
/** Functions that load from a pointer given as argument. */
const loads = new Set(['smp_load_acquire', 'atomic_read', 'atomic_read_acquire']);
/** Functions and macros that store to the cell given as argument: `WRITE_ONCE(*x, 1)`. */
const storesToCells = new Set(['WRITE_ONCE', 'rcu_assign_pointer']);
/** Functions that store to a pointer given as argument. */
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
  ...callsOfC11,
  'atomic_signal_fence',
  '__sync_synchronize',
  'spin_trylock',
  'smp_store_mb',
  'xchg',
  'cmpxchg',
  'atomic_xchg',
  'atomic_cmpxchg',
  'atomic_add',
  'atomic_sub',
  'atomic_inc',
  'atomic_dec',
  'atomic_add_return',
  'atomic_sub_return',
  'atomic_inc_return',
  'atomic_dec_return',
  'atomic_dec_and_test',
  'atomic_add_unless',
];

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

/** Returns the meaning of a call. Throws `ReadingFailure`. */
export function callOf(
  name: Token,
  args: readonly CallArgument[],
  isPointer: (term: CTerm) => boolean,
): CallMeaning {
  const { span, text } = name;
  if (text === 'atomic_signal_fence') return { kind: 'done', statement: { kind: 'nothing', span } };
  if (text === '__sync_synchronize') return { kind: 'done', statement: { kind: 'fence', span } };
  // In the kernel, functions of these names take the pointer as their last argument.
  const [first, second] = args;
  const isLast = second && isPointer(second.term) && !(first && isPointer(first.term));
  const ofC11 = text.startsWith('atomic_fetch') && isLast ? undefined : callOfC11(name, args);
  return ofC11 ?? { ...kernelCall(name, args, isPointer), isOfKernel: true };
}

/**
 * Returns the meaning of a call of the Linux kernel on x86: loads and stores are plain; every
 * read-modify-write is locked, whatever its order; only full fences remain.
 *
 * Source: the kernel's own definitions of its primitives for x86.
 */
function kernelCall(
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
  if (stores.has(text)) {
    need(2);
    return store(first!.term, second!.term, false);
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
  const base = text.replace(/_(?:relaxed|acquire|release)$/, '');
  switch (base) {
    case 'xchg':
    case 'atomic_xchg':
      need(2);
      return value(rmw(first!.term, { kind: 'operation', name: 'xchg', operand: second!.term }));
    case 'cmpxchg':
    case 'atomic_cmpxchg':
      need(3);
      return value(
        rmw(first!.term, { kind: 'cmpxchg', expected: second!.term, desired: third!.term }),
      );
    case 'atomic_add_unless':
    case '__atomic_add_unless{mb}':
      need(3);
      return value(
        rmw(first!.term, { kind: 'add-unless', operand: second!.term, unless: third!.term }),
      );
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
