import { failureOrderOf } from '@fencewright/model/c11/default-orders.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { joinedOrder, type OrderLevel } from '@fencewright/model/program/order-level.js';
import { insertion, replacement, type TextEdit } from '@fencewright/ground/source/text-edit.js';
import { type CCall, callAt } from './find-call.js';
import { type EditedC, orderWord } from './edit-store.js';
import { fenceAt } from './fence-in-text.js';
import { fenceSpelling } from './fence-spelling.js';
import { removeFenceInC } from './remove-fence.js';

/**
 * A function with memory orders: the number of operands before the orders, and the number of
 * orders.
 */
interface Ordered {
  readonly operands: number;
  readonly orders: 1 | 2;
}

const fetches = ['add', 'sub', 'and', 'or', 'xor', 'nand'];

function named(operands: number, names: readonly string[], orders: 1 | 2 = 1) {
  return names.map((name) => [name, { operands, orders }] as const);
}

/** Functions of C11, whose names end in `_explicit` if their orders are spelt out. */
const ofC11 = new Map<string, Ordered>([
  ...named(1, ['atomic_load', 'atomic_flag_test_and_set', 'atomic_flag_clear']),
  ...named(2, ['atomic_store', 'atomic_exchange', ...fetches.map((one) => `atomic_fetch_${one}`)]),
  ...named(3, ['atomic_compare_exchange_strong', 'atomic_compare_exchange_weak'], 2),
]);

/** Functions of GCC and clang, which always spell their orders out. */
const ofCompilers = new Map<string, Ordered>([
  ...named(1, ['__atomic_load_n', '__c11_atomic_load', '__atomic_test_and_set', '__atomic_clear']),
  ...named(2, ['__atomic_load', '__atomic_store', '__atomic_store_n', '__c11_atomic_store']),
  ...named(2, ['__atomic_exchange_n', '__c11_atomic_exchange']),
  ...named(
    2,
    fetches.flatMap((one) => [`__atomic_fetch_${one}`, `__atomic_${one}_fetch`]),
  ),
  ...named(
    2,
    fetches.map((one) => `__c11_atomic_fetch_${one}`),
  ),
  ...named(3, ['__atomic_exchange']),
  ...named(4, ['__atomic_compare_exchange_n', '__atomic_compare_exchange'], 2),
  ...named(3, ['__c11_atomic_compare_exchange_strong', '__c11_atomic_compare_exchange_weak'], 2),
]);

/** Members of `std::atomic`, whose orders may be left out. */
const members = new Map<string, Ordered>([
  ...named(0, ['load', 'test_and_set', 'clear', 'test']),
  ...named(1, ['store', 'exchange', ...fetches.map((one) => `fetch_${one}`)]),
  ...named(2, ['compare_exchange_strong', 'compare_exchange_weak'], 2),
]);

/**
 * Returns the text of a memory order, spelt like the order `like`, or else as usual in the
 * language.
 */
function spelt({ isPlus }: EditedC, order: MemoryOrder, like: string | undefined): string {
  const [, start] = (like === undefined ? null : orderWord.exec(like)) ?? [];
  if (start === '__ATOMIC_') return start + order.toUpperCase();
  return `${start ?? (isPlus ? 'std::memory_order_' : 'memory_order_')}${order}`;
}

/** Whether C11 allows both orders of a compare-exchange together. */
function isAllowed({ order, failure = 'relaxed' }: OrderLevel): boolean {
  return joinedOrder(order, failure) === order;
}

/** Returns the edits that set the orders of a call; empty if the call is not known. */
function editCall(c: EditedC, call: CCall, level: OrderLevel): readonly TextEdit[] {
  const { name, operands, range, isMember } = call;
  const base = name.replace(/_explicit$/, '');
  const known = isMember ? members.get(name) : (ofC11.get(base) ?? ofCompilers.get(name));
  if (!known || !isAllowed(level)) return [];
  const given = operands.slice(known.operands);
  if (operands.length < known.operands || given.length > known.orders) return [];
  const texts = given.map(({ start, end }) => c.text.slice(start, end));
  if (!texts.every((text) => orderWord.test(text))) return [];
  const { order, failure = failureOrderOf(order) } = level;
  const orders = known.orders === 1 ? [order] : [order, failure];
  const words = orders.map((one, i) => spelt(c, one, texts[i] ?? texts[0])).join(', ');
  const [first] = given;
  if (first) return [replacement(first.start, given.at(-1)!.end, words)];
  const edits = [insertion(range.end - 1, operands.length > 0 ? `, ${words}` : words)];
  if (isMember || base !== name) return edits;
  const start = call.open - name.length;
  return ofC11.has(base) && c.text.startsWith(name, start)
    ? [insertion(call.open, '_explicit'), ...edits]
    : [];
}

/**
 * Returns the edits that give the access or fence at an offset other memory orders; empty if the
 * text has no place for them. A fence that is `relaxed` is removed.
 */
export function editOrder(
  c: EditedC,
  offset: number,
  isFence: boolean,
  level: OrderLevel,
): readonly TextEdit[] {
  if (isFence) {
    if (level.order === 'relaxed') return removeFenceInC(c, offset);
    const range = fenceAt(c, offset, c.barriers);
    const [operand] = callAt(c, offset)?.operands ?? [];
    if (!range) return [];
    const like = operand && c.text.slice(operand.start, operand.end);
    if (operand && like !== undefined && orderWord.test(like))
      return [replacement(operand.start, operand.end, spelt(c, level.order, like))];
    return [replacement(range.start, range.end, fenceSpelling(c.text, c.isPlus, level.order))];
  }
  const call = callAt(c, offset);
  return call ? editCall(c, call, level) : [];
}
