import { describe, expect, test } from 'vitest';
import { type EditedC, strengthenStore, weakenStore } from '../../src/c/edit-store.js';
import { scan } from '../../src/c/find-call.js';
import { findFencePoints } from '../../src/c/find-fence-points.js';
import { removeFenceInC, withWholeLines } from '../../src/c/remove-fence.js';
import { applyEdits, type TextEdit } from '@fencewright/ground/source/text-edit.js';

/**
 * Returns the body of a function after an edit of the instruction at `@`; unchanged if there is no
 * edit.
 */
function edited(
  edit: (c: EditedC, offset: number) => readonly TextEdit[],
  body: string,
  header: string,
  isPlus = false,
): string {
  const head = `#include <${header}>\nvoid f(void) {\n`;
  const offset = head.length + body.indexOf('@');
  const text = `${head}${body.replace('@', '')}\n}\n`;
  const c = { ...scan(text), barriers: new Set<string>(), points: findFencePoints(text), isPlus };
  return applyEdits(text, edit(c, offset)).slice(head.length, -3);
}

const c11 = 'stdatomic.h';
const same = undefined;

describe('a store becomes stronger', () => {
  test.each([
    [
      c11,
      '@atomic_store_explicit(&x, 1, memory_order_release);',
      'atomic_store_explicit(&x, 1, memory_order_seq_cst);',
    ],
    [
      c11,
      'if (a) @atomic_store_explicit(p->x, a[i] + 1,\n  memory_order_relaxed);',
      'if (a) atomic_store_explicit(p->x, a[i] + 1,\n  memory_order_seq_cst);',
    ],
    [
      c11,
      '@atomic_flag_clear_explicit(&f, memory_order_release);',
      'atomic_flag_clear_explicit(&f, memory_order_seq_cst);',
    ],
    [
      c11,
      '@__atomic_store_n(&x, 1, __ATOMIC_RELEASE);',
      '__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);',
    ],
    [c11, '@__sync_lock_release(&x);', '__atomic_store_n(&x, 0, __ATOMIC_SEQ_CST);'],
    ['lkmm.h', '@WRITE_ONCE(*p, 1);', 'smp_store_mb(*p, 1);'],
    ['linux/atomic.h', '@WRITE_ONCE(x, (1 << 2));', 'smp_store_mb(x, (1 << 2));'],
    ['lkmm.h', '@smp_store_release(&s->x, 1);', 'smp_store_mb(s->x, 1);'],
    ['lkmm.h', '@smp_store_release(p, 1);', 'smp_store_mb(*p, 1);'],
    ['lkmm.h', '@rcu_assign_pointer(head, new);', 'smp_store_mb(head, new);'],
    ['atomic', 'x.@store(1, std::memory_order_release);', 'x.store(1, std::memory_order_seq_cst);'],
    ['atomic', 'p->@clear(std::memory_order_release);', 'p->clear(std::memory_order_seq_cst);'],
    // If further effects or the name are unknown, the text stays unchanged.
    [c11, '@atomic_store_explicit(&x, y = 2, memory_order_release);', same],
    [c11, '@atomic_store_explicit(&x, i++, memory_order_release);', same],
    [c11, '@atomic_store_explicit(&x, g(1), memory_order_release);', same],
    [c11, '@atomic_store_explicit(&x, 1, order);', same],
    [c11, '@WRITE_ONCE(x, 1);', same],
    [c11, 'x @= 1;', same],
    [c11, '@STORE(x, 1);', same],
    ['atomic', 'x.@put(1, std::memory_order_release);', same],
  ])('%s: %s', (header, body, expected) => {
    const isPlus = header === 'atomic';
    expect(edited(strengthenStore, body, header, isPlus)).toBe(expected ?? body.replace('@', ''));
  });
});

