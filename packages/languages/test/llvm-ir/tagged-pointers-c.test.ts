import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileC } from '../../../core/src/node/compile-c.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import { saidByTool } from '../ir-machine/said-by-tool.js';

const { clang, why } = await nativeClang();
const folder = folderOfTests();

async function saidOf(text: string) {
  await writeFile(path.join(folder, 'program.c'), text);
  const compiled = await compileC(clang!, [{ file: 'program.c' }], { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
  const said = await saidByTool(compiled.modules, 'program.c', 300_000);
  if (said.kind !== 'said') throw new Error(said.why);
  return said;
}

/**
 * A program in which two threads count in a structure behind a pointer whose lowest bit is a lock,
 * as in `std::atomic<std::shared_ptr<T>>` of libstdc++. `between` and `behind` are statements of
 * the threads with and without the lock; `n` is the structure.
 */
function counting(between: string, behind = ''): string {
  return `#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <stdatomic.h>
struct node { long value; int others[2]; };
_Atomic uintptr_t slot;
static struct node *lock(void) {
  uintptr_t now = atomic_load_explicit(&slot, memory_order_relaxed);
  while (now & 1) now = atomic_load_explicit(&slot, memory_order_relaxed);
  while (!atomic_compare_exchange_strong(&slot, &now, now | 1)) now &= ~(uintptr_t)1;
  return (struct node *)now;
}
static void unlock(void) { atomic_fetch_sub(&slot, 1); }
static void *count(void *a) {
  struct node *n = lock();
  ${between}
  unlock();
  ${behind}
  return 0;
}
int main(void) {
  pthread_t p, q;
  struct node *first = malloc(sizeof(struct node));
  first->value = 0; first->others[0] = 5; first->others[1] = 6;
  atomic_init(&slot, (uintptr_t)first);
  pthread_create(&p, 0, count, 0); pthread_create(&q, 0, count, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  return 0;
}
`;
}

describe.skipIf(!clang)(`tags in pointers${why}`, () => {
  const finals = (said: Awaited<ReturnType<typeof saidOf>>) =>
    [said.sc, said.tso].map(({ finals }) =>
      finals.map((cells) => [...cells].find(([name]) => name.startsWith('value of block'))?.[1]),
    );

  it('are removed by atomic subtractions', async () => {
    const said = await saidOf(counting('n->value++;'));
    expect(said.verdict).toBe('robust');
    expect([said.hasFaults, said.sc.knowsEnds]).toEqual([false, true]);
    expect(finals(said)).toEqual([[2], [2]]);
  });

  it('that are missing make a subtraction undecided', async () => {
    const said = await saidOf(counting('n->value++;', 'unlock();'));
    expect(said.verdict).not.toBe('robust');
    expect(said.codes).toContain('FW3009');
  });

  it('that are not removed make accesses undecided', async () => {
    const said = await saidOf(
      counting('n->value++;', '((struct node *)atomic_load(&slot))->value++;'),
    );
    expect(said.verdict).not.toBe('robust');
    expect(said.codes).toContain('FW3009');
  });

  it('do not count in other subtractions from pointers', async () => {
    // A byte pointer moves down within its array: 3, 2 and 1 are no tags there.
    const said = await saidOf(`#include <pthread.h>
#include <stdatomic.h>
char bytes[8] = { 10, 11, 12, 13, 14, 15, 16, 17 };
_Atomic(char *) at = bytes + 5;
static void *down(void *a) {
  atomic_fetch_sub(&at, 1);
  return 0;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, down, 0); pthread_create(&q, 0, down, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  return 0;
}
`);
    expect(said.hasFaults).toBe(false);
    expect(said.verdict).toBe('robust');
  });
});
