import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

const flags = `#pragma once
#include <stdatomic.h>
struct flags { atomic_int left, right; };
static inline void flags_init(struct flags *f) { f->left = 0; f->right = 0; }
static inline int enter_left(struct flags *f) {
  atomic_store_explicit(&f->left, 1, memory_order_relaxed);
  return !atomic_load_explicit(&f->right, memory_order_relaxed);
}
static inline int enter_right(struct flags *f) {
  atomic_store_explicit(&f->right, 1, memory_order_relaxed);
  return !atomic_load_explicit(&f->left, memory_order_relaxed);
}
`;

/** A header whose handles only functions can make, with parameters of many kinds. */
const pipe = `typedef struct pipe *pipe_h;
typedef struct { int number; } options_t;
enum mode { SLOW, FAST };
pipe_h pipe_create(size_t capacity);
bool pipe_send(pipe_h p, const void *data, enum mode how, options_t more, void (*done)(int));
void *pipe_receive(pipe_h p, int **where, const char *name, ...);
uint32_t pipe_count(const pipe_h p, char *_Nonnull *_Nonnull const rest);
void pipe_destroy(pipe_h p);
int (*pipe_hook(pipe_h p))(int);
`;

const pipeSource = `#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "pipe.h"
struct pipe { int count; };
static struct pipe one;
pipe_h pipe_create(size_t capacity) { one.count = (int)capacity; return &one; }
bool pipe_send(pipe_h p, const void *d, enum mode m, options_t o, void (*f)(int)) { return p->count; }
void *pipe_receive(pipe_h p, int **where, const char *name, ...) { return *where; }
uint32_t pipe_count(const pipe_h p, char *_Nonnull *_Nonnull const rest) { return p->count; }
void pipe_destroy(pipe_h p) { p->count = 0; }
`;

/** Peterson's lock without fences, one function for each thread. */
const peterson = `#include <stdatomic.h>
static atomic_int flag0, flag1, turn;
#define SET(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)
#define GET(x) atomic_load_explicit(&x, memory_order_relaxed)
static inline void lock0(void) { SET(flag0, 1); SET(turn, 1); while (GET(flag1) && GET(turn) == 1) { } }
static inline void unlock0(void) { SET(flag0, 0); }
static inline void lock1(void) { SET(flag1, 1); SET(turn, 0); while (GET(flag0) && GET(turn) == 0) { } }
static inline void unlock1(void) { SET(flag1, 0); }
`;

const mcs = `struct node { int locked; };
struct mcs { struct node *tail; };
void mcs_lock(struct mcs *l, struct node *me);
int mcs_trylock(struct mcs *l, struct node *me);
void mcs_unlock(struct mcs *l, struct node *me);
`;

const readWrite = `typedef struct { int readers; } rw_t;
void rw_read_lock(rw_t *l);
void rw_read_unlock(rw_t *l);
void rw_write_lock(rw_t *l);
void rw_write_unlock(rw_t *l);
`;

/** The deque of Chase and Lev: `take` needs a fence between its store and its second load. */
const deque = `#include <stdatomic.h>
typedef struct { atomic_int top, bottom, items[4]; } deque;
#define LOAD(x) atomic_load_explicit(&d->x, memory_order_acquire)
#define STORE(x, v) atomic_store_explicit(&d->x, v, memory_order_release)
static inline void deque_init(deque *d) { STORE(top, 0); STORE(bottom, 0); }
static inline void deque_push(deque *d, int v) {
  STORE(items[LOAD(bottom) % 4], v);
  STORE(bottom, LOAD(bottom) + 1);
}
static inline int deque_take(deque *d) {
  int b = LOAD(bottom) - 1;
  STORE(bottom, b);
  int t = LOAD(top);
  int v = t <= b ? LOAD(items[b % 4]) : -1;
  if (t == b && !atomic_compare_exchange_strong(&d->top, &t, t + 1)) v = -1;
  if (t >= b) STORE(bottom, b + 1);
  return v;
}
static inline int deque_steal(deque *d) {
  int t = LOAD(top);
  if (t >= LOAD(bottom)) return -1;
  int v = LOAD(items[t % 4]);
  return atomic_compare_exchange_strong(&d->top, &t, t + 1) ? v : -1;
}
`;

/** A stack whose `pop` is not atomic: two threads can pop the same node. */
const stack = `#include <stdatomic.h>
struct node { struct node *next; };
struct stack { struct node *_Atomic head; };
static inline void stack_init(struct stack *s) { s->head = 0; }
static inline void stack_push(struct stack *s, struct node *n) {
  struct node *h = s->head;
  do n->next = h; while (!atomic_compare_exchange_strong(&s->head, &h, n));
}
static inline struct node *stack_pop(struct stack *s) {
  struct node *h = s->head;
  if (h) s->head = h->next;
  return h;
}
`;

