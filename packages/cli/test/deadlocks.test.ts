import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

/**
 * A program that may deadlock: two threads take two locks in opposite orders, so each may hold one
 * lock and wait for the other.
 */
const crossed = `program Crossed
var a, b, x
thread one { await (cas(a, 0, 1)); await (cas(b, 0, 1)); x = 1; b = 0; a = 0; }
thread two { await (cas(b, 0, 1)); await (cas(a, 0, 1)); x = 2; a = 0; b = 0; }
`;

/** The program `crossed` with one change: both threads take the two locks in the same order. */
const ordered = crossed.replace(
  'two { await (cas(b, 0, 1)); await (cas(a, 0, 1));',
  'two { await (cas(a, 0, 1)); await (cas(b, 0, 1));',
);

/** A program whose server waits for ever once there is no more work. */
const served = `program Served
var work
thread client { work = 1; }
thread server { loop { await (work == 1); work = 0; } }
`;

/**
 * A program with a sleeper that misses its wake-up under TSO, and with two threads that take two
 * locks in opposite orders.
 */
const both = `program Both
var a, b, asleep, permit, kick
thread one { await (cas(a, 0, 1)); await (cas(b, 0, 1)); b = 0; a = 0; }
thread two { await (cas(b, 0, 1)); await (cas(a, 0, 1)); a = 0; b = 0; }
thread sleeper { asleep = 1; if (permit == 0) { while (kick == 0) { } } }
thread waker { permit = 1; if (asleep == 1) { kick = 1; } }
`;

/** Returns the `main` that runs two functions in threads, and then performs `last`. */
function mainOf(first: string, second: string, last = ''): string {
  return `int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, ${first}, 0);
  pthread_create(&u, 0, ${second}, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  ${last}
}
`;
}

const mutexes = `#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *p) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return p;
}
static void *two(void *p) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return p;
}
${mainOf('one', 'two')}`;

const files = { 'crossed.fw': crossed, 'ordered.fw': ordered, 'served.fw': served };

async function run(text: string, ...options: readonly string[]) {
  const cwd = await folderWith({ 'a.fw': text });
  return fencewright([...options, 'a.fw'], { cwd });
}

