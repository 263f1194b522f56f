import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNativeNeeded, natively, whyNotNatively } from './natively.js';

/**
 * A program in which one thread uses eventfds: each step returns a result, the error, and the value
 * read.
 */
const program = `#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>
long result[20], error[20];
unsigned long seen[20];
int at;
static void keep(long got, uint64_t value) {
  result[at] = got;
  error[at] = got < 0 ? errno : 0;
  seen[at] = value;
  at = at + 1;
}
static void take(int event) {
  uint64_t value = 77;
  long got = read(event, &value, sizeof value);
  keep(got, value);
}
static void add(int event, uint64_t value) { keep(write(event, &value, sizeof value), value); }
static void *all(void *unused) {
  uint64_t value = 5;
  int plain = eventfd(3, EFD_NONBLOCK), counts = eventfd(2, EFD_NONBLOCK | EFD_SEMAPHORE);
  keep(eventfd(0, 64), 0);
  take(plain);
  take(plain);
  add(plain, 4);
  add(plain, 5);
  take(plain);
  take(counts);
  take(counts);
  take(counts);
  add(plain, ~0ull);
  add(plain, ~0ull - 1);
  add(plain, 1);
  add(plain, 0);
  take(plain);
  keep(read(plain, &value, 4), value);
  keep(write(plain, &value, 4), value);
  keep(eventfd_write(plain, 9), 0);
  long got = eventfd_read(plain, &value);
  keep(got, value);
  got = eventfd_read(plain, &value);
  keep(got, value);
  keep(close(plain), 0);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, all, 0);
  pthread_join(t, 0);
#ifdef NATIVE
  for (int i = 0; i < 20; i++)
    printf("%ld %ld %lu\\n", result[i], error[i], seen[i]);
#endif
}
`;

describe.skipIf(!isNativeNeeded)(`eventfd${whyNotNatively}`, () => {
  test('gives one thread what Linux gives it', async () => {
    const cwd = await folderWith({ 'a.cpp': program });
    const steps = natively(path.join(cwd, 'a.cpp'), ['-DNATIVE']).trim().split('\n');
    expect(steps).toHaveLength(20);
    const asserted = steps
      .map((step, i) => {
        const [result, error, seen] = step.split(' ');
        return `assert(result[${i}] == ${result} && error[${i}] == ${error} && seen[${i}] == ${seen}ul);`;
      })
      .join('\n');
    const text = (await readFile(path.join(cwd, 'a.cpp'), 'utf8'))
      .replace('#include <errno.h>', '#include <assert.h>\n#include <errno.h>')
      .replace('return unused;', `${asserted}\nreturn unused;`);
    for (const headers of ['own', 'machine']) {
      const folder = await folderWith({ 'b.cpp': text });
      const run = await fencewright(['reach', '--json', '--headers', headers, 'b.cpp'], {
        cwd: folder,
      });
      expect(JSON.parse(run.stdout), run.stderr).toMatchObject({
        results: [{ verdict: 'same', answer: { kind: 'robust' } }],
      });
    }
  });
});
