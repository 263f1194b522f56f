import { insertion, replacement, type TextEdit } from '@fencewright/ground/source/text-edit.js';
import type { TextRange } from '@fencewright/ground/source/tokens.js';
import { type CCall, callAt, onlyReads, type ScannedC, tokenAt } from './find-call.js';
import type { FencePoint } from './fence-point.js';
import { hasKernelMacros, headersOf } from './headers-of.js';

/** A text with its tokens, its places for fences, and the names of its barrier functions. */
export interface EditedC extends ScannedC {
  readonly barriers: ReadonlySet<string>;
  readonly points: readonly FencePoint[];
  readonly isPlus: boolean;
}

/**
 * Functions and macros whose last operand is the order of a store, with the number of their
 * operands.
 */
const ordered: ReadonlyMap<string, number> = new Map<string, number>(
  Object.entries({
    atomic_store_explicit: 3,
    atomic_flag_clear_explicit: 2,
    __c11_atomic_store: 3,
    __atomic_store_n: 3,
    __atomic_store: 3,
    __atomic_clear: 2,
  }),
);
const orderedMembers: ReadonlyMap<string, number> = new Map<string, number>(
  Object.entries({
    store: 2,
    clear: 1,
  }),
);

/** Matches a memory order that is spelt out in C or C++; the group is the prefix of the name. */
export const orderWord = /^((?:std\s*::\s*)?memory_order(?:_|\s*::\s*)|__ATOMIC_)\w+$/;

/**
 * Returns the edits that replace a memory order in the text by `order`, spelt like the old one;
 * empty if the text does not spell out the order.
 */
function orderLike(text: string, range: TextRange, order: 'seq_cst' | 'release'): TextEdit[] {
  const [, start] = orderWord.exec(text.slice(range.start, range.end)) ?? [];
  if (start === undefined) return [];
  const word = start === '__ATOMIC_' ? order.toUpperCase() : order;
  return [replacement(range.start, range.end, start + word)];
}

/** Returns the edit that gives a call the name `to`. */
function renamed({ range, name }: CCall, to: string): TextEdit {
  return replacement(range.start, range.start + name.length, to);
}

/** Whether the call neither calls a member nor is written with `std::`. */
function isFree({ text }: ScannedC, { name, range, isMember }: CCall): boolean {
  return !isMember && text.startsWith(name, range.start);
}

/** Returns the edits that set the memory order of the call; empty if the call gives no order. */
function withOrder(
  { text }: ScannedC,
  { name, operands, isMember }: CCall,
  order: 'seq_cst' | 'release',
): readonly TextEdit[] {
  const count = (isMember ? orderedMembers : ordered).get(name);
  const last = operands.at(-1);
  return last && operands.length === count ? orderLike(text, last, order) : [];
}

/** Returns the edit that replaces a pointer by its target: `p` by `*p`, `&x` by `x`. */
function pointedTo({ text }: ScannedC, { start, end }: TextRange): TextEdit {
  const operand = text.slice(start, end);
  if (/^&\s*[\w.\[\]>-]+$/.test(operand)) return replacement(start, end, operand.slice(1).trim());
  const isName = /^\w+$/.test(operand);
  return replacement(start, end, isName ? `*${operand}` : `*(${operand})`);
}

/**
 * Returns the edits that give the store called at an offset the order `seq_cst`; empty if there is
 * no such call, or the call may do more than the store.
 */
export function strengthenStore(c: EditedC, offset: number): readonly TextEdit[] {
  const call = callAt(c, offset);
  if (!call?.isPlain) return [];
  const edits = withOrder(c, call, 'seq_cst');
  if (edits.length > 0 || !isFree(c, call)) return edits;
  const { name, operands } = call;
  const [pointer] = operands;
  if (name === '__sync_lock_release' && pointer && operands.length === 1)
    return [
      renamed(call, '__atomic_store_n'),
      insertion(call.range.end - 1, ', 0, __ATOMIC_SEQ_CST'),
    ];
  if (!hasKernelMacros(headersOf(c.tokens)) || !pointer || operands.length !== 2) return [];
  switch (name) {
    case 'WRITE_ONCE':
    case 'rcu_assign_pointer':
      return [renamed(call, 'smp_store_mb')];
    case 'smp_store_release':
      return [renamed(call, 'smp_store_mb'), pointedTo(c, pointer)];
    default:
      return [];
  }
}

/**
 * For each function that stores, the function that stores with order `release`, and the memory
 * order to add as an operand.
 */
const stores: ReadonlyMap<string, readonly [to: string, order: string]> = new Map<
  string,
  readonly [to: string, order: string]
>(
  Object.entries({
    atomic_store: ['atomic_store_explicit', 'memory_order_release'],
    atomic_flag_clear: ['atomic_flag_clear_explicit', 'memory_order_release'],
  }),
);
const exchanges: ReadonlyMap<string, readonly [to: string, order: string]> = new Map<
  string,
  readonly [to: string, order: string]
>(
  Object.entries({
    atomic_exchange: ['atomic_store_explicit', 'memory_order_release'],
    __sync_lock_test_and_set: ['__atomic_store_n', '__ATOMIC_RELEASE'],
  }),
);
const exchangesWithOrder: ReadonlyMap<string, string> = new Map<string, string>(
  Object.entries({
    atomic_exchange_explicit: 'atomic_store_explicit',
    __atomic_exchange_n: '__atomic_store_n',
  }),
);

