import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { inCampaign } from '../../../tools/random-runs.js';
import { fencewright, folderWith } from './fencewright.js';
import { isNativeNeeded, natively, whyNotNatively } from './natively.js';

/**
 * An operation of a library, to find out whether it has a locked instruction. Two threads execute a
 * store, the operation and a load: the program is robust if the operation has a locked instruction,
 * otherwise it has store buffering. The locked instructions are counted natively, with the GNU
 * libraries.
 */
interface Operation {
  /** The C++ declaration of the object `it` that each thread has for itself. */
  readonly own: string;
  /** Statements before the store. */
  readonly before?: string;
  readonly operation: string;
  readonly header: string;
}

const tries = (header: string, own: string, ...operations: readonly string[]): Operation[] =>
  operations.map((each) => {
    const [first = '', second] = each.split(' | ');
    return second === undefined
      ? { header, own, operation: first }
      : { header, own, before: first, operation: second };
  });

const shared =
  'std::shared_ptr<int> it = std::make_shared<int>(1), other = std::make_shared<int>(2);';
const weak = `${shared} std::weak_ptr<int> weak = it;`;
const many = `${shared} std::shared_ptr<int> same = it; std::weak_ptr<int> weak = it, also = it;`;

const allOperations: readonly Operation[] = [
  ...tries(
    'mutex',
    'std::mutex it;',
    'it.lock()',
    'it.lock(); | it.unlock()',
    'it.try_lock()',
    'std::lock_guard<std::mutex> held(it)',
    'std::unique_lock<std::mutex> held(it, std::defer_lock)',
    'std::unique_lock<std::mutex> held(it); | std::unique_lock<std::mutex> went(std::move(held))',
  ),
  ...tries(
    'mutex',
    'std::recursive_mutex it;',
    'it.lock()',
    'it.lock(); | it.lock()',
    'it.lock(); it.lock(); | it.unlock()',
    'it.lock(); | it.unlock()',
  ),
  ...tries(
    'mutex',
    'std::once_flag it;',
    'std::call_once(it, [] {})',
    'std::call_once(it, [] {}); | std::call_once(it, [] {})',
  ),
  ...tries(
    'shared_mutex',
    'std::shared_mutex it;',
    'it.lock()',
    'it.lock(); | it.unlock()',
    'it.lock_shared()',
    'it.lock_shared(); | it.unlock_shared()',
    'it.try_lock()',
  ),
  ...tries(
    'condition_variable',
    'std::condition_variable it;',
    'it.notify_one()',
    'it.notify_all()',
  ),
  ...tries('condition_variable', 'std::condition_variable_any it;', 'it.notify_one()'),
  ...tries(
    'memory',
    shared,
    'std::shared_ptr<int> next(it)',
    'std::shared_ptr<int> next(std::move(it))',
    'std::shared_ptr<const int> next(std::move(it))',
    'std::shared_ptr<const int> next(it)',
    'it = other',
    'it = std::move(other)',
    'it = it',
    'it.reset()',
    'it.swap(other)',
    'it.use_count()',
    'std::weak_ptr<int> next(it)',
    'std::shared_ptr<int> part(it, it.get())',
  ),
  ...tries(
    'memory',
    many,
    'it = same',
    'it.reset()',
    'std::weak_ptr<int> next(weak)',
    'std::weak_ptr<int> next(std::move(weak))',
    'weak = also',
    'weak = std::move(also)',
    'weak.lock()',
    'weak.expired()',
    'weak.reset()',
  ),
  ...tries(
    'memory',
    weak,
    'it.reset()',
    'it.reset(); | weak.reset()',
    'it.reset(); | weak.lock()',
    'it.reset(); | weak.expired()',
  ),
  ...tries('memory', 'std::unique_ptr<int> it;', 'it.reset()', 'it = std::unique_ptr<int>()'),
  ...tries(
    'atomic',
    'std::atomic<int> it{0}; int seen = 0;',
    'it.store(1)',
    'it.store(1, std::memory_order_release)',
    'it.store(1, std::memory_order_relaxed)',
    'it = 1',
    'it.load()',
    'seen = it',
    'it++',
    '--it',
    'it += 2',
    'it.exchange(1, std::memory_order_relaxed)',
    'it.fetch_or(1, std::memory_order_relaxed)',
    'it.compare_exchange_strong(seen, 1)',
    'seen = 5; | it.compare_exchange_weak(seen, 1, std::memory_order_relaxed)',
    'std::atomic_init(&it, 3)',
    'std::atomic_thread_fence(std::memory_order_seq_cst)',
    'std::atomic_thread_fence(std::memory_order_acq_rel)',
    'std::atomic_signal_fence(std::memory_order_seq_cst)',
  ),
  ...tries(
    'atomic',
    'std::atomic_flag it = ATOMIC_FLAG_INIT;',
    'it.test_and_set(std::memory_order_acquire)',
    'it.clear(std::memory_order_release)',
    'it.clear()',
  ),
  ...tries('atomic', 'std::atomic<int> it{0};', 'it.wait(1)', 'it.notify_one()', 'it.notify_all()'),
  ...tries('atomic', 'std::atomic<bool> it{true};', 'it.wait(false)', 'it.notify_one()'),
  ...tries('atomic', 'std::atomic<long> it{0};', 'it.wait(1)', 'it.notify_all()'),
  ...tries(
    'semaphore',
    'std::counting_semaphore<3> it{1};',
    'it.acquire()',
    'it.try_acquire()',
    'it.acquire(); | it.try_acquire()',
    'it.release()',
  ),
  ...tries('latch', 'std::latch it{2};', 'it.try_wait()', 'it.count_down()'),
  ...tries('latch', 'std::latch it{0};', 'it.wait()'),
  ...tries('barrier', 'std::barrier<> it{1};', 'it.arrive_and_wait()'),
  ...tries(
    'stop_token',
    'std::stop_source it;',
    'it.stop_requested()',
    'std::stop_source next(it)',
    'std::stop_source next(std::move(it))',
    'it.request_stop()',
    'it.request_stop(); | it.request_stop()',
    'std::stop_token token = it.get_token()',
  ),
  ...tries('optional', 'std::optional<int> it;', 'it = 3', 'it.reset()'),
  ...tries('functional', 'std::function<int()> it, other;', 'it.swap(other)', 'it = nullptr'),
  ...tries('vector', 'std::vector<int> it = {1, 2};', 'it[0]++', 'it.pop_back()', 'it.clear()'),
  ...tries('queue', 'std::queue<int> it;', 'it.push(1)', 'it.push(1); | it.pop()'),
  ...tries('string', 'std::string it = "ab";', 'it += "c"', 'it.clear()'),
  ...tries(
    'pthread.h',
    'pthread_mutex_t it = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;',
    'pthread_mutex_lock(&it)',
    'pthread_mutex_lock(&it); | pthread_mutex_lock(&it)',
    'pthread_mutex_lock(&it); | pthread_mutex_unlock(&it)',
    'pthread_mutex_unlock(&it)',
  ),
  ...tries(
    'pthread.h',
    'pthread_spinlock_t it = 1;',
    'pthread_spin_init(&it, 0); | pthread_spin_lock(&it)',
    'pthread_spin_unlock(&it)',
    'pthread_spin_init(&it, 0); | pthread_spin_trylock(&it)',
  ),
  ...tries(
    'pthread.h',
    'pthread_rwlock_t it = PTHREAD_RWLOCK_INITIALIZER;',
    'pthread_rwlock_rdlock(&it)',
    'pthread_rwlock_rdlock(&it); | pthread_rwlock_unlock(&it)',
    'pthread_rwlock_wrlock(&it)',
    'pthread_rwlock_wrlock(&it); | pthread_rwlock_unlock(&it)',
    'pthread_rwlock_tryrdlock(&it)',
  ),
  ...tries(
    'pthread.h',
    'pthread_once_t it = PTHREAD_ONCE_INIT;',
    'pthread_once(&it, nothing)',
    'pthread_once(&it, nothing); | pthread_once(&it, nothing)',
  ),
  ...tries(
    'pthread.h',
    'pthread_cond_t it = PTHREAD_COND_INITIALIZER;',
    'pthread_cond_signal(&it)',
    'pthread_cond_broadcast(&it)',
  ),
  ...tries(
    'pthread.h',
    'pthread_barrier_t it;',
    'pthread_barrier_init(&it, 0, 1); | pthread_barrier_wait(&it)',
  ),
  ...tries(
    'semaphore.h',
    'sem_t it; int seen;',
    'sem_init(&it, 0, 1); | sem_post(&it)',
    'sem_init(&it, 0, 1); | sem_wait(&it)',
    'sem_init(&it, 0, 1); | sem_trywait(&it)',
    'sem_init(&it, 0, 1); | sem_getvalue(&it, &seen)',
  ),
];

