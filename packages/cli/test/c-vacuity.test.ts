import { expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

const twoCalls = `#include <pthread.h>
#include <stdatomic.h>
static atomic_int count, misses;
static void take(void) {
  int n = atomic_load(&count);
  do {
    if (n == 0) {
      atomic_fetch_add(&misses, 1);
      return;
    }
  } while (!atomic_compare_exchange_strong(&count, &n, n - 1));
}
static void *one(void *a) { atomic_fetch_add(&count, 2); take(); return 0; }
static void *other(void *a) { BODY return 0; }
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, one, 0);
  pthread_create(&q, 0, other, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  return 0;
}
`;

const beforeThreads = `#include <pthread.h>
#include <stdatomic.h>
static atomic_int count, misses;
static void take(void) {
  if (atomic_load(&count) == 0) {
    atomic_store(&misses, 1);
    return;
  }
  atomic_fetch_sub(&count, 1);
}
static void *one(void *a) { take(); return 0; }
int main(void) {
  pthread_t p;
  FIRST
  atomic_store(&count, 2);
  pthread_create(&p, 0, one, 0);
  take();
  pthread_join(p, 0);
  return 0;
}
`;

const behindMain = `#include <memory>
#include <thread>
struct Job { virtual ~Job() {} int runs = 0; };
std::unique_ptr<Job> job = std::unique_ptr<Job>(new Job);
void run() { job->runs++; }
int main() { std::thread a(run); a.join(); }
`;

/**
 * Returns the exit code of `check --fail-on vacuous`, and the lines that the run reports as never
 * executed.
 */
async function neverRun(
  text: string,
  file = 'a.c',
): Promise<readonly [number | null, readonly number[]]> {
  const cwd = await folderWith({ [file]: text });
  const run = await fencewright(['check', '--fail-on', 'vacuous', file], { cwd });
  const lines = [...run.stderr.matchAll(/^a\.c\w*:(\d+)?.*: warning FW2009/gm)];
  return [run.code, lines.map(([, line]) => Number(line))];
}

test('a line runs if one of the calls runs it whose function is put in line', async () => {
  // The first thread never loads 0: it has added 2, and the other thread takes at most 1.
  expect(await neverRun(twoCalls.replace('BODY', 'take();'))).toEqual([0, []]);
  // With this body, no thread loads 0.
  expect(await neverRun(twoCalls.replace('BODY', 'atomic_fetch_add(&count, 1);'))).toEqual([
    10,
    [8],
  ]);
});

test('so does what main runs before there are threads; a dead line is named once', async () => {
  expect(await neverRun(beforeThreads.replace('FIRST', 'take();'))).toEqual([0, []]);
  expect(await neverRun(beforeThreads.replace('FIRST', ''))).toEqual([10, [6]]);
});

test('headers that run behind main have no lines; constructors are not called by pointers', async () => {
  // The virtual destructor is found through a block that a thread stores to, and is the job's.
  expect(await neverRun(behindMain, 'a.cpp')).toEqual([0, []]);
});