/** A ring buffer for one producer and one consumer. */
const ring = `#include <stdatomic.h>
struct ring { atomic_uint head, tail; void *slots[2]; };
static inline void ring_init(struct ring *r) { r->head = r->tail = 0; }
static inline int ring_enqueue(struct ring *r, void *v) {
  if (r->tail - r->head == 2) return -1;
  r->slots[r->tail % 2] = v;
  r->tail++;
  return 0;
}
static inline int ring_dequeue(struct ring *r, void **v) {
  if (r->tail == r->head) return -1;
  *v = r->slots[r->head % 2];
  r->head++;
  return 0;
}
`;

/** A header about a variable, which is no container. */
const cell = `struct cell { int value; };
void cell_write(struct cell *c, int value);
int cell_read(struct cell *c);
`;

/** The deque of Chase and Lev as a template: `take` needs a fence as the deque in C does. */
const workDeque = `#pragma once
#include <atomic>
#include <optional>
namespace work {
template <class T> class Deque {
  std::atomic<long> top{0}, bottom{0};
  T items[4];
public:
  explicit Deque(int capacity) { (void)capacity; }
  Deque(const Deque &) = delete;
  template <class U> void push(U &&v) {
    long b = bottom.load(std::memory_order_relaxed);
    items[b % 4] = v;
    bottom.store(b + 1, std::memory_order_release);
  }
  std::optional<T> take() {
    long b = bottom.load(std::memory_order_relaxed) - 1;
    bottom.store(b, std::memory_order_relaxed);
    long t = top.load(std::memory_order_relaxed);
    if (t < b) return items[b % 4];
    bottom.store(b + 1, std::memory_order_relaxed);
    if (t > b || !top.compare_exchange_strong(t, t + 1)) return std::nullopt;
    return items[b % 4];
  }
  std::optional<T> steal() {
    long t = top.load(std::memory_order_acquire);
    if (t >= bottom.load(std::memory_order_acquire)) return std::nullopt;
    T v = items[t % 4];
    if (!top.compare_exchange_strong(t, t + 1)) return std::nullopt;
    return v;
  }
  std::size_t size() const { return 0; }
private:
  void grow();
};
}
`;

/** A queue for one producer and one consumer, beside a class that is no container. */
const queueClass = `#include <atomic>
struct Statistics { void reset() {} long sum(int from, int to) { return from + to; } int last() { return 0; } int first() { return 0; } };
template <typename T, unsigned N> struct SpscQueue {
  using value_type = T;
  bool try_push(const value_type &v) {
    unsigned h = head.load(std::memory_order_relaxed);
    if (h - tail.load(std::memory_order_acquire) == N) return false;
    slots[h % N] = v;
    head.store(h + 1, std::memory_order_release);
    return true;
  }
  bool try_pop(value_type &out) {
    unsigned t = tail.load(std::memory_order_relaxed);
    if (head.load(std::memory_order_acquire) == t) return false;
    out = slots[t % N];
    tail.store(t + 1, std::memory_order_release);
    return true;
  }
  std::atomic<unsigned> head{0}, tail{0};
  T slots[N];
};
`;

/** A lock for two threads whose stores are delayed past the loads; one body stands below. */
const dekkerClass = `#include <atomic>
class Dekker {
  std::atomic<int> a{0}, b{0};
public:
  void left_lock() { a.store(1, std::memory_order_release); while (b.load(std::memory_order_acquire)) {} }
  void left_unlock() { a.store(0, std::memory_order_release); }
  void right_lock() { b.store(1, std::memory_order_release); while (a.load(std::memory_order_acquire)) {} }
  void right_unlock();
};
inline void Dekker::right_unlock() { b.store(0, std::memory_order_release); }
`;

/** Store buffering in functions that take a reference, and arguments of several types. */
const flagsInCxx = `#include <atomic>
#include <functional>
#include <string>
namespace f {
struct Flags { std::atomic<int> left{0}, right{0}; };
inline int enter_left(Flags &f) { f.left.store(1, std::memory_order_relaxed); return !f.right.load(std::memory_order_relaxed); }
inline int enter_right(Flags &f, const std::string &name, std::function<void()> done, bool, double *rest) {
  f.right.store(1, std::memory_order_relaxed);
  return !f.left.load(std::memory_order_relaxed);
}
}
`;

