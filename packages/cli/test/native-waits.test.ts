import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNativeNeeded, natively, whyNotNatively } from './natively.js';

/**
 * Returns a program whose only thread records the results of calls that never wait. The native
 * program prints the results; the checked program asserts that they equal `expected`.
 */
function noting(includes: readonly string[], body: string): string {
  return `${includes.map((name) => `#include <${name}>`).join('\n')}
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
long seen[40];
int at;
static void note(long value) { seen[at] = value; at = at + 1; }
static void note_error(long got) { note(got); note(got < 0 ? errno : 0); }
static void *all(void *unused) {
${body}
#ifndef NATIVE
  // ASSERTED
#endif
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, all, 0);
  pthread_join(t, 0);
#ifdef NATIVE
  for (int i = 0; i < at; i++)
    printf("%ld\\n", seen[i]);
#endif
}
`;
}

const futexes = noting(
  ['linux/futex.h', 'sys/syscall.h', 'unistd.h'],
  `  static int word = 3;
  note_error(syscall(SYS_futex, &word, FUTEX_WAIT, 4, NULL));
  note_error(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL));
  note_error(syscall(SYS_futex, &word, FUTEX_WAKE, 1));
  note_error(syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 5));
  note(word);`,
);

const semaphores = noting(
  ['semaphore.h'],
  `  static sem_t s;
  int value = 77;
  note(sem_init(&s, 0, 2));
  note(sem_wait(&s));
  note(sem_getvalue(&s, &value));
  note(value);
  note_error(sem_trywait(&s));
  note_error(sem_trywait(&s));
  note(sem_post(&s));
  note(sem_post(&s));
  note(sem_getvalue(&s, &value));
  note(value);
  note_error(sem_trywait(&s));
  note(sem_wait(&s));
  note(sem_getvalue(&s, &value));
  note(value);
  note(sem_destroy(&s));`,
);

const locks = noting(
  [],
  `  static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
  static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
  note(pthread_cond_signal(&c));
  note(pthread_cond_broadcast(&c));
  note(pthread_mutex_lock(&m));
  note(pthread_mutex_trylock(&m));
  note(pthread_mutex_unlock(&m));
  note(pthread_mutex_trylock(&m));
  note(pthread_mutex_unlock(&m));
  note(pthread_rwlock_rdlock(&rw));
  note(pthread_rwlock_tryrdlock(&rw));
  note(pthread_rwlock_trywrlock(&rw));
  note(pthread_rwlock_unlock(&rw));
  note(pthread_rwlock_unlock(&rw));
  note(pthread_rwlock_trywrlock(&rw));
  note(pthread_rwlock_tryrdlock(&rw));
  note(pthread_rwlock_unlock(&rw));`,
);

const atomics = noting(
  ['atomic'],
  `  static std::atomic<int> word{3};
  static std::atomic<bool> small{true};
  static std::atomic_flag flag = ATOMIC_FLAG_INIT;
  word.notify_one();
  word.wait(4);
  note(word.load());
  small.wait(false);
  small.notify_all();
  note(small.load());
  note(flag.test());
  flag.wait(true);
  note(flag.test_and_set());
  flag.wait(false);
  flag.notify_all();
  note(flag.test());`,
);

const counters = noting(
  ['barrier', 'latch', 'semaphore'],
  `  static std::counting_semaphore<4> s{1};
  static std::latch latch{3};
  static std::barrier<> one{1};
  note(s.try_acquire());
  note(s.try_acquire());
  s.release(2);
  s.acquire();
  note(s.try_acquire());
  note(s.try_acquire());
  note(latch.try_wait());
  latch.count_down();
  latch.count_down(1);
  note(latch.try_wait());
  latch.arrive_and_wait();
  latch.wait();
  note(latch.try_wait());
  one.arrive_and_wait();
  one.wait(one.arrive());
  note(1);`,
);

const stops = noting(
  ['stop_token'],
  `  std::stop_source source;
  std::stop_token token = source.get_token();
  note(token.stop_possible());
  note(token.stop_requested());
  {
    std::stop_callback first(token, [] { note(5); });
    note(source.request_stop());
    note(source.request_stop());
    note(token.stop_requested());
    std::stop_callback late(token, [] { note(6); });
  }
  note(std::stop_token().stop_possible());`,
);

describe.skipIf(!isNativeNeeded)(`calls that need not wait${whyNotNatively}`, () => {
  test.each([
    ['futexes', futexes, ['c++17'], ['own', 'machine']],
    ['semaphores of POSIX', semaphores, ['c++17'], ['own', 'machine']],
    ['locks of POSIX', locks, ['c++17'], ['own', 'machine']],
    ['wait and notify of atomics', atomics, ['c++20'], ['own', 'machine']],
    ['semaphore, latch and barrier of C++', counters, ['c++20'], ['own']],
    ['stop tokens', stops, ['c++20'], ['own']],
  ])('%s give one thread what Linux gives it', async (_, program, [standard], headers) => {
    const cwd = await folderWith({ 'a.cpp': program });
    const file = path.join(cwd, 'a.cpp');
    const values = natively(file, ['-DNATIVE', `-std=${standard}`])
      .trim()
      .split('\n');
    expect(values.length).toBeGreaterThan(4);
    const asserted = values.map((value, i) => `assert(seen[${i}] == ${value});`).join('\n');
    const text = (await readFile(file, 'utf8')).replace(
      '// ASSERTED',
      `assert(at == ${values.length});\n${asserted}`,
    );
    await writeFile(file, text);
    for (const kind of headers) {
      const args = ['reach', '--json', '--headers', kind, 'a.cpp', '--', `-std=${standard}`];
      const run = await fencewright(args, { cwd });
      expect(JSON.parse(run.stdout), run.stderr).toMatchObject({
        results: [{ verdict: 'same', answer: { kind: 'robust' } }],
      });
    }
  });
});
