import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNativeNeeded, natively, whyNotNatively } from './natively.js';

/**
 * Returns a program of two threads that store results in `r` and `s`. The native program runs the
 * threads in many rounds with varied delays, and prints the results of each round.
 */
function pair(includes: string, state: string, reset: string, first: string, second: string) {
  return `${includes}
#include <pthread.h>
#include <stdio.h>
static long r, s;
static volatile int late[2];
static void come_late(int thread) {
#ifdef NATIVE
  for (int i = late[thread]; i > 0; late[thread] = --i) ;
#endif
}
${state}
static void *first(void *unused) { come_late(0); ${first} return unused; }
static void *second(void *unused) { come_late(1); ${second} return unused; }
int main(void) {
#ifdef NATIVE
  for (int round = 0; round < 600; round++) {
  late[round % 2] = (round % 60) * 4000;
#endif
  ${reset}
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
#ifdef NATIVE
  printf("%ld %ld\\n", r, s);
  }
#endif
}
`;
}

const futex = pair(
  '#include <linux/futex.h>\n#include <sys/syscall.h>\n#include <unistd.h>',
  'static int word;',
  'word = 0;',
  'r = syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL);',
  '__atomic_store_n(&word, 1, __ATOMIC_SEQ_CST); s = syscall(SYS_futex, &word, FUTEX_WAKE, 1);',
);

const condition = pair(
  '',
  `static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;`,
  'ready = 0;',
  `int had = 0;
  pthread_mutex_lock(&m);
  while (!ready) { pthread_cond_wait(&c, &m); had = 1; }
  r = had;
  pthread_mutex_unlock(&m);`,
  `pthread_mutex_lock(&m);
  s = ready;
  ready = 1;
  pthread_mutex_unlock(&m);
  pthread_cond_signal(&c);`,
);

const semaphore = pair(
  '#include <semaphore.h>',
  'static sem_t one;',
  'sem_init(&one, 0, 0);',
  'r = sem_trywait(&one); if (r != 0) sem_wait(&one);',
  'int value; sem_post(&one); sem_getvalue(&one, &value); s = value;',
);

const notify = pair(
  '#include <atomic>',
  'static std::atomic<int> word, other;',
  'word.store(0); other.store(0);',
  'word.wait(0); r = word.load(); other.store(1);',
  'word.store(1); word.notify_one(); s = other.load(); word.store(2);',
);

const barrier = pair(
  '',
  'static pthread_barrier_t both;',
  'pthread_barrier_init(&both, 0, 2);',
  'r = pthread_barrier_wait(&both);',
  's = pthread_barrier_wait(&both);',
);

/**
 * A test case: the texts of two threads, the possible results of the rounds, and impossible
 * results.
 */
type Case = readonly [string, string, readonly string[], readonly string[]];

const cases: readonly Case[] = [
  ['futex', futex, [], ['0 2']],
  ['condition variable', condition, ['0 0', '1 0'], ['0 1', '1 1']],
  ['semaphore', semaphore, ['0 0', '-1 0'], ['0 2', '-1 2']],
  ['wait and notify', notify, [], ['0 0', '0 1']],
  ['barrier', barrier, ['-1 0', '0 -1'], ['-1 -1', '0 0']],
];

describe.skipIf(!isNativeNeeded)(`two threads${whyNotNatively}`, () => {
  test.each(cases)('%s: all native results are listed', async (_, text, listed, impossible) => {
    const cwd = await folderWith({ 'a.cpp': text });
    const rounds = natively(path.join(cwd, 'a.cpp'), ['-DNATIVE', '-std=c++20']);
    const seen = new Set(rounds.trim().split('\n'));
    expect(seen.size).toBeGreaterThan(0);
    const run = await fencewright(['reach', '--json', 'a.cpp', '--', '-std=c++20'], { cwd });
    const [result] = (JSON.parse(run.stdout) as Reach).results;
    // Natively no round has waited for ever.
    expect(result?.hangs, run.stderr).toEqual({ verdict: 'none', underSc: [] });
    const found = new Set(
      result?.tso.finalStates.map(({ memory, outcomes }) => {
        const { r = 0, s = 0 } = { ...memory, ...outcomes };
        return `${r} ${s}`;
      }),
    );
    expect([...found]).toEqual(expect.arrayContaining([...seen, ...listed]));
    for (const other of impossible) expect([...found, ...seen]).not.toContain(other);
  });
});

interface Reach {
  readonly results: readonly {
    readonly hangs: unknown;
    readonly tso: {
      readonly finalStates: readonly {
        readonly memory: Readonly<Record<string, number>>;
        readonly outcomes?: Readonly<Record<string, number>>;
      }[];
    };
  }[];
}
