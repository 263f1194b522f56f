import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNativeNeeded, natively, whyNotNatively } from './natively.js';

/** Expressions of type `long` over functions of C's library that report wrong arguments. */
const errors = [
  'sem_timedwait(&full, &wrong)',
  '(sem_timedwait(&full, &negative), errno)',
  'sem_timedwait(&full, &past)',
  '(sem_timedwait(&empty, &past), errno)',
  'sem_clockwait(&full, CLOCK_MONOTONIC, &wrong)',
  'pthread_rwlock_timedrdlock(&lock, &wrong)',
  'pthread_rwlock_timedwrlock(&lock, &wrong)',
  'pthread_rwlock_timedwrlock(&lock, &past)',
  'pthread_rwlock_unlock(&lock)',
  'pthread_rwlock_timedrdlock(&lock, &past)',
  'pthread_mutex_timedlock(&mutex, &wrong)',
  'pthread_mutex_timedlock(&mutex, &wrong)',
  'pthread_mutex_timedlock(&mutex, &past)',
  'posix_memalign(&block, 4, 8)',
  'posix_memalign(&block, 24, 8)',
  'posix_memalign(&block, 64, 8)',
  '(long)block % 64',
  'reallocarray(NULL, huge, 4) == NULL',
];

/** Returns a program that calls `show` with the index and the value of each expression. */
const program = (show: string, expressions: readonly string[]): string => `#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
${show}
static sem_t full, empty;
static pthread_rwlock_t lock;
static pthread_mutex_t mutex;
static void *block;
static const size_t huge = ~(size_t)0 / 2;
static void *run(void *unused) {
  struct timespec past = {1, 5}, wrong = {1, 1000000000}, negative = {1, -1};
${expressions.map((expression, i) => `  show(${i}, (long)(${expression}));`).join('\n')}
  return unused;
}
int main(void) {
  pthread_t thread;
  sem_init(&full, 0, 2);
  sem_init(&empty, 0, 0);
  pthread_rwlock_init(&lock, NULL);
  pthread_mutex_init(&mutex, NULL);
  pthread_create(&thread, NULL, run, NULL);
  pthread_join(thread, NULL);
}
`;

describe.runIf(isNativeNeeded)(`what wrong arguments of functions return${whyNotNatively}`, () => {
  test('is what the functions of this machine return', async () => {
    const printing = program('#define show(i, value) printf("%ld\\n", value)', errors);
    const cwd = await folderWith({ 'native.cpp': printing });
    const values = natively(path.join(cwd, 'native.cpp')).trim().split('\n');
    expect(values).toHaveLength(errors.length);
    const table = `static const long seen[] = {${values.join(', ')}};`;
    const right = `${table}\n#define show(i, value) assert(seen[i] == value)`;
    const wrongAt = (index: number): string =>
      `${table}\n#define show(i, value) if (i == ${index}) assert(seen[i] != value); else value`;
    const files = Object.fromEntries([
      ['right.c', program(right, errors)],
      ...errors.map((_, i): [string, string] => [`wrong${i}.c`, program(wrongAt(i), errors)]),
    ]);
    const folder = await folderWith(files);
    const { stdout } = await fencewright(['check', '--json', ...Object.keys(files)], {
      cwd: folder,
    });
    const { results } = JSON.parse(stdout) as {
      readonly results: readonly { readonly answer: { readonly kind: string } }[];
    };
    const kinds = results.map(({ answer }) => answer.kind);
    expect(kinds).toEqual(['robust', ...errors.map(() => 'wrong-under-sc')]);
  });
});
