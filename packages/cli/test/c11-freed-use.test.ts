import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNeeded, why } from './needs-clang.js';

/** Returns a program whose main frees a block while the reader runs (`early`), or afterwards. */
const published = (early: string, late: string): string => `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; };
static _Atomic(struct node *) shared;
static atomic_int calls, sum;
static void *reader(void *unused) {
  struct node *seen = atomic_load_explicit(&shared, memory_order_acquire);
  if (seen) atomic_fetch_add(&sum, seen->value);
  assert(atomic_fetch_add(&calls, 1) == 0);
  return unused;
}
int main(void) {
  pthread_t a;
  struct node *node = malloc(sizeof *node);
  node->value = 5;
  atomic_store_explicit(&shared, node, memory_order_release);
  pthread_create(&a, 0, reader, 0);
  ${early}
  pthread_join(a, 0);
  ${late}
}
`;

describe.runIf(isNeeded)(`freed memory under C11${why}`, () => {
  test('a use under SC is the answer, whatever the orders', async () => {
    const cwd = await folderWith({ 'a.c': published('free(node);', '') });
    const first =
      'a.c uses freed memory, undefined behaviour in C11, whatever its orders: reader accesses a block at line 10 after main has freed the block at line 20';
    for (const args of [
      ['check', '--model', 'c11', 'a.c'],
      ['fence', '--model', 'c11', 'a.c'],
      ['fence', '--model', 'c11', '--for', 'assertions', 'a.c'],
      ['fence', '--model', 'c11', '--minimise', 'a.c'],
    ]) {
      const { code, stdout, stderr } = await fencewright(args, { cwd });
      expect([args, code, stdout.split('\n')[0]]).toEqual([args, 10, first]);
      expect(stderr).toContain('FW3011');
      expect(stdout).not.toContain('before its free');
      expect(stdout).not.toContain('assertions hold');
    }
    const json = await fencewright(['check', '--model', 'c11', '--json', 'a.c'], { cwd });
    expect(json.stdout).toContain('"assertions": "unknown"');
    expect(json.stdout).toContain('"code": "FW3011"');
  });

  // Both threads use the block first in each interleaving, but relaxed updates of the count order
  // nothing: the store through `q` and `free` race.
  test('the line about C11 does not call the orders of a relaxed reference count enough', async () => {
    const cwd = await folderWith({
      'count.c': `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static _Atomic(int *) p;
static atomic_int count;
static void *user(void *unused) {
  int *q = atomic_load_explicit(&p, memory_order_relaxed);
  *q = 5;
  if (atomic_fetch_sub_explicit(&count, 1, memory_order_relaxed) == 1) free(q);
  return unused;
}
static void *dropper(void *unused) {
  int *q = atomic_load_explicit(&p, memory_order_relaxed);
  if (atomic_fetch_sub_explicit(&count, 1, memory_order_relaxed) == 1) free(q);
  return unused;
}
int main(void) {
  pthread_t a, b;
  atomic_init(&p, malloc(sizeof(int)));
  atomic_init(&count, 2);
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, dropper, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`,
    });
    const { stdout } = await fencewright(['count.c'], { cwd });
    expect(stdout).toContain('C11, any machine: robust');
    expect(stdout).not.toContain('orders are enough');
    expect(stdout).toContain('if memory orders place each use of memory before its free');
  });

  test('a block freed behind the join leaves the answer, with its assumption', async () => {
    const cwd = await folderWith({ 'a.c': published('', 'free(node);') });
    const check = await fencewright(['check', '--model', 'c11', 'a.c'], { cwd });
    expect([check.code, check.stdout]).toEqual([0, expect.stringContaining('is robust')]);
    const fence = await fencewright(['fence', '--model', 'c11', '--for', 'assertions', 'a.c'], {
      cwd,
    });
    expect(fence.code).toBe(0);
    expect(fence.stdout).toContain('satisfies its assertions');
  });
});
