import { applyEdits } from '@fencewright/ground/source/text-edit.js';
import type { OrderLevel } from '@fencewright/model/program/order-level.js';
import { describe, expect, test } from 'vitest';
import { editOrder } from '../../src/c/edit-order.js';
import { scan } from '../../src/c/find-call.js';
import { findFencePoints } from '../../src/c/find-fence-points.js';

/** Returns the statement after the edit that gives the call at `name` other memory orders. */
function edited(statement: string, name: string, level: OrderLevel, isPlus: boolean): string {
  const [before, behind] = ['#include <stdatomic.h>\nvoid f(void) {\n  ', '\n}\n'];
  const text = `${isPlus ? before.replace('stdatomic.h', 'atomic') : before}${statement}${behind}`;
  const c = { ...scan(text), barriers: new Set<string>(), points: findFencePoints(text), isPlus };
  const isFence = name.includes('fence') || name.includes('sync');
  const edits = editOrder(c, text.lastIndexOf(name), isFence, level);
  if (edits.length === 0) return 'no place';
  return applyEdits(text, edits)
    .split('{\n')[1]!
    .replace(/\n?\}\n$/, '')
    .trim();
}

const cas: OrderLevel = { order: 'acq_rel', failure: 'acquire' };

describe('memory orders in the text of C', () => {
  test.each<[string, string, OrderLevel, string]>([
    [
      'atomic_load(&x);',
      'atomic_load',
      { order: 'acquire' },
      'atomic_load_explicit(&x, memory_order_acquire);',
    ],
    [
      'atomic_store_explicit(&x[i], f(1, 2), memory_order_relaxed);',
      'atomic_store',
      { order: 'release' },
      'atomic_store_explicit(&x[i], f(1, 2), memory_order_release);',
    ],
    [
      '__atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);',
      '__atomic_fetch_add',
      { order: 'acq_rel' },
      '__atomic_fetch_add(&x, 1, __ATOMIC_ACQ_REL);',
    ],
    [
      'atomic_compare_exchange_strong(&x, &old, 1);',
      'atomic_compare',
      cas,
      'atomic_compare_exchange_strong_explicit(&x, &old, 1, memory_order_acq_rel, memory_order_acquire);',
    ],
    [
      '__atomic_compare_exchange_n(&x, &o, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);',
      '__atomic_compare',
      cas,
      '__atomic_compare_exchange_n(&x, &o, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);',
    ],
    [
      'atomic_thread_fence(memory_order_acquire);',
      'atomic_thread_fence',
      { order: 'seq_cst' },
      'atomic_thread_fence(memory_order_seq_cst);',
    ],
    ['atomic_thread_fence(memory_order_acquire);', 'atomic_thread_fence', { order: 'relaxed' }, ''],
    [
      '__sync_synchronize();',
      '__sync',
      { order: 'release' },
      'atomic_thread_fence(memory_order_release);',
    ],
    // C11 has no failure order that is stronger than the order of the success.
    [
      'atomic_compare_exchange_strong(&x, &o, 1);',
      'atomic_compare',
      { order: 'release', failure: 'acquire' },
      'no place',
    ],
    ['atomic_store_explicit(&x, 1, order);', 'atomic_store', { order: 'release' }, 'no place'],
    ['publish(&x, 1, memory_order_relaxed);', 'publish', { order: 'release' }, 'no place'],
    ['x = 1;', 'x', { order: 'release' }, 'no place'],
  ])('%s', (statement, name, level, wanted) => {
    expect(edited(statement, name, level, false)).toBe(wanted);
  });

  test.each<[string, string, OrderLevel, string]>([
    ['x.load();', 'load', { order: 'acquire' }, 'x.load(std::memory_order_acquire);'],
    ['p->store(1);', 'store', { order: 'release' }, 'p->store(1, std::memory_order_release);'],
    [
      'x.fetch_add(1, std::memory_order::relaxed);',
      'fetch_add',
      { order: 'release' },
      'x.fetch_add(1, std::memory_order::release);',
    ],
    [
      'x.compare_exchange_weak(o, 1, std::memory_order_seq_cst);',
      'compare',
      cas,
      'x.compare_exchange_weak(o, 1, std::memory_order_acq_rel, std::memory_order_acquire);',
    ],
    [
      'std::atomic_thread_fence(std::memory_order_release);',
      'std::atomic_thread_fence',
      { order: 'acq_rel' },
      'std::atomic_thread_fence(std::memory_order_acq_rel);',
    ],
  ])('%s', (statement, name, level, wanted) => {
    expect(edited(statement, name, level, true)).toBe(wanted);
  });
});