describe('init --for, in C++', () => {
  test('calls member functions of one object: containers, locks in pairs, functions with references', async () => {
    const cwd = await folderWith({
      ...{ 'work-deque.h': workDeque, 'spsc_queue.hpp': queueClass },
      ...{ 'dekker.hh': dekkerClass, 'flags.hxx': flagsInCxx },
    });
    const written = async (header: string): Promise<{ run: string; text: string }> => {
      const run = await fencewright(['init', '--for', header], { cwd });
      expect(run).toMatchObject({ code: 0, stderr: '' });
      const file = `${path.parse(header).name}_test.cpp`;
      return { run: run.stdout, text: await readFile(path.join(cwd, file), 'utf8') };
    };
    const answer = async (header: string): Promise<string> =>
      (await fencewright([`${path.parse(header).name}_test.cpp`], { cwd })).stdout;
    const deque = await written('work-deque.h');
    expect(deque.text).toContain('static work::Deque<int> object(2);');
    expect(deque.text).toMatch(/object\.push\(1\);[^]*= object\.take\(\);[^]*= object\.steal\(\);/);
    expect(deque.text).not.toContain('grow');
    expect(deque.run).not.toContain('--link');
    expect(await answer('work-deque.h')).toMatch(/ breaks on x86: the assertion of main/);
    const queue = await written('spsc_queue.hpp');
    expect(queue.text).toContain('static SpscQueue<int, 4> object;');
    expect(queue.text).toContain('if (object.try_pop(value1)) {');
    expect(await answer('spsc_queue.hpp')).toMatch(/ holds on x86 as it stands/);
    const dekker = await written('dekker.hh');
    expect(dekker.run).toContain('left_lock and left_unlock, right_lock and right_unlock');
    expect(dekker.run).not.toContain('--link');
    expect(await answer('dekker.hh')).toMatch(/ breaks on x86: the assertion of thread1/);
    const flags = await written('flags.hxx');
    expect(flags.text).toContain('enter_left_result = enter_left(object);');
    expect(flags.text).toContain('enter_right(object, {}, {}, true, &enter_right_rest)');
    const claim = flags.text.replace(
      '// assert(enter_left_result);',
      'assert(!(enter_left_result && enter_right_result));',
    );
    await writeFile(path.join(cwd, 'flags_test.cpp'), claim);
    expect(await answer('flags.hxx')).toMatch(/ breaks on x86: the assertion of main/);
  });

  test('says what to write where types and arguments cannot be known', async () => {
    const cwd = await folderWith({
      'map.hpp': 'template <class K, class V> class Map { public: void put(K k, V v); };\n',
      'base.hpp': 'struct Task { virtual void run() = 0; };\n',
      'file.hpp': 'class File { public: File(const char *name); void write(int); };\n',
      'none.hpp': 'enum class Colour { red };\n',
      'bad.hpp': 'class Bad { public: void f(nothing n); };\n',
      'ring.hpp': queueClass,
    });
    const refusals = [
      [['map.hpp'], 65, 'Map: it needs 2 types'],
      [['map.hpp'], 65, 'std::thread a([] { object.put(...); })'],
      [['base.hpp'], 65, 'Task: it is an abstract class'],
      [['file.hpp'], 65, 'File: no public constructor takes numbers alone'],
      [['none.hpp'], 65, 'it declares no class and no function that a thread could call'],
      [['bad.hpp'], 65, "bad.hpp:1:28: error FW5001: unknown type name 'nothing'"],
      [['ring.hpp', 'out.c'], 64, 'ring.hpp is in C++: call the harness out.cpp'],
    ] as const;
    for (const [args, code, words] of refusals) {
      const run = await fencewright(['init', '--for', ...args], { cwd });
      expect(run.stderr).toContain(words);
      expect(run).toMatchObject({ code, stdout: '' });
    }
  });
});

