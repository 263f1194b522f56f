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

  test('an atomic flag needs no such advice, and is right', async () => {
    const cwd = await folderWith({ 'a.c': handOver('atomic_int') });
    const { stdout, code } = await fencewright(['a.c'], { cwd });
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('hint: make')]);
  });
});