describe('a deadlock without store buffers', () => {
  test('is the first sentence, with a hint on the exit code', async () => {
    const { code, stdout } = await run(crossed);
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'a.fw: Crossed can deadlock even without store buffers: one waits for ever at line 3; two waits for ever at line 4; no fence helps',
      '  it is robust: TSO adds nothing to its sequentially consistent executions',
      '  hint: robustness alone decides the exit code; with --fail-on deadlocks it is 10',
    ]);
    expect(code).toBe(0);
  });

  test('in C names the functions in which threads wait, and not main, which joins them', async () => {
    const cwd = await folderWith({ 'a.c': mutexes });
    const { stdout } = await fencewright(['a.c'], { cwd });
    expect(stdout.split('\n')[0]).toBe(
      'a.c can deadlock even without store buffers: one waits for ever at line 5, in pthread_mutex_lock; two waits for ever at line 12, in pthread_mutex_lock; no fence helps',
    );
    const inOrder = mutexes.replace(
      'pthread_mutex_lock(&b);\n  pthread_mutex_lock(&a);',
      'pthread_mutex_lock(&a);\n  pthread_mutex_lock(&b);',
    );
    const right = await folderWith({ 'a.c': inOrder });
    expect((await fencewright(['a.c'], { cwd: right })).stdout).toMatch(
      /^a\.c needs no further fence on x86/,
    );
  });

  test('is not that main waits for threads that never end', async () => {
    const daemon = (end: string): string => `#include <pthread.h>
#include <assert.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *worker(void *p) {
  do {
    pthread_mutex_lock(&a);
    count = !count;
    pthread_mutex_unlock(&a);
  } while (${end});
  return p;
}
${mainOf('worker', 'worker', 'assert(count < 2);')}`;
    const cwd = await folderWith({ 'a.c': daemon('1') });
    const { code, stdout } = await fencewright(['check', '--fail-on', 'deadlocks', 'a.c'], { cwd });
    expect(stdout).not.toContain('deadlock');
    expect(code).toBe(0);
    // A worker that leaves the mutex locked blocks the other worker, which the program means to
    // end.
    const leaves = daemon('0').replace('    pthread_mutex_unlock(&a);\n', '');
    const other = await folderWith({ 'a.c': leaves });
    const stuck = await fencewright(['check', '--fail-on', 'deadlocks', 'a.c'], { cwd: other });
    expect(stuck.stdout).toMatch(/^a\.c can deadlock even without store buffers: worker/);
    expect(stuck.code).toBe(10);
  });

  test('in C is a wait for a value that no thread stores', async () => {
    const waits = (one: string, other: string): string => `#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *one(void *p) { ${one} }
void *two(void *p) { ${other} }
${mainOf('one', 'two')}`;
    const awaits = (from: string, then: string): string =>
      `while (!atomic_load(&${from})) { } ${then} return p;`;
    const first = async (text: string): Promise<string> => {
      const cwd = await folderWith({ 'a.c': text });
      return (await fencewright(['a.c'], { cwd })).stdout.split('\n')[0]!;
    };
    // Each store follows a wait for the other store.
    const crossing = waits(
      awaits('x', 'atomic_store(&y, 1);'),
      awaits('y', 'atomic_store(&x, 1);'),
    );
    expect(await first(crossing)).toBe(
      'a.c can deadlock even without store buffers: one waits for ever at line 4; two waits for ever at line 5; no fence helps',
    );
    // One store precedes its wait: the other thread continues, and both end.
    const met = waits(
      `atomic_store(&y, 1); ${awaits('x', '')}`,
      awaits('y', 'atomic_store(&x, 1);'),
    );
    expect(await first(met)).toMatch(/^a\.c needs no further fence on x86/);
    // One thread takes the lock twice; no other thread accesses the lock.
    const twice = 'while (atomic_exchange(&x, 1)) { }';
    expect(await first(waits(`${twice} ${twice} return p;`, 'y = 1; return p;'))).toBe(
      'a.c can deadlock even without store buffers: one waits for ever at line 4; no fence helps',
    );
    // The code after the wait is not supported, and never runs.
    const behind = waits(awaits('x', 'return (void *)fork();'), 'y = 1; return p;');
    const cwd = await folderWith({
      'a.c': behind.replace('#include', '#include <unistd.h>\n#include'),
    });
    const { stdout } = await fencewright(['a.c'], { cwd });
    expect(stdout).toMatch(/^a\.c needs no further fence on x86/);
    expect(stdout).toContain('assumes: no thread waits for a value that no thread stores');
    // A switch that no thread sets, polled in an endless loop.
    const serves = 'for (;;) { if (atomic_load(&x)) fork(); }';
    expect(
      await first(
        waits(serves, 'y = 1; return p;').replace('#include', '#include <unistd.h>\n#include'),
      ),
    ).toMatch(/^a\.c needs no further fence on x86/);
  });

  test('in C is a wait at a condition variable for a flag that nobody sets', async () => {
    const first = async (name: string, text: string): Promise<string> => {
      const cwd = await folderWith({ [name]: text });
      return (await fencewright([name], { cwd })).stdout.split('\n')[0]!;
    };
    const posix = `#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *waiter(void *p) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return p;
}
void *signaller(void *p) {
  pthread_mutex_lock(&m);
  /* sets nothing */
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  return p;
}
${mainOf('waiter', 'signaller')}`;
    expect(await first('a.c', posix)).toBe(
      'a.c can deadlock even without store buffers: waiter waits for ever at line 7, in pthread_cond_wait; no fence helps',
    );
    expect(await first('a.c', posix.replace('/* sets nothing */', 'ready = 1;'))).toMatch(
      /^a\.c needs no further fence on x86/,
    );
    const c11 = `#include <threads.h>
mtx_t m;
cnd_t c;
int ready;
int waiter(void *p) {
  mtx_lock(&m);
  while (!ready) cnd_wait(&c, &m);
  return mtx_unlock(&m);
}
int main(void) {
  thrd_t t;
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_create(&t, waiter, 0);
  cnd_signal(&c);
  thrd_join(t, 0);
}
`;
    expect(await first('a.c', c11)).toBe(
      'a.c can deadlock even without store buffers: waiter waits for ever at line 7, in cnd_wait; no fence helps',
    );
    const cpp = `#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable c;
bool ready;
int main() {
  std::thread t([] {
    std::unique_lock<std::mutex> lock(m);
    c.wait(lock, [] { return ready; });
  });
  c.notify_one();
  t.join();
}
`;
    expect(await first('a.cpp', cpp)).toMatch(
      /^a\.cpp can deadlock even without store buffers: lambda \(line \d+\) waits for ever at line 10/,
    );
  });

  test('in C is a wait of main before it joins a thread', async () => {
    const text = (wait: string): string => `#include <pthread.h>
#include <stdatomic.h>
atomic_int ready, x;
void *one(void *p) { atomic_store(&x, 1); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  ${wait}
  pthread_join(t, 0);
}
`;
    const first = async (wait: string): Promise<string> => {
      const cwd = await folderWith({ 'a.c': text(wait) });
      return (await fencewright(['a.c'], { cwd })).stdout.split('\n')[0]!;
    };
    expect(await first('while (!atomic_load(&ready)) { }')).toBe(
      'a.c can deadlock even without store buffers: main waits for ever at line 8; no fence helps',
    );
    expect(await first('atomic_store(&ready, 1); while (!atomic_load(&ready)) { }')).toMatch(
      /^a\.c needs no further fence on x86/,
    );
  });

  test('in C is a wait that only what the thread knew before can end', async () => {
    const first = async (wait: string): Promise<string> => {
      const cwd = await folderWith({
        'a.c': `#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
int ready;
void *one(void *p) { atomic_store(&x, 1); return p; }
void *two(void *p) {
  int urgent = atomic_load(&x);
  ${wait}
  return p;
}
${mainOf('one', 'two')}`,
      });
      return (await fencewright(['a.c'], { cwd })).stdout.split('\n')[0]!;
    };
    const waits =
      'a.c can deadlock even without store buffers: two waits for ever at line 8; no fence helps';
    expect(await first('while (!ready && !urgent) { }')).toBe(waits);
    expect(await first('for (;;) { if (ready) break; if (urgent) break; }')).toBe(waits);
    // A loop around the wait ends by itself.
    expect(await first('for (int i = urgent; i < 2; i++) while (!ready && !urgent) { }')).toBe(
      waits,
    );
    const goesOn = /^a\.c needs no further fence on x86/;
    expect(await first('ready = 1; while (!ready && !urgent) { }')).toMatch(goesOn);
    expect(await first('for (int i = urgent; i < 3 && !ready; i++) { }')).toMatch(goesOn);
    expect(await first('if (urgent) while (!ready && !urgent) { }')).toMatch(goesOn);
  });

  test('is not a wait for a thread whose assertion has failed: the process has ended', async () => {
    const text = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *one(void *p) { x = 1; return p; }
void *two(void *p) { assert(x == 1); return p; }
${mainOf('one', 'two', 'assert(x == 1);')}`;
    const cwd = await folderWith({ 'a.c': text });
    const { stdout } = await fencewright(['a.c'], { cwd });
    expect(stdout).toMatch(
      /^a\.c is wrong even without store buffers: the assertion of two at line 6/,
    );
    expect(stdout).not.toContain('deadlock');
  });

  test.each([
    ['crossed.fw', 10],
    ['ordered.fw', 0],
    ['served.fw', 0],
  ] as const)('--fail-on deadlocks: %s has exit code %d', async (file, code) => {
    const cwd = await folderWith(files);
    expect((await fencewright(['check', '--fail-on', 'deadlocks', file], { cwd })).code).toBe(code);
    // Without `--fail-on`, or with other words, robustness decides.
    expect((await fencewright(['check', '--fail-on', 'hangs', file], { cwd })).code).toBe(0);
  });

  test('--fail-on deadlocks does not know what a limit, or any number of copies, leaves open', async () => {
    const { code } = await run(crossed, 'check', '--fail-on', 'deadlocks', '--max-states', '3');
    expect(code).toBe(5);
    const copies = crossed.replace('thread one', 'thread one[*]');
    expect((await run(copies, 'check', '--fail-on', 'deadlocks')).code).toBe(5);
  });

  test('stands below what store buffers do', async () => {
    const lines = (await run(both)).stdout.split('\n');
    expect(lines[0]).toMatch(/^a\.fw: Both can hang on x86: sleeper waits for ever/);
    expect(lines[1]).toMatch(/^ {2}it can deadlock even without store buffers: one waits for ever/);
  });

  test('reach says it beside the comparison, which it does not change', async () => {
    const { code, stdout } = await run(crossed, 'reach');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n {2}it can deadlock even without store buffers: one waits/);
  });

  test('is in JSON and SARIF', async () => {
    const { stdout } = await run(crossed, '--json');
    const { results } = JSON.parse(stdout) as {
      results: { answer: { deadlocks: unknown; headline: string } }[];
    };
    expect(results[0]?.answer).toMatchObject({
      headline: expect.stringMatching(/^can deadlock even without store buffers/) as string,
      deadlocks: {
        verdict: 'deadlocks',
        waiting: [
          { thread: 'one', kind: 'waits', line: 3 },
          { thread: 'two', kind: 'waits', line: 4 },
        ],
      },
    });
    const args = ['check', '--answers', '--report', 'sarif=-', '--quiet'];
    const sarif = JSON.parse((await run(crossed, ...args)).stdout) as {
      runs: { results: { ruleId: string; locations: unknown[] }[] }[];
    };
    const found = sarif.runs[0]?.results.filter(({ ruleId }) => ruleId === 'deadlocks');
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found?.[0]?.locations)).toContain('"startLine":3');
  });
});
