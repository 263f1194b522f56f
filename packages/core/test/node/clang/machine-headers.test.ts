import { describe, expect, test } from 'vitest';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from '../../../src/api/check.js';
import { reachOutcomes } from '../../../src/api/reach-outcomes.js';
import { parseLlvmIr } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
import { compileC, type CUnit } from '../../../src/node/compile-c.js';
import { type FiniteModel, finiteProgram } from '@fencewright/model/program/model.js';
import { isCampaign } from '../../../../../tools/random-runs.js';
import { allClangs, freshFolder, shipped } from './clangs.js';
import { usualCases } from '../../../../../tools/usual-cases.js';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const clang = (await allClangs()).find(({ kind }) => kind === 'native');
const hasC = existsSync('/usr/include/pthread.h');
const hasCxx = hasC && existsSync('/usr/include/c++');

async function modulesOf(units: readonly CUnit[], folder: string) {
  const compiled = await compileC(clang!, units, { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled).slice(0, 2000));
  return compiled.modules;
}

const ofMachine = { areOfMachine: true, headers: ['/usr/'] };

/** Returns the answer about a program that is compiled with the headers of this machine. */
async function saidOf(
  name: string,
  text: string,
  ccArgs: readonly string[] = [],
  maxStates = 200_000,
) {
  const folder = freshFolder();
  writeFileSync(path.join(folder, name), text);
  const define = name.endsWith('.c') ? ['_GNU_SOURCE'] : [];
  const modules = await modulesOf([{ file: name, headers: 'machine', define, ccArgs }], folder);
  const { model, diagnostics } = parseLlvmIr(modules, { main: name, ...ofMachine });
  const program = model && finiteProgram(model);
  const messages = diagnostics.map(({ message }) => message);
  if (!program) return { verdict: 'refused', messages };
  const { verdict, diagnostics: more } = await check(program, { limits: { maxStates } });
  const { result } = await reachOutcomes(model as FiniteModel, { limits: { maxStates } });
  return {
    verdict: verdict.kind,
    fails: result.tso.failedAssertions.length > 0,
    messages: [...messages, ...more.map(({ message }) => message)],
    assumptions: (program.assumptions ?? []).map(({ text }) => text),
  };
}

/**
 * The example that needs `linux/wait.h` of the kernel's sources instead of the machine's header.
 */
const ofKernel = 'wait-queue.c';