describe('init --for', () => {
  test('puts values into a container and asserts that each comes out once and in order', async () => {
    const early = ring.replace(/(.*slots.* = v;\n)(.*tail\+\+;\n)/, '$2$1');
    expect(early).not.toBe(ring);
    const headers = { 'deque.h': deque, 'stack.h': stack, 'ring.h': ring, 'early/ring.h': early };
    const cwd = await folderWith({ ...headers, 'cell.h': cell });
    const answer = async (name: string) => {
      const run = await fencewright(['init', '--for', `${name}.h`], { cwd });
      expect(run).toMatchObject({ code: 0, stderr: '' });
      return (await fencewright([`${name.split('/').at(-1)}_test.c`], { cwd })).stdout;
    };
    expect(await answer('deque')).toMatch(/^\S+ breaks on x86: the assertion of main/);
    expect(await answer('stack')).toMatch(
      /^\S+ is wrong even without store buffers: the assertion/,
    );
    expect(await answer('ring')).toMatch(/^\S+ holds on x86 as it stands/);
    await rm(path.join(cwd, 'ring_test.c'));
    expect(await answer('early/ring')).toMatch(
      /^\S+ is wrong even without .* assertion of consumer/,
    );
    await fencewright(['init', '--for', 'cell.h'], { cwd });
    const text = await readFile(path.join(cwd, 'cell_test.c'), 'utf8');
    expect(text).toContain('call_cell_read');
  });

  test('writes a harness that waits for an assertion, and shows what breaks it', async () => {
    const cwd = await folderWith({ 'flags.h': flags });
    const run = await fencewright(['init', '--for', 'flags.h'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('enter_left and enter_right, each in a thread');
    const file = path.join(cwd, 'flags_test.c');
    const text = await readFile(file, 'utf8');
    expect(text).toContain('  flags_init(&object);\n  pthread_create');
    const claim = 'assert(!(enter_left_result && enter_right_result));';
    await writeFile(file, text.replace('// assert(enter_left_result);', claim));
    const answer = await fencewright(['flags_test.c'], { cwd });
    expect(answer.code).toBe(10);
    expect(answer.stdout).toContain('breaks on x86');
    const again = await fencewright(['init', '--for', 'flags.h'], { cwd });
    expect(again).toMatchObject({ code: 64 });
    expect(await readFile(file, 'utf8')).toContain(claim);
  });

  test('calls locks in pairs, around data with an assertion, each thread with its own node', async () => {
    const cwd = await folderWith({ 'peterson.h': peterson, 'mcs.h': mcs, 'seqlock.h': readWrite });
    const run = await fencewright(['init', '--for', 'peterson.h'], { cwd });
    expect(run.stdout).toContain('calls lock0 and unlock0, lock1 and unlock1 in 2 threads');
    const answer = await fencewright(['peterson_test.c'], { cwd });
    expect(answer.code).toBe(10);
    expect(answer.stdout).toMatch(/^peterson_test\.c breaks on x86: the assertion of thread1/);
    await fencewright(['init', '--for', 'mcs.h'], { cwd });
    const queued = await readFile(path.join(cwd, 'mcs_test.c'), 'utf8');
    for (const thread of ['thread1', 'thread2'])
      expect(queued).toMatch(
        new RegExp(
          `mcs_lock\\(&object, &${thread}_me\\);[^}]*mcs_unlock\\(&object, &${thread}_me\\);`,
        ),
      );
    expect(queued).not.toContain('mcs_trylock(&object');
    await fencewright(['init', '--for', 'seqlock.h'], { cwd });
    const shared = await readFile(path.join(cwd, 'seqlock_test.c'), 'utf8');
    expect(shared).toMatch(/rw_read_lock\(&object\);[^}]*assert\(guarded == seen\);/);
    expect(shared).toMatch(/rw_write_lock\(&object\);[^}]*guarded = before \+ 1;/);
  });

  test('gives a pair that takes a number the number of the thread, and other numbers as before', async () => {
    const cwd = await folderWith({
      'duo.h': `typedef struct { int wants[2]; } duo;
void duo_acquire(duo *l, int who, int flags);
void duo_release(duo *l, int who, int flags);
`,
      'bakery.h': 'void bakery_lock(int);\nvoid bakery_unlock(int);\n',
    });
    const calls = async (name: string): Promise<readonly string[]> => {
      await fencewright(['init', '--for', `${name}.h`], { cwd });
      const text = await readFile(path.join(cwd, `${name}_test.c`), 'utf8');
      return text.match(/^ {2}\w+_(?:acquire|release|lock|unlock)\(.*\);$/gm) ?? [];
    };
    const ofDuo = [0, 1].flatMap((who) =>
      ['acquire', 'release'].map((verb) => `  duo_${verb}(&object, ${who}, 1);`),
    );
    expect(await calls('duo')).toEqual(ofDuo);
    const ofBakery = [0, 1].flatMap((who) => [
      `  bakery_lock(${who});`,
      `  bakery_unlock(${who});`,
    ]);
    expect(await calls('bakery')).toEqual(ofBakery);
  });

  test('wants fences in the header, and none between its own calls', async () => {
    const apart = `#include <stdatomic.h>
struct flags { atomic_int left, right; };
static inline void raise_flag(atomic_int *f) { atomic_store_explicit(f, 1, memory_order_relaxed); }
static inline int is_up(atomic_int *f) { return atomic_load_explicit(f, memory_order_relaxed); }
static inline void left_lock(struct flags *f) { raise_flag(&f->left); }
static inline int left_unlock(struct flags *f) { return is_up(&f->right); }
static inline void right_lock(struct flags *f) { raise_flag(&f->right); }
static inline int right_unlock(struct flags *f) { return is_up(&f->left); }
`;
    const calls = `#include <pthread.h>
#include "apart.h"
static struct flags f;
static int seen[2];
static void *one(void *p) { raise_flag(&f.left); seen[0] = is_up(&f.right); return p; }
static void *two(void *p) { raise_flag(&f.right); seen[1] = is_up(&f.left); return p; }
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
`;
    const cwd = await folderWith({ 'apart.h': apart, 'calls.c': calls });
    await fencewright(['init', '--for', 'apart.h'], { cwd });
    const harness = await fencewright(['fence', 'apart_test.c'], { cwd });
    expect(harness.stdout).not.toContain('The change');
    expect(harness.stderr).toContain('this file says that it wants no fences');
    const [, line = ''] =
      /^(\/\/ fencewright: .*\n)/m.exec(await readFile(path.join(cwd, 'apart_test.c'), 'utf8')) ??
      [];
    await writeFile(path.join(cwd, 'harness.c'), line + calls);
    const [there, here] = await Promise.all(
      ['harness.c', 'calls.c'].map((file) => fencewright(['fence', file], { cwd })),
    );
    expect(there!.stdout).toMatch(/a fence at line 4 of apart\.h/);
    expect(there!.stdout).toContain('--- a/apart.h');
    expect(there!.stdout).not.toContain('--- a/harness.c');
    expect(here!.stdout).toContain('The change');
  });

  test('takes arguments for clang without a name, and links no file that is not needed', async () => {
    const cwd = await folderWith({ 'flags.h': `#ifdef LEFT\n${flags}\n#endif\n`, 'flags.c': '' });
    const run = await fencewright(['init', '--for', 'flags.h', '--', '-DLEFT'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('fencewright flags_test.c -- -DLEFT');
    const written = await readFile(path.join(cwd, 'flags_test.c'), 'utf8');
    expect(written).toContain('//   fencewright flags_test.c -- -DLEFT');
    expect(written).toMatch(/^\/\/ Functions of flags.h, called on one shared object/);
    expect(written + run.stdout).not.toContain('--link');
  });

  test('gives each parameter an argument, with sources and headers that the header lacks', async () => {
    const cwd = await folderWith({ 'include/pipe.h': pipe, 'src/pipe.c': pipeSource });
    const args = ['init', '--for', 'include/pipe.h', 'harness.c', '--', '-DX=1'];
    const run = await fencewright(args, { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const command = ['--link', 'src/pipe.c', 'harness.c', '--', '-DX=1', '-Iinclude'];
    expect(run.stdout).toContain(`fencewright ${command.join(' ')}`);
    const text = await readFile(path.join(cwd, 'harness.c'), 'utf8');
    expect(text).toContain('object = pipe_create(2);');
    expect(text).toContain('pipe_destroy(object);');
    expect(text).toContain('call_pipe_receive');
    expect(text).toContain('static char *pipe_count_rest;');
    const answer = await fencewright(command, { cwd });
    expect(answer).toMatchObject({ code: 0 });
    expect(answer.stderr).not.toContain('error');
  });

  test('refuses what is no header, and headers without functions or with errors', async () => {
    const files = {
      'types.h': 'struct s { int a; };\n',
      'bad.h': 'int f(nothing n);\n',
    };
    const cwd = await folderWith(files);
    const refusals = [
      [['a.txt'], 64, '--for takes a header'],
      [['types.h', 'out.fw'], 64, 'out.c'],
      [['types.h'], 65, 'declares no function'],
      [['bad.h'], 65, 'bad.h:1:7: error FW5001'],
      [['none.h'], 65, 'no such file'],
    ] as const;
    for (const [args, code, words] of refusals) {
      const run = await fencewright(['init', '--for', ...args], { cwd });
      expect(run).toMatchObject({ code });
      expect(run.stderr).toContain(words);
    }
    for (const args of [[], ['lock.fw', '--clang', 'clang'], ['lock.fw', '--', '-DX=1']]) {
      const run = await fencewright(['init', ...args], { cwd });
      expect(run).toMatchObject({ code: 64 });
      expect(run.stderr).toContain('--for HEADER');
    }
  });
});