describe('a store becomes weaker', () => {
  test.each([
    [c11, '@atomic_store(&x, 1);', 'atomic_store_explicit(&x, 1, memory_order_release);'],
    [
      c11,
      '@atomic_store_explicit(&x, 1, memory_order_seq_cst);',
      'atomic_store_explicit(&x, 1, memory_order_release);',
    ],
    [c11, 'x @= y + 1;', 'atomic_store_explicit(&x, y + 1, memory_order_release);'],
    [c11, '*p @= 1;', 'atomic_store_explicit(p, 1, memory_order_release);'],
    [
      c11,
      'if (a) s->x[i] @= 1; else y = 1;',
      'if (a) atomic_store_explicit(&s->x[i], 1, memory_order_release); else y = 1;',
    ],
    [c11, '@atomic_exchange(&x, 1);', 'atomic_store_explicit(&x, 1, memory_order_release);'],
    [
      c11,
      '@__atomic_exchange_n(&x, 1, __ATOMIC_SEQ_CST);',
      '__atomic_store_n(&x, 1, __ATOMIC_RELEASE);',
    ],
    [c11, '@__sync_lock_test_and_set(&x, 1);', '__atomic_store_n(&x, 1, __ATOMIC_RELEASE);'],
    ['lkmm.h', '@smp_store_mb(x, 1);', 'WRITE_ONCE(x, 1);'],
    ['lkmm.h', '@xchg(&x, 1);', 'smp_store_release(&x, 1);'],
    ['atomic', 'x.@store(1);', 'x.store(1, std::memory_order_release);'],
    ['atomic', 'x @= 1;', 'x.store(1, std::memory_order_release);'],
    ['atomic', '*p @= 1;', 'p->store(1, std::memory_order_release);'],
    ['atomic', 'f.@clear();', 'f.clear(std::memory_order_release);'],
    [c11, 'r = @atomic_exchange(&x, 1);', same],
    [c11, 'y = x @= 1;', same],
    [c11, 'x @= y = 1;', same],
    [c11, 'x @= 1, y = 2;', same],
    [c11, 'x @= g();', same],
    ['stdint.h', 'x @= 1;', same],
    [c11, '@pthread_mutex_unlock(&m);', same],
  ])('%s: %s', (header, body, expected) => {
    const isPlus = header === 'atomic';
    expect(edited(weakenStore, body, header, isPlus)).toBe(expected ?? body.replace('@', ''));
  });
});

describe('a fence goes', () => {
  test.each([
    ['  x = 1;\n  @atomic_thread_fence(memory_order_seq_cst);\n  y;', '  x = 1;\n  y;'],
    ['  x = 1;\n  @smp_mb(); // pairs with g()\n  y;', '  x = 1;\n  y;'],
    ['  x = 1; @__sync_synchronize(); y;', '  x = 1; y;'],
    ['  if (a) @smp_mb();\n  y;', '  if (a) ;\n  y;'],
    ['  if (a) { @smp_mb(); } y;', '  if (a) { } y;'],
    ['again: @smp_mb();\n  y;', 'again: ;\n  y;'],
    ['  while ((@smp_mb(), y)) ;', '  while (((void)0, y)) ;'],
    ['  @__asm__ volatile("mfence" ::: "memory");\n  y;', '  y;'],
    ['  @asm("mfence");\n  y;', '  y;'],
    ['  @std::atomic_thread_fence(std::memory_order_seq_cst);\n  y;', '  y;'],
    ['  @asm volatile("mfence; movl $1, %0" : "=m"(x) :: "memory");\n  y;', same],
    ['  @FENCE();\n  y;', same],
    ['  @pthread_mutex_lock(&m);\n  y;', same],
  ])('%s', (body, expected) => {
    expect(edited(removeFenceInC, body, c11)).toBe(expected ?? body.replace('@', ''));
  });
});

describe('fences that go from one line', () => {
  const fence = 'atomic_thread_fence(memory_order_seq_cst);';
  test.each([
    ['take it with them', `  a();\n  ${fence} ${fence}\n  b();`, '  a();\n  b();'],
    ['and what is said of them', `  a();\n  ${fence} ${fence} // both\n  b();`, '  a();\n  b();'],
    ['three', `  a();\n  ${fence}${fence}\t${fence}\n  b();`, '  a();\n  b();'],
    ['but not what else is there', `  ${fence} a(); ${fence}\n  b();`, '  a(); \n  b();'],
    ['nor what they stand for', `  if (x) ${fence} ${fence}\n  b();`, '  if (x) ; \n  b();'],
    ['on two lines each its own', `  ${fence}\n  ${fence}\n  b();`, '  b();'],
  ])('%s', (_, body, expected) => {
    const head = '#include <stdatomic.h>\nvoid f(void) {\n';
    const text = `${head}${body}\n}\n`;
    const c = {
      ...scan(text),
      barriers: new Set<string>(),
      points: findFencePoints(text),
      isPlus: false,
    };
    const edits = [...text.matchAll(/atomic_thread/g)].flatMap(({ index }) => [
      ...removeFenceInC(c, index),
    ]);
    expect(applyEdits(text, withWholeLines(text, edits)).slice(head.length, -3)).toBe(expected);
  });
});