describe.skipIf(!clang || !hasC)('headers of the machine', () => {
  test('examples have the verdict that is expected of them', async () => {
    const all = readdirSync(path.join(root, 'examples/c')).filter(
      (name) => (name.endsWith('.c') && name !== ofKernel) || (hasCxx && name.endsWith('.cpp')),
    );
    expect(all.length).toBeGreaterThan(10);
    const examples = usualCases(all, (_, i) => i % 3 !== 0);
    const units = examples.map((name) => ({
      file: path.join('examples/c', name),
      headers: 'machine' as const,
      ccArgs: name.endsWith('.cpp') ? ['-std=c++20'] : [],
    }));
    const modules = await modulesOf(units, root);
    for (const [i, name] of examples.entries()) {
      const { model, diagnostics } = parseLlvmIr([modules[i]!, modules.at(-1)!], ofMachine);
      const program = model && finiteProgram(model);
      expect({ name, diagnostics, isRead: program !== undefined }).toMatchObject({ isRead: true });
      const { verdict } = await check(program!, { limits: { maxStates: 500_000 } });
      const expected = path.join(root, 'examples/c', `${path.parse(name).name}.expected.json`);
      const wanted = JSON.parse(readFileSync(expected, 'utf8')) as { readonly verdict: string };
      expect({ name, verdict: verdict.kind }).toEqual({ name, verdict: wanted.verdict });
    }
  });

  test('objects of the library are no larger than those of the headers', async () => {
    const types = [
      ...['mutex', 'cond', 'rwlock', 'barrier', 'attr', 'mutexattr', 'condattr', 'rwlockattr'],
      ...['barrierattr'],
    ].map((name) => `pthread_${name}_t`);
    const more = ['sem_t', 'pthread_spinlock_t', 'pthread_once_t', 'pthread_key_t', 'pthread_t'];
    const all = [...types, ...more, 'mtx_t', 'cnd_t', 'once_flag', 'tss_t', 'thrd_t'];
    const text = `#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
unsigned long sizes[] = { ${all.map((name) => `sizeof(${name})`).join(', ')} };
unsigned long constants[] = { PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK, mtx_recursive,
  PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_DEFAULT, thrd_success, thrd_busy, thrd_error, thrd_nomem,
  thrd_timedout, PTHREAD_BARRIER_SERIAL_THREAD, EBUSY, EDEADLK, EPERM, EAGAIN, ETIMEDOUT };
`;
    const numbersOf = async (headers: 'own' | 'machine') => {
      const folder = freshFolder();
      writeFileSync(path.join(folder, 'a.c'), `#include <errno.h>\n${text}`);
      const [{ text: ir } = { text: '' }] = await modulesOf([{ file: 'a.c', headers }], folder);
      return ['sizes', 'constants'].map((name) => {
        const line = new RegExp(`^@${name} = .*\\[([^\\]]*)\\],`, 'm').exec(ir)?.[1] ?? '';
        return [...line.matchAll(/i64 (-?\d+)/g)].map(([, value]) => Number(value));
      });
    };
    const [own, machine] = [await numbersOf('own'), await numbersOf('machine')];
    expect(own[0]).toHaveLength(all.length);
    expect(machine[0]).toHaveLength(all.length);
    expect(all.filter((_, i) => own[0]![i]! > machine[0]![i]!)).toEqual([]);
    expect(own[1]).toHaveLength(16);
    expect(own[1]).toEqual(machine[1]);
  });

  const twoThreads = (body: string): string => `int main(void) {
  pthread_t a, b;
  ${body}
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
  pthread_join(a, 0); pthread_join(b, 0);
  return 0;
}`;

  test('static initialisers of glibc mean what they say', async () => {
    const said = await saidOf(
      'a.c',
      `#include <pthread.h>
#include <assert.h>
#include <errno.h>
pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
int in;
void *f(void *unused) {
  assert(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
  assert(pthread_mutex_unlock(&recursive) == EPERM);
  assert(pthread_mutex_lock(&checking) == 0 && pthread_mutex_lock(&checking) == EDEADLK);
  assert(pthread_mutex_unlock(&checking) == 0);
  assert(pthread_mutex_lock(&adaptive) == 0 && pthread_mutex_trylock(&adaptive) == EBUSY);
  assert(in == 0); in = 1; in = 0;
  assert(pthread_mutex_unlock(&adaptive) == 0);
  return 0;
}
${twoThreads('')}`,
    );
    expect(said).toMatchObject({ verdict: 'robust', fails: false });
  });

  test('a pointer shares its word with a counter', async () => {
    const program = (counted: string, pointer: string): string => `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
struct node { struct node *next; int value; };
static _Atomic uint64_t top;
static void push(struct node *node) {
  uint64_t old = top, new;
  do {
    node->next = (struct node *)(${pointer});
    new = ${counted};
  } while (!atomic_compare_exchange_weak(&top, &old, new));
}
static struct node nodes[2];
void *f(void *node) { push(node); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, &nodes[0]); pthread_create(&b, 0, f, &nodes[1]);
  pthread_join(a, 0); pthread_join(b, 0);
  uint64_t old = top;
  struct node *first = (struct node *)(${pointer});
  assert(old >> 48 == 2);
  assert(first->next == &nodes[first == &nodes[0]]);
  return 0;
}`;
    const counted = '(uint64_t)node | ((old >> 48) + 1) << 48';
    const low = 'old & 0xffffffffffff';
    const assumptions = ['addresses have 47 bits, as in user space on x86-64'];
    const said = await saidOf('a.c', program(counted, low));
    expect(said).toMatchObject({ verdict: 'robust', fails: false, assumptions });
    const ofFew = await saidOf('a.c', program(counted, 'old & 0x3fffffffffff'));
    // An address has bit 46 set or not, so the result depends on the placement of the nodes.
    expect(ofFew).toMatchObject({
      verdict: 'refused',
      messages: [expect.stringContaining('depends on the addresses of objects')],
    });
    const twice = await saidOf('a.c', program(counted.replace('+ 1', '+ 2'), low));
    expect(twice).toMatchObject({ verdict: 'robust', fails: true });
  });

  test('a loop of main behind its joins that would become too long', async () => {
    const program = (steps: number): string => `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count;
void *f(void *unused) { count++; return 0; }
${twoThreads('').replace(
  'return 0;',
  `unsigned steps = 0;
  while (count > 0) { if (++steps > 2) count = 0; }
  assert(steps == ${steps});
  return 0;`,
)}`;
    expect(await saidOf('a.c', program(3))).toMatchObject({ verdict: 'robust', fails: false });
    expect(await saidOf('a.c', program(2))).toMatchObject({ verdict: 'robust', fails: true });
  });

  test('a loop of main between starts and joins that would become too long', async () => {
    const program = (last: number): string => `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int count, told[2];
void *f(void *own) {
  atomic_int *at = own;
  count++;
  *at = 1;
  return 0;
}
int main(void) {
  pthread_t threads[2];
  int spins = 0;
  for (int i = 0; i < 300; i++)
    if (told[0]) spins = 1;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, f, (void *)&told[i]);
  for (int i = 0; i < 300; i++)
    if (told[1]) spins = 2;
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], 0);
    for (int i = 0; i < 300; i++) spins |= 4;
  }
  assert(count == 2 && (spins == 4 || spins == ${last}));
}`;
    expect(await saidOf('a.c', program(6))).toMatchObject({ verdict: 'robust', fails: false });
    expect(await saidOf('a.c', program(5))).toMatchObject({ verdict: 'robust', fails: true });
  });

  test.skipIf(!hasCxx)('new that throws nothing, and sleeps that signals interrupt', async () => {
    const program = (value: number): string => `#include <cassert>
#include <chrono>
#include <new>
#include <thread>
int main() {
  int *p = new (std::nothrow) int(3), x = 0;
  std::thread a([&] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); x = *p; });
  a.join();
  assert(p && x == ${value});
  delete p;
}`;
    expect(await saidOf('a.cpp', program(3))).toMatchObject({ verdict: 'robust', fails: false });
    expect(await saidOf('a.cpp', program(4))).toMatchObject({ verdict: 'robust', fails: true });
  });

  test('memory by pages, the environment, clocks and sleeps', async () => {
    const program = (value: number): string => `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>
enum { size = 8 << 20 };
static volatile int *memory;
void *f(void *unused) {
  struct timeval most = {0, 10};
  struct timespec now, part = {0, 5};
  unsigned long long before = __rdtsc();
  select(0, NULL, NULL, NULL, &most);
  clock_gettime(CLOCK_MONOTONIC, &now);
  clock_nanosleep(CLOCK_MONOTONIC, 0, &part, NULL);
  int seen = memory[3000000 / 4];
  assert(seen == 0 || seen == ${value});
  if (before > 5) memory[3000000 / 4] = 3;
  return 0;
}
${twoThreads(`if (getenv("UNSET")) abort();
  memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || sysconf(_SC_LEVEL1_DCACHE_LINESIZE) != 64) abort();`)}`;
    const said = await saidOf('a.c', program(3));
    expect(said).toMatchObject({ verdict: 'robust', fails: false });
    expect(said.assumptions).toEqual([
      'no environment variable that getenv asks for is set',
      'malloc never fails',
      'mmap never fails',
    ]);
    expect(await saidOf('a.c', program(4))).toMatchObject({ verdict: 'robust', fails: true });
  });

  test('products are rounded before they are added, unless the processor fuses both', async () => {
    const program = (relation: string): string => `#include <assert.h>
#include <pthread.h>
volatile double tenth = 0.1, three = 3.0, less = -0.3;
void *f(void *unused) { return 0; }
${twoThreads(`assert(tenth * three + less ${relation} 5e-17);`)}`;
    // 0.1 * 3 - 0.3 is 2 to the power -54 with two roundings, and half of it with one.
    expect(await saidOf('a.c', program('>'))).toMatchObject({ verdict: 'robust' });
    expect(await saidOf('a.c', program('<'))).toMatchObject({
      messages: [expect.stringContaining('an assertion fails before a thread is started')],
    });
    expect(await saidOf('a.c', program('>'), ['-mfma'])).toMatchObject({
      messages: [expect.stringContaining("'fmuladd' of LLVM has no model")],
    });
  });

  test('inline functions of C99 have their bodies, or those of their external definitions', async () => {
    const folder = freshFolder();
    const program = `#include <assert.h>
#include <pthread.h>
inline int number(void) { return 1; }
int seen;
void *f(void *unused) { __atomic_store_n(&seen, number(), __ATOMIC_SEQ_CST); return 0; }
${twoThreads('').replace('return 0;', 'assert(seen == 1); return 0;')}`;
    const definition = 'inline int number(void) { return 2; }\nextern int number(void);\n';
    const failed = async (files: readonly string[], std: string): Promise<boolean> => {
      const units = files.map((file) => ({ file, headers: 'machine' as const, std }));
      const modules = await modulesOf(units, folder);
      const { model, diagnostics } = parseLlvmIr(modules, { main: 'a.c', ...ofMachine });
      if (!model) throw new Error(JSON.stringify(diagnostics));
      const { result } = await reachOutcomes(model as FiniteModel, {});
      return result.tso.failedAssertions.length > 0;
    };
    writeFileSync(path.join(folder, 'a.c'), program);
    writeFileSync(path.join(folder, 'b.c'), definition);
    for (const std of ['c99', 'gnu11', 'gnu89'])
      expect({ std, isFailed: await failed(['a.c'], std) }).toEqual({ std, isFailed: false });
    for (const std of ['c99', 'gnu17'])
      expect({ std, isFailed: await failed(['a.c', 'b.c'], std) }).toEqual({ std, isFailed: true });
  });

  test('an assertion of glibc fails under TSO only', async () => {
    const said = await saidOf(
      'a.c',
      `#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
atomic_int x, y, both;
void *f(void *unused) {
  atomic_int *mine = atomic_fetch_add(&both, 4) == 0 ? &x : &y;
  atomic_store_explicit(mine, 1, memory_order_release);
  if (!atomic_load(mine == &x ? &y : &x)) assert((atomic_fetch_add(&both, 1) & 3) == 0);
  return 0;
}
${twoThreads('')}`,
    );
    expect(said).toMatchObject({ verdict: 'not-robust', fails: true });
  });

  test.each([
    ['a system call', '#include <unistd.h>', 'syscall(1);', /of the system calls, SYS_futex/],
    [
      'what is weak and may lie in a library',
      'void elsewhere(void) __attribute__((weak));',
      'if (elsewhere) x = 2;',
      /'elsewhere' is declared, but not defined/,
    ],
  ])('%s is refused by name', async (_, declared, statement, why) => {
    const said = await saidOf(
      'a.c',
      `#include <pthread.h>\n${declared}\nint x;
void *f(void *unused) { x = 1; ${statement} return 0; }\n${twoThreads('')}`,
    );
    expect(said.verdict).toBe('refused');
    expect(said.messages.join('\n')).toMatch(why);
  });
});