/**
 * The step through the list of operations: `npm test` tests every fifth operation, as all would
 * take too long; a campaign tests all.
 */
const step = inCampaign(5, 1);
const operations = allOperations.filter((_, i) => i % step === 0);

const nothing = 'static void nothing() {}';

/**
 * Returns C++ declarations: a structure `Own<number>` with the operation's objects, and
 * `own<number>`, an array of two such structures.
 */
function taking({ own }: Operation, number: number): string {
  return `struct Own${number} { ${own} };\nstatic Own${number} own${number}[2];\n`;
}

/**
 * Returns statements in which the members of the thread's objects are called by their own names.
 */
function using({ own }: Operation, objects: string): string {
  const names = own.matchAll(/\b(it|other|same|weak|also|seen)\b(?= =|;|,| ?\{)/g);
  return [...new Set([...names].map(([name]) => name))]
    .map((name) => `auto &${name} = ${objects}.${name}; (void)${name};`)
    .join(' ');
}

function nativeText(): string {
  const headers = [...new Set(operations.map(({ header }) => header))];
  const bodies = operations.map(
    (each, i) =>
      `{ ${using(each, `own${i}[0]`)} ${each.before ?? ''} locked_instructions = 0; ` +
      `BEGIN_COUNTING; ${each.operation}; END_COUNTING; ` +
      'std::printf("%ld\\n", locked_instructions); }',
  );
  return [
    ...headers.map((each) => `#include <${each}>`),
    '#include <cstdio>\n#include <thread>\n#include "count-locked.h"',
    nothing,
    ...operations.map(taking),
    // Objects are allocated before the count, and functions have been linked by a first call.
    'int main() { watch_instructions(); std::thread([] {',
    'std::free(std::malloc(16)); std::free(std::malloc(24)); std::free(std::malloc(48));',
    ...bodies,
    '}).join(); }',
  ].join('\n');
}

function textOf(each: Operation): string {
  const thread = (t: number, own: string, other: string): string =>
    `static void run${t}() { ${using(each, `own0[${t}]`)} ${each.before ?? ''} ` +
    `${own} = 1; ${each.operation}; seen${t} = ${other}; }`;
  return [
    `#include <${each.header}>\n#include <thread>`,
    nothing,
    'static volatile int x, y, seen0, seen1;',
    taking(each, 0),
    thread(0, 'x', 'y'),
    thread(1, 'y', 'x'),
    'int main() { std::thread a(run0), b(run1); a.join(); b.join(); }',
  ].join('\n');
}

const classes = fileURLToPath(new URL('classes', import.meta.url));

describe.runIf(isNativeNeeded)(
  `an operation orders where it has a locked instruction${whyNotNatively}`,
  () => {
    test('all of them', async () => {
      const cwd = await folderWith({
        'native.cpp': nativeText(),
        ...Object.fromEntries(operations.map((each, i) => [`${i}.cpp`, textOf(each)])),
      });
      // Without optimisation, headers treat an order passed by a call as the strongest order.
      const counts = natively(path.join(cwd, 'native.cpp'), ['-O1', '-std=gnu++20', '-I', classes])
        .trim()
        .split('\n');
      const files = operations.map((_, i) => `${i}.cpp`);
      // The test is about the shipped classes.
      const args = ['check', '--json', '--headers', 'own', ...files];
      const { stdout } = await fencewright(args, { cwd });
      const { results } = JSON.parse(stdout) as { results: { verdict: string }[] };
      const nameOf = ({ before = '', operation, own }: Operation): string =>
        `${own} ${before} ${operation}`;
      const found = operations.map((each, i) => [nameOf(each), results[i]?.verdict]);
      expect(found).toEqual(
        operations.map((each, i) => [
          nameOf(each),
          Number(counts[i]) > 0 ? 'robust' : 'not-robust',
        ]),
      );
      expect(counts).toHaveLength(operations.length);
    });
  },
);