/** Whether the call is a whole statement. */
function isStatement({ points }: EditedC, { range }: CCall): boolean {
  return points.some(
    (point) =>
      point.kind === 'before' &&
      point.statement.start === range.start &&
      point.statement.end > range.end &&
      point.statement.end <= range.end + 8,
  );
}

/**
 * Returns the edits that turn a store of order `seq_cst`, or an exchange whose result is unused,
 * into a store of order `release`; empty for unknown calls.
 */
export function weakenStore(c: EditedC, offset: number): readonly TextEdit[] {
  if (c.tokens[tokenAt(c, offset)]?.text === '=') return weakenAssignment(c, offset);
  const call = callAt(c, offset);
  if (!call?.isPlain) return [];
  const edits = withOrder(c, call, 'release');
  if (edits.length > 0) return edits;
  if (call.isMember) return weakenMember(call);
  return isFree(c, call) ? weakenCall(c, call) : [];
}

function weakenMember(call: CCall): readonly TextEdit[] {
  const { name, operands, range } = call;
  const order = 'std::memory_order_release';
  const end = range.end - 1;
  if (name === 'clear' && operands.length === 0) return [insertion(end, order)];
  if (name === 'store' && operands.length === 1) return [insertion(end, `, ${order}`)];
  return [];
}

function weakenCall(c: EditedC, call: CCall): readonly TextEdit[] {
  const { name, operands, range } = call;
  const known = stores.get(name) ?? (isStatement(c, call) ? exchanges.get(name) : undefined);
  if (known) {
    const [to, order] = known;
    return [renamed(call, to), insertion(range.end - 1, `, ${order}`)];
  }
  const to = exchangesWithOrder.get(name);
  const order = operands[2];
  if (to !== undefined && order && isStatement(c, call)) {
    const edits = orderLike(c.text, order, 'release');
    return edits.length > 0 ? [renamed(call, to), ...edits] : [];
  }
  if (!hasKernelMacros(headersOf(c.tokens)) || operands.length !== 2) return [];
  if (name === 'smp_store_mb') return [renamed(call, 'WRITE_ONCE')];
  return name === 'xchg' && isStatement(c, call) ? [renamed(call, 'smp_store_release')] : [];
}

/** An assignment statement `x = 1;` without further effects. */
interface AssignmentStatement {
  readonly range: TextRange;
  readonly target: string;
  readonly value: string;
}

/**
 * Returns the assignment whose sign `=` is at an offset; `undefined` if the assignment is part of
 * something else, or has further effects.
 */
export function assignmentAt(c: EditedC, offset: number): AssignmentStatement | undefined {
  const { text, tokens, points } = c;
  if (tokens[tokenAt(c, offset)]?.text !== '=') return undefined;
  const statements = points.flatMap((point) =>
    point.kind === 'before' && point.statement.start < offset && offset < point.statement.end
      ? [point.statement]
      : [],
  );
  const range = statements.toSorted((a, b) => b.start - a.start)[0];
  if (!range || text[range.end - 1] !== ';') return undefined;
  const within = tokens.filter(({ start, end }) => start >= range.start && end < range.end);
  const left = within.filter(({ start }) => start < offset);
  const right = within.filter(({ start }) => start > offset);
  const isOne = within.every(({ text: word }) => word !== ',' && word !== '?');
  if (!isOne || !onlyReads(left) || !onlyReads(right) || right.length === 0) return undefined;
  const [first, second] = left;
  if (first?.kind !== 'word' && first?.text !== '*' && first?.text !== '(') return undefined;
  // Two words in a row begin a declaration.
  if (first.kind === 'word' && second?.kind === 'word') return undefined;
  const target = text.slice(range.start, left.at(-1)!.end);
  return { range, target, value: text.slice(right[0]!.start, right.at(-1)!.end) };
}

/** Returns the pointer to a target: `p` for `*p`, `&x` for `x`. */
export function pointerTo(target: string): string {
  return /^\*\s*(\w+)$/.exec(target)?.[1] ?? `&${target}`;
}

/**
 * Returns the edits that replace an assignment to an atomic variable by a call of a weaker store;
 * empty if no assignment can be replaced.
 */
function weakenAssignment(c: EditedC, offset: number): readonly TextEdit[] {
  const found = assignmentAt(c, offset);
  if (!found) return [];
  const { range, target, value } = found;
  const stored = c.isPlus ? storedInPlus(c, target, value) : storedInC(c, target, value);
  return stored === undefined ? [] : [replacement(range.start, range.end, `${stored};`)];
}

function storedInC({ tokens }: ScannedC, target: string, value: string): string | undefined {
  if (!headersOf(tokens).has('stdatomic.h')) return undefined;
  return `atomic_store_explicit(${pointerTo(target)}, ${value}, memory_order_release)`;
}

function storedInPlus({ tokens }: ScannedC, target: string, value: string): string | undefined {
  if (!headersOf(tokens).has('atomic')) return undefined;
  const pointer = /^\*\s*(\w+)$/.exec(target)?.[1];
  const object = /^[\w.\[\]>-]+$/.test(target) ? target : `(${target})`;
  const member = pointer === undefined ? `${object}.` : `${pointer}->`;
  return `${member}store(${value}, std::memory_order_release)`;
}