describe.skipIf(!clang || !hasCxx)('libstdc++ of the machine', () => {
  const includes = ['atomic', 'cassert', 'condition_variable', 'mutex', 'thread', 'vector']
    .map((name) => `#include <${name}>\n`)
    .join('');

  test.each([
    [
      'store buffering',
      `std::atomic<int> x, y; int r, s;
int main() {
  std::thread a([] { x.store(1, std::memory_order_release); r = y; });
  std::thread b([](int k) { y.store(k, std::memory_order_release); s = x; }, 1);
  a.join(); b.join();
  assert(r || s);
}`,
      { verdict: 'not-robust', fails: true },
    ],
    [
      'a mutex and a condition',
      `std::mutex m; std::condition_variable c; bool ready; int data;
int main() {
  std::thread a([] { { std::lock_guard<std::mutex> l(m); data = 7; ready = true; } c.notify_one(); });
  std::thread b([] {
    std::unique_lock<std::mutex> l(m);
    c.wait(l, [] { return ready; });
    assert(data == 7);
  });
  a.join(); b.join();
}`,
      { verdict: 'robust', fails: false },
    ],
    [
      'a wait up to a deadline',
      `#include <chrono>
std::mutex m; std::condition_variable c; bool ready; int data;
int main() {
  std::thread a([] { std::lock_guard<std::mutex> l(m); data = 7; ready = true; c.notify_one(); });
  std::thread b([] {
    std::unique_lock<std::mutex> l(m);
    if (c.wait_for(l, std::chrono::seconds(1), [] { return ready; })) assert(data == 7);
  });
  a.join(); b.join();
}`,
      { verdict: 'robust', fails: false },
    ],
    [
      'a deadline that may be over',
      `#include <chrono>
std::mutex m; std::condition_variable c; bool ready;
int main() {
  std::thread a([] { std::lock_guard<std::mutex> l(m); ready = true; c.notify_one(); });
  std::thread b([] {
    std::unique_lock<std::mutex> l(m);
    auto until = std::chrono::system_clock::now() + std::chrono::seconds(1);
    if (c.wait_until(l, until) == std::cv_status::timeout) assert(ready);
  });
  a.join(); b.join();
}`,
      { verdict: 'robust', fails: true },
    ],
    [
      'a list under a mutex',
      `#include <list>
std::mutex m; std::list<int> numbers;
int main() {
  std::thread a([] { std::lock_guard<std::mutex> l(m); numbers.push_back(7); });
  std::thread b([] {
    std::lock_guard<std::mutex> l(m);
    if (numbers.empty()) return;
    assert(numbers.front() == 7);
    numbers.pop_front();
  });
  a.join(); b.join();
}`,
      { verdict: 'robust', fails: false },
    ],
    [
      'store buffering that std::cout shows',
      `#include <iostream>
#include <iomanip>
std::atomic<int> x, y;
int main() {
  std::thread a([] { x.store(1, std::memory_order_release); std::cout << y << std::endl; });
  std::thread b([] {
    y.store(1, std::memory_order_release);
    std::cerr << std::setw(3) << std::hex << "x " << x.load() << 'c' << std::flush;
  });
  a.join(); b.join();
}`,
      { verdict: 'not-robust', fails: false },
    ],
    [
      'a wrong assertion',
      `std::mutex m; int data;
int main() {
  std::thread a([] { std::lock_guard<std::mutex> l(m); data = data + 1; });
  std::thread b([] { std::lock_guard<std::mutex> l(m); data = data + 1; });
  a.join(); b.join();
  assert(data == 1);
}`,
      { verdict: 'robust', fails: true },
    ],
  ])('%s', async (_, text, wanted) => {
    expect(await saidOf('a.cpp', `${includes}${text}\n`)).toMatchObject(wanted);
  });

  // Each thread destroys its state at its end, by the operator of the program.
  test.each([
    ['operator delete', 'void operator delete(void *block) noexcept { late(); free(block); }'],
    ['operator delete of a size', 'void operator delete(void *block, size_t) noexcept { late(); }'],
    ['no operator', ''],
  ])('the state of a thread ends by %s of the program', async (_, operator) => {
    const text = `#include <cstdlib>
#include <cstddef>
std::atomic<int> x, y; int r, s; thread_local int me;
static void late() {
  if (me == 1) { x.store(1, std::memory_order_release); r = y; }
  if (me == 2) { y.store(1, std::memory_order_release); s = x; }
}
${operator}
int main() {
  std::thread a([] { me = 1; }), b([] { me = 2; });
  a.join(); b.join();
}`;
    const { verdict } = await saidOf('a.cpp', `${includes}${text}\n`, ['-fsized-deallocation']);
    expect(verdict).toBe(operator === '' ? 'robust' : 'not-robust');
  });

  // libstdc++ gives up a single owner by plain stores, so the program is not robust. The analysis
  // of the two counters in one word ends at a limit today.
  const ofOwners = isCampaign ? test : undefined;
  ofOwners?.('single owners are never called robust', async () => {
    const text = `#include <memory>
int x, y, r, s; std::shared_ptr<int> p;
int main() {
  p = std::make_shared<int>(1);
  std::thread a([] { x = 1; p.reset(); r = y; });
  std::thread b([] { y = 1; std::atomic_thread_fence(std::memory_order_seq_cst); s = x; });
  a.join(); b.join();
}`;
    const { verdict } = await saidOf('a.cpp', `${includes}${text}\n`, [], 2_000);
    expect(['not-robust', 'refused', 'unknown']).toContain(verdict);
  });

  test.each([
    [
      'std::thread b([] { std::vector<int> x(2); x.at(2) = 1; }); b.join();',
      "an exception of type 'std::out_of_range'",
    ],
    [
      'std::thread again([] {}); again.detach(); again.join();',
      "an exception of type 'std::system_error'",
    ],
    ['std::thread left([] {});', 'std::terminate is called'],
  ])('%s ends the program', async (statement, why) => {
    const text = `${includes}int main() {
  std::thread a([] {}); a.join();
  ${statement}
}`;
    const { messages } = await saidOf('a.cpp', text);
    expect(messages.join('\n')).toContain(why);
  });
});
