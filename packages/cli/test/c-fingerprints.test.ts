import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNeeded, why } from './needs-clang.js';

/** Two threads that store, then load what the other one stores, in the given pairs of variables. */
const stores = (mine: string, other: string): string => `#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, u, v;
int a, b;
void *one(void *p) {
  atomic_store_explicit(&${mine}, 1, memory_order_release);
  a = atomic_load_explicit(&${other}, memory_order_acquire);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  atomic_store_explicit(&${other}, 1, memory_order_release);
  b = atomic_load_explicit(&${mine}, memory_order_acquire);
  pthread_join(t, 0);
  return 0;
}
`;

describe.runIf(isNeeded)(`findings about C in a baseline${why}`, () => {
  test('lines above leave a finding known, another store or load makes it new', async () => {
    const cwd = await folderWith({
      'known/a.c': stores('x', 'y'),
      'moved/a.c': `// A comment.\n\n${stores('x', 'y')}`,
      'other/a.c': stores('u', 'v'),
    });
    const inFolder = (folder: string, ...args: readonly string[]) =>
      fencewright(['check', ...args, 'a.c'], { cwd: path.join(cwd, folder) });
    const known = await inFolder('known', '--all-attacks', '--report', 'sarif=../known.sarif');
    expect(known.code).toBe(10);
    expect(await readFile(path.join(cwd, 'known.sarif'), 'utf8')).toContain(
      'atomic_store_explicit(&x, 1, memory_order_release) | atomic_load_explicit(&y, memory_order',
    );
    const baseline = ['--baseline', '../known.sarif'];
    expect((await inFolder('known', ...baseline)).code).toBe(0);
    expect((await inFolder('moved', ...baseline)).code).toBe(0);
    expect((await inFolder('other', ...baseline)).code).toBe(10);
  });

  test('another assertion that fails is new', async () => {
    // Both threads may read 0 before either stores, so `n` may be 1.
    const adds = (claim: string): string => `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int n;
void *add(void *p) { int v = n; n = v + 1; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  add(0);
  pthread_join(t, 0);
  assert(${claim});
  return 0;
}
`;
    const cwd = await folderWith({ 'known/a.c': adds('n == 2'), 'other/a.c': adds('n > 1') });
    const args = ['check', '--answers', '--fail-on', 'violated'];
    const known = path.join(cwd, 'known.sarif');
    const run = (folder: string, ...more: readonly string[]) =>
      fencewright([...args, ...more, 'a.c'], { cwd: path.join(cwd, folder) });
    expect((await run('known', '--all-attacks', '--report', `sarif=${known}`)).code).toBe(10);
    expect((await run('known', '--baseline', known)).code).toBe(0);
    expect((await run('other', '--baseline', known)).code).toBe(10);
  });
});
