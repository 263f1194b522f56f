import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNeeded, why } from './needs-clang.js';

const handOver = (flag: string): string => `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
${flag} ready;
int data, came;
void *producer(void *p) { data = 42; ready = 1; return p; }
void *consumer(void *p) { if (ready) { assert(data == 42); came = 1; } return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (!came) printf("nothing came\\n");
  return 0;
}
`;

describe.runIf(isNeeded)(`a flag that hands data over${why}`, () => {
  const toAtomic = 'hint: make ready atomic (_Atomic, std::atomic), or use a lock';

  test('a plain flag is to be made atomic: no order and no fence helps', async () => {
    const cwd = await folderWith({ 'a.c': handOver('int') });
    for (const args of [['a.c'], ['check', '--model', 'c11', 'a.c']])
      expect((await fencewright(args, { cwd })).stdout).toContain(toAtomic);
    const fence = await fencewright(['fence', '--model', 'c11', 'a.c'], { cwd });
    expect([fence.code, fence.stdout]).toEqual([10, expect.stringContaining(toAtomic)]);
  });

  test('the first sentence is about the race where nothing else is wrong', async () => {
    // The only claim is that a number is one of those that are written.
    const text = `#include <assert.h>
#include <pthread.h>
int x, seen;
void *writer(void *p) { x = 1; return p; }
void *reader(void *p) { seen = x; return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(seen == 0 || seen == 1);
}
`;
    const cwd = await folderWith({ 'a.c': text });
    const { stdout, code } = await fencewright(['a.c'], { cwd });
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      'a.c has 1 data race, which C leaves undefined (see the messages); as compiled, it holds on x86 as it stands: nothing that it claims can fail',
    ]);
    const portable = await fencewright(['check', '--model', 'c11', 'a.c'], { cwd });
    expect([portable.code, portable.stdout.split('\n')[0]]).toEqual([
      10,
      'a.c has a data race, undefined behaviour in C11: the store of x by writer at line 4 and the load of x by reader at line 5 are not ordered, and one of them is plain',
    ]);
  });

  test('the places of a use of freed memory stand with their calls in brackets', async () => {
    const text = `#include <pthread.h>
#include <stdlib.h>
int *p;
static int get(void) { return *p; }
static void drop(void) { free(p); }
void *reader(void *u) { return get() ? u : 0; }
void *owner(void *u) { drop(); return u; }
int main(void) {
  pthread_t a, b;
  p = malloc(sizeof *p);
  *p = 5;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, owner, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;
    const cwd = await folderWith({ 'a.c': text });
    const { stdout } = await fencewright(['a.c'], { cwd });
    expect(stdout.split('\n')[0]).toMatch(
      /: reader accesses a block at line 4 \(called at line 6\) after owner has freed the block at line 5 \(called at line 7\)/,
    );
  });

  test('of a use of freed memory, the line on C11 says no other word', async () => {
    const text = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
_Atomic(int *) p;
void *reader(void *u) { int *q = atomic_load(&p); return q && *q ? u : 0; }
void *owner(void *u) { free(atomic_exchange(&p, 0)); return u; }
int main(void) {
  pthread_t a, b;
  int *q = malloc(sizeof *q);
  *q = 5;
  atomic_store(&p, q);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, owner, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;
    const cwd = await folderWith({ 'a.c': text });
    const { stdout } = await fencewright(['a.c'], { cwd });
    expect(stdout).toMatch(/^a\.c uses freed memory even without store buffers/);
    expect(stdout).toContain('C11, any machine: undefined: freed memory is used\n');
    expect(stdout).not.toMatch(/stricter|orders are enough/);
  });

  test('an access that never runs is told as the source has it', async () => {
    const cwd = await folderWith({
      'a.c': `#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *left(void *p) { atomic_store(&x, 1); return p; }
void *right(void *p) {
  if (atomic_load(&x) == 2)
    while (atomic_load(&x) != 5) {}
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`,
    });
    const { stderr } = await fencewright(['a.c'], { cwd });
    expect(stderr).toContain("warning FW2009: no execution runs 'load of x' of thread 'right'");
  });

  test('an atomic flag needs no such advice, and is right', async () => {
    const cwd = await folderWith({ 'a.c': handOver('atomic_int') });
    const { stdout, code } = await fencewright(['a.c'], { cwd });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('hint: make')]);
  });
});
