import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { binary, fencewrightAfresh as fencewright, folderWith } from './fencewright.js';

/**
 * A producer waits in `put` while the only slot is taken, at two loads; the consumer sleeps. The
 * wake-up is lost if the producer's store of `full` waits in its buffer past the load of `asleep`.
 */
const sleepingConsumer = `#include <pthread.h>
#include <stdatomic.h>
static atomic_int full, asleep;
static int limit(void) { return 1; }
static void put(void) {
  while (atomic_load_explicit(&full, memory_order_acquire) >= limit() ||
         atomic_load_explicit(&full, memory_order_acquire) < 0) { }
  atomic_store_explicit(&full, 1, memory_order_release);
  if (atomic_load_explicit(&asleep, memory_order_relaxed))
    atomic_store_explicit(&asleep, 0, memory_order_release);
}
static void *producer(void *unused) { put(); put(); return 0; }
static void *consumer(void *unused) {
  for (int i = 0; i < 2; i++) {
    while (!atomic_load_explicit(&full, memory_order_acquire)) {
      atomic_store_explicit(&asleep, 1, memory_order_relaxed);
      if (!atomic_load_explicit(&full, memory_order_acquire))
        while (atomic_load_explicit(&asleep, memory_order_acquire)) { }
    }
    atomic_store_explicit(&full, 0, memory_order_release);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;

/** A reader protects the block that it reads; the writer frees the block if it is not protected. */
const hazard = `#include <atomic>
#include <thread>
std::atomic<int *> head, protectedBlock;
void reader() {
  int *p = head.load();
  protectedBlock.store(p, std::memory_order_release);
  if (p == head.load()) *p = 3;
}
void writer() {
  int *fresh = new int(2);
  int *old = head.exchange(fresh);
  if (protectedBlock.load() != old) delete old;
}
int main() {
  head = new int(1);
  std::thread r(reader);
  std::thread w(writer);
  r.join();
  w.join();
}
`;

test('the answer is the first line on a terminal, and messages follow', async () => {
  const cwd = await folderWith({ 'a.c': sleepingConsumer });
  // Both streams in one file, as a terminal shows them.
  const { stdout } = spawnSync('sh', ['-c', '"$@" 2>&1', 'sh', process.execPath, binary, 'a.c'], {
    cwd,
    encoding: 'utf8',
  });
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^a\.c can hang on x86: /);
  const note = lines.findIndex((line) => line.startsWith('a.c: info FW5004'));
  expect(note).toBeGreaterThan(lines.findIndex((line) => line.startsWith('The attack: ')));
});

test('a call around several lines at which a thread waits is named once', async () => {
  const cwd = await folderWith({ 'a.c': sleepingConsumer });
  const [first] = (await fencewright(['a.c'], { cwd })).stdout.split('\n');
  expect(first).toContain('producer waits for ever at line 6, called at line 12, where full = 1');
  expect(first).toContain('consumer waits for ever at line 18, where asleep = 1');
});

test('blocks are named after functions of the program, also in a std::thread', async () => {
  const cwd = await folderWith({ 'a.cpp': hazard });
  const { stdout } = await fencewright(['reach', '--json', 'a.cpp'], { cwd });
  const names = new Set(stdout.match(/block \w+:/g));
  expect(names).toEqual(new Set(['block main:', 'block writer:']));
});

test('a header and a missing function are found in the folders of the project', async () => {
  const cwd = await folderWith({
    'test/a.c': '#include "own.h"\nint main(void) { return helper(); }\n',
    'include/own.h': 'int helper(void);\n',
    'src/declares.c': 'int helper(void);\nint other(void) { return helper(); }\n',
    'src/helper.c': 'int helper(void)\n{ return 0; }\n',
    'node_modules/own.h': '',
  });
  const header = await fencewright(['check', 'test/a.c'], { cwd });
  expect(header.code).toBe(65);
  expect(header.stderr).toContain('hint: include/own.h is there: -- -Iinclude at the end\n');
  const linked = await fencewright(['check', 'test/a.c', '--', '-Iinclude'], { cwd });
  expect(linked.code).toBe(65);
  expect(linked.stderr).toContain('hint: src/helper.c seems to define it: --link src/helper.c\n');
  const args = ['check', 'test/a.c', '--link', 'src/helper.c', '--', '-Iinclude'];
  expect((await fencewright(args, { cwd })).code).toBe(0);
});

test('a missing function of C++ is found beside the folder with the headers', async () => {
  const cwd = await folderWith({
    'harness/a.cpp':
      '#include "ring.h"\nint main() { lib::Ring ring(4); return lib::full(ring, ring.at(1)); }\n',
    'lib/include/ring.h': `namespace lib {
struct Ring { explicit Ring(int size); int at(int i) const; int size; };
int full(const Ring &ring, int n);
}
`,
    'lib/src/calls.cc': '#include "ring.h"\nint lib::Ring::at(int) const;\nlib::Ring one(4);\n',
    'lib/src/ring.cc': '#include "ring.h"\nlib::Ring::Ring(int s)\n  : size(s) {}\n',
    'lib/src/at.cc': '#include "ring.h"\nint lib::Ring::at(int i) const { return i % size; }\n',
    'lib/src/full.cc':
      '#include "ring.h"\nnamespace lib { int full(const Ring &, int n) { return n != 1; } }\n',
  });
  const links: string[] = [];
  for (const file of ['lib/src/ring.cc', 'lib/src/at.cc', 'lib/src/full.cc']) {
    const args = ['check', 'harness/a.cpp', ...links, '--', '-Ilib/include'];
    const { stderr } = await fencewright(args, { cwd });
    expect(stderr).toContain(`${file} seems to define it: --link ${file}\n`);
    links.push('--link', file);
  }
  const args = ['check', 'harness/a.cpp', ...links, '--', '-Ilib/include'];
  expect((await fencewright(args, { cwd })).code).toBe(0);
});
