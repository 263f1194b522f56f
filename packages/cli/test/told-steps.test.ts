import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
    expect(stdout).toContain('consume finds head != tail');
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

  test('numbers have no gaps, in texts and on the page, and names are those of the source', async () => {
    // The sleeper reads work before its store of waiting is seen, and then nobody wakes it.
    const cwd = await folderWith({
      'a.c': `#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
struct pair { atomic_int waiting, work; };
static struct pair *p;
static atomic_int word;
static void *sleeper(void *a) {
  atomic_store_explicit(&p->waiting, 1, memory_order_relaxed);
  if (!atomic_load_explicit(&p->work, memory_order_relaxed))
    syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
  return a;
}
static void *waker(void *a) {
  atomic_store_explicit(&p->work, 1, memory_order_relaxed);
  if (atomic_load_explicit(&p->waiting, memory_order_relaxed)) {
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
  }
  return a;
}
int main(void) {
  pthread_t s, t;
  p = calloc(1, sizeof *p);
  pthread_create(&s, 0, sleeper, 0);
  pthread_create(&t, 0, waker, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}
`,
    });
    const page = join(cwd, 'a.html');
    const { stdout } = await fencewright(
      ['explain', '--answers', '--report', `html=${page}`, 'a.c'],
      { cwd },
    );
    const html = await readFile(page, 'utf8');
    for (const text of [stdout, html]) {
      expect(text).toContain('sleeper sleeps in futex wait on word');
      expect(text).toContain('block main:26');
      expect(text).not.toMatch(/sleeps_on|malloc@|assume\(|goes on/);
    }
    const steps = stdout.slice(stdout.indexOf('How sleeper'), stdout.indexOf('The attack'));
    const numbers = [...steps.matchAll(/^ +(\d+)\.? .*(?:sleeper|waker)/gm)].map(([, n]) =>
      Number(n),
    );
    expect(numbers.length).toBeGreaterThan(5);
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    const [, data = ''] = /<script type="application\/json" id="data">([^<]*)</.exec(html) ?? [];
    const shown = (JSON.parse(data) as { steps: { number: number }[] }).steps;
    expect(shown.map(({ number }) => number)).toEqual(shown.map((_, i) => i + 1));
    // Two executions stand in the text, each with a title of its own.
    expect(stdout).toContain('\nThe attack, step by step: another execution\n');
    const [, first = '', second = ''] = /po, step (\d+) to step (\d+)/.exec(stdout) ?? [];
    expect(html).toContain(`po, step ${first} to step ${second}`);
  });

  test('a mutex is locked and unlocked in one step, and a lock by cas is taken in one', async () => {
    // The second thread finds the total that the first has left.
    const cwd = await folderWith({
      'a.c': `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int locked;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter, total;
static void *work(void *a) {
  int e = 0;
  while (!atomic_compare_exchange_weak(&locked, &e, 1)) e = 0;
  counter++;
  atomic_store_explicit(&locked, 0, memory_order_release);
  pthread_mutex_lock(&m);
  total++;
  assert(total < 2);
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
`,
    });
    const { stdout } = await fencewright(['a.c'], { cwd });
    const steps = stdout.slice(stdout.indexOf('How the assertion'));
    expect(steps.match(/^ +\d+ +work\[\d\] +locks +12 +m$/gm)).toHaveLength(2);
    expect(steps.match(/^ +\d+ +work\[\d\] +unlocks +15 +m$/gm)).toHaveLength(1);
    expect(steps).not.toMatch(/finds.* m |& 1|finds.*cas/);
    expect(steps.match(/0 -> 1 +cas\(locked, 0 -> 1\) succeeded$/gm)).toHaveLength(2);
  });

  test('a spin lock is unlocked through the store buffer, in steps and in the cycle', async () => {
    const cwd = await folderWith({
      'a.c': `#include <pthread.h>
#include <stdatomic.h>
static pthread_spinlock_t m;
static atomic_int y;
static int r;
static void *t0(void *a) {
  pthread_spin_lock(&m);
  pthread_spin_unlock(&m);
  r = atomic_load_explicit(&y, memory_order_relaxed);
  return a;
}
static void *t1(void *a) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  if (pthread_spin_trylock(&m) == 0) pthread_spin_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_spin_init(&m, 0);
  pthread_create(&t, 0, t0, 0);
  pthread_create(&u, 0, t1, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
`,
    });
    const { stdout } = await fencewright(['explain', 'a.c'], { cwd });
    const steps = [...stdout.matchAll(/^ +\d+ +t0 (issues its unlock of|unlocks) m +8 /gm)];
    expect(steps.map(([, verb]) => verb)).toEqual(['issues its unlock of', 'unlocks']);
    expect(stdout).toContain("t1's attempt to lock m at line 14 read 1 before t0's unlock of m at");
    expect(stdout).not.toContain('store of m at');
  });

  test('a notification of std::condition_variable is told as what it is', async () => {
    const cwd = await folderWith({
      'a.cpp': `#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
static std::mutex m;
static std::condition_variable event;
static bool ready;
static std::atomic<int> x, y;
static int r0, r1;
int main() {
  std::thread a([] {
    std::unique_lock<std::mutex> lock(m);
    while (!ready) event.wait(lock);
    x.store(1, std::memory_order_release);
    r0 = y.load(std::memory_order_acquire);
  });
  std::thread b([] {
    { std::lock_guard<std::mutex> lock(m); ready = true; }
    event.notify_one();
    y.store(1, std::memory_order_release);
    r1 = x.load(std::memory_order_acquire);
  });
  a.join();
  b.join();
}
`,
    });
    const { stdout } = await fencewright(['explain', 'a.cpp'], { cwd });
    expect(stdout).toMatch(/wakes (?:nobody at|a waiting thread of) event/);
    expect(stdout).not.toMatch(/loads event|exchange|fetch_or/);
  });

  test('a use of freed memory is shown to its end, with fields by name, in 100 columns', async () => {
    // A hazard pointer whose reader does not wait for its store before it looks again [Michael04].
    const cwd = await folderWith({
      'a.c': `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct config { int version; int limit; };
static _Atomic(struct config *) current, hazard;
static int seen;
static void *reader(void *a) {
  struct config *c;
  do {
    c = atomic_load_explicit(&current, memory_order_acquire);
    atomic_store_explicit(&hazard, c, memory_order_release);
  } while (c != atomic_load_explicit(&current, memory_order_acquire));
  seen = c->limit;
  return a;
}
static void *writer(void *a) {
  struct config *n = malloc(sizeof *n);
  n->version = 2;
  struct config *old = atomic_exchange(&current, n);
  while (atomic_load_explicit(&hazard, memory_order_acquire) == old) {}
  free(old);
  return a;
}
int main(void) {
  pthread_t t, u;
  struct config *first = malloc(sizeof *first);
  first->limit = 10;
  atomic_store(&current, first);
  pthread_create(&t, 0, reader, 0);
  pthread_create(&u, 0, writer, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
`,
    });
    const { stdout } = await fencewright(['explain', 'a.c'], { cwd });
    const steps = stdout.slice(stdout.indexOf('How reader uses'), stdout.indexOf('The attack:'));
    expect(steps).toContain('reader finds current (line 10) == current (line 12)');
    expect(steps).toContain('writer frees block main:26 (line 21)');
    expect(steps).toMatch(
      /reader loads limit of block main:26 from memory: 10 \(line 13\)\n {2}The last step accesses 'limit of .*: seen = c->limit;\n/,
    );
    const reached = await fencewright(['reach', 'a.c'], { cwd });
    expect(reached.stdout).toMatch(/^a\.c uses freed memory on x86/);
    const execution = reached.stdout.slice(reached.stdout.indexOf('An execution: reader accesses'));
    expect(execution).toMatch(/^ +\d+ +writer +frees +21 /m);
    expect(
      Math.max(
        ...execution
          .split('\n')
          .slice(1)
          .map(({ length }) => length),
      ),
    ).toBeLessThan(101);
  });

  test('blocks have short names, and the pointers in them too', async () => {
    const cwd = await folderWith({
      'a.cpp': `#include <atomic>
#include <cassert>
#include <thread>
namespace lists {
template <typename T, int N> struct Stack {
  struct Node { T value; Node *next; };
  std::atomic<Node *> head{nullptr};
  std::atomic<int> taken[N] = {};
  void push(T v) {
    Node *n = new Node{v, head.load()};
    head.store(n, std::memory_order_release);
  }
  T take(int me) {
    taken[me].store(1, std::memory_order_release);
    if (taken[1 - me].load(std::memory_order_acquire)) return 0;
    Node *first = head.load(std::memory_order_acquire);
    head.store(first->next, std::memory_order_release);
    return first->value;
  }
};
}
lists::Stack<int, 2> s;
int main() {
  int a = 0, b = 0;
  s.push(1);
  s.push(2);
  std::thread t([&] { a = s.take(0); });
  std::thread u([&] { b = s.take(1); });
  t.join();
  u.join();
  assert(a == 0 || b == 0);
}
`,
    });
    const { stdout } = await fencewright(['explain', 'a.cpp'], { cwd });
    const steps = stdout.slice(stdout.indexOf('How the assertion'), stdout.indexOf('The attack:'));
    expect(steps).toContain('s.head: &block push:10#2');
    expect(steps).toMatch(/loads next of block push:10#2 from memory: &block push:10, /);
    expect(steps).not.toMatch(/block lists|allocated at/);
  });
});
