import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNeeded, why } from './needs-clang.js';

/** Both threads may load 0 before either stores 1, so the assertion can fail ([HS08] Sect. 1.1). */
const lostUpdate = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *add(void *a) { int v = n; n = v + 1; return a; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, add, 0);
  pthread_create(&u, 0, add, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(n == 2);
}
`;

describe.runIf(isNeeded)(`the steps of an execution of C${why}`, () => {
  test('threads are joined by name, and nothing of the tool itself is shown', async () => {
    const cwd = await folderWith({ 'a.c': lostUpdate });
    const { stdout } = await fencewright(['explain', 'a.c'], { cwd });
    const steps = stdout.slice(stdout.indexOf('How the assertion'));
    for (const sentence of ['add[0] ends', 'main joins add[0]', 'main joins add[1]'])
      expect(steps).toContain(sentence);
    expect(steps).not.toMatch(/bus lock|ended\(|store buffer of|until then/);
    expect(steps).toContain('  step  what happens ');
    // Of the memory, the table shows the variable of the program alone.
    expect(/^ +step +what happens +line (.*)$/m.exec(steps)?.[1]?.trim()).toBe('n');
  });

  test('a failing assertion is one line of a table and one execution', async () => {
    const cwd = await folderWith({
      'a.c': lostUpdate.replace('n == 2', 'n != 1 && n != 0'),
    });
    const { stdout } = await fencewright(['reach', 'a.c'], { cwd });
    expect(stdout.match(/^ +main +12 +assert\(n != 1 && n != 0\) +fails +fails$/gm)).toHaveLength(
      1,
    );
    expect(stdout.match(/^An execution: the assertion/gm)).toHaveLength(1);
    expect(stdout).toMatch(/^ +\d+ +main +join +10 +add\[0\]/m);
    expect(stdout).not.toContain('ended(');
  });

  test('a check of an index that holds is no step, and one that fails is', async () => {
    // The consumer reads the first slot, which the producer has filled with 1; the ring has two.
    const ring = (first: number): string => `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int slots[2];
static atomic_uint head, tail;
static void *produce(void *a) {
  for (int i = 1; i <= 2; i++) {
    unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
    while (h - atomic_load_explicit(&tail, memory_order_acquire) == 2) {}
    slots[h + ${first}] = i;
    atomic_store_explicit(&head, h + 1, memory_order_release);
  }
  return a;
}
static void *consume(void *a) {
  unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
  while (atomic_load_explicit(&head, memory_order_acquire) == t) {}
  int got = slots[t];
  assert(got == 2);
  atomic_store_explicit(&tail, t + 1, memory_order_release);
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, produce, 0);
  pthread_create(&u, 0, consume, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
`;
    const cwd = await folderWith({ 'a.c': ring(0), 'b.c': ring(1) });
    const { stdout } = await fencewright(['explain', 'a.c'], { cwd });
    expect(stdout).toContain('consume goes on, as head != tail');
    expect(stdout).toContain('consume loads slots[0] from memory: 1');
    expect(stdout).not.toMatch(/u32|>= 0|<= 1\b/);
    const outside = await fencewright(['check', 'b.c'], { cwd });
    expect(outside.stderr + outside.stdout).toMatch(/^b\.c:10:\d+: error FW\d+/m);
  });

  test('a text that only TSO prints is named as a text', async () => {
    // Store buffering between `sleeping` and `stop`: both loads may read 0.
    const cwd = await folderWith({
      'a.c': `#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
atomic_int stop, sleeping;
int slept;
void *worker(void *p) {
  atomic_store_explicit(&sleeping, 1, memory_order_release);
  if (!atomic_load_explicit(&stop, memory_order_acquire)) slept = 1;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  atomic_store_explicit(&stop, 1, memory_order_release);
  int wakes = atomic_load_explicit(&sleeping, memory_order_acquire);
  pthread_join(t, 0);
  if (slept && !wakes) printf("lost\\n");
  return 0;
}
`,
    });
    const { stdout } = await fencewright(['a.c'], { cwd });
    expect(stdout).toMatch(/^a\.c ends on x86 as it never does without store buffers$/m);
    expect(stdout).toContain('    text printed by main #1 = "lost');
    const explained = await fencewright(['explain', '--answers', 'a.c'], { cwd });
    expect(explained.stdout).toContain('main computes text printed by main #1 = "lost\\n"');
    expect(explained.stdout).not.toContain('outcome');
  });
});
