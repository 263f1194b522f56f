import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNeeded, why } from './needs-clang.js';

/** Returns message passing in C with the given store and load of the flag. */
const passing = (publish: string, seen: string, header = ''): string => `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, flag;
${header}static void *sender(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  ${publish}
  return unused;
}
static void *receiver(void *unused) {
  while (!${seen})
    ;
  assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, sender, 0);
  pthread_create(&b, 0, receiver, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;

const store = (order: string): string => `atomic_store_explicit(&flag, 1, memory_order_${order});`;
const load = (order: string): string => `atomic_load_explicit(&flag, memory_order_${order})`;

async function written(text: string, ...options: readonly string[]): Promise<string> {
  const cwd = await folderWith({ 'mp.c': text });
  const asked = ['fence', '--model', 'c11', '--write', ...options, 'mp.c'];
  const { code, stderr } = await fencewright(asked, { cwd });
  expect([code, stderr.includes('error')]).toEqual([0, false]);
  const check = await fencewright(['check', '--model', 'c11', 'mp.c'], { cwd });
  expect(check.code).toBe(0);
  return readFile(path.join(cwd, 'mp.c'), 'utf8');
}

describe.runIf(isNeeded)(`fence --model c11 for C${why}`, () => {
  test('stronger orders become operands', async () => {
    const text = await written(passing(store('relaxed'), load('relaxed')));
    expect(text).toBe(passing(store('release'), load('acquire')));
  });

  test('weaker orders are spelt out', async () => {
    const text = await written(
      passing('atomic_store(&flag, 1);', 'atomic_load(&flag)'),
      '--minimise',
    );
    expect(text).toBe(passing(store('release'), load('acquire')));
  });

  test('a macro keeps its orders: a fence stands before it', async () => {
    const header = '#define PUBLISH(x) atomic_store_explicit(&x, 1, memory_order_relaxed)\n';
    const text = await written(passing('PUBLISH(flag);', load('acquire'), header));
    const fenced = 'atomic_thread_fence(memory_order_release);\n  PUBLISH(flag);';
    expect(text).toBe(passing(fenced, load('acquire'), header));
  });

  test('orders in a header of the project are written there', async () => {
    const header = `static void publish(atomic_int *data, atomic_int *flag) {
  atomic_store_explicit(data, 1, memory_order_relaxed);
  atomic_store_explicit(flag, 1, memory_order_relaxed);
}
`;
    const whole = passing('publish(&data, &flag);', load('acquire'), '#include "publish.h"\n');
    const alone = whole.replace(/ {2}atomic_store_explicit\(&data.*\n/, '');
    const cwd = await folderWith({ 'mp.c': alone, 'publish.h': header });
    const { code, stdout } = await fencewright(['fence', '--model', 'c11', 'mp.c'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('store of flag by sender at line 3 of publish.h: release instead of');
    expect(stdout).toContain('+  atomic_store_explicit(flag, 1, memory_order_release);');
    // The search has changed the orders of the header alone, and says so.
    const others = ['while (', 'assert('].map((part) => {
      return `line ${alone.slice(0, alone.indexOf(part)).split('\n').length} of mp.c`;
    });
    expect(stdout).toContain(`left out: the orders at ${others.join(' and ')}, since they cannot`);
  });

  // Store buffering: seq_cst at all four accesses is enough ([C++20] atomics.order, 4).
  const gate = `#include <atomic>
struct gate {
  std::atomic<int> open{1}, inside{0};
  int in() {
    inside.store(1, std::memory_order_release);
    return open.load(std::memory_order_acquire);
  }
  int shut() {
    open.store(0, std::memory_order_release);
    return inside.load(std::memory_order_acquire);
  }
};
`;
  const gateUsed = `#include "gate.hpp"
#include <cassert>
#include <thread>
gate g;
int main() {
  int in = 0, busy = 0;
  std::thread x([&] { in = g.in(); });
  std::thread y([&] { busy = g.shut(); });
  x.join();
  y.join();
  assert(!in || busy);
}
`;

  test('orders of std::atomic in a header of the project are written there', async () => {
    const cwd = await folderWith({ 'use.cpp': gateUsed, 'gate.hpp': gate });
    const { code, stdout } = await fencewright(['fence', '--model', 'c11', 'use.cpp'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('robust against C11 with 4 stronger orders, cost 0');
    const strong = gate.replaceAll(/memory_order_(?:release|acquire)/g, 'memory_order_seq_cst');
    for (const line of strong.split('\n').filter((each) => each.includes('seq_cst')))
      expect(stdout).toContain(`+${line}`);
  });

  test('orders in a linked file are left out, and the cheapest is so among the others', async () => {
    const apart = {
      'gate.hpp': gate.replaceAll(/\) \{\n[^}]*\}/g, ');'),
      'gate.cpp': `#include "gate.hpp"
int gate::in() {
  inside.store(1, std::memory_order_release);
  return open.load(std::memory_order_acquire);
}
int gate::shut() {
  open.store(0, std::memory_order_release);
  return inside.load(std::memory_order_acquire);
}
`,
      'use.cpp': gateUsed
        .replace('in = g.in();', 'in = g.in(); started.store(1, std::memory_order_relaxed);')
        .replace('busy = g', 'while (!started.load(std::memory_order_relaxed)) ; busy = g')
        .replace('gate g;', 'gate g;\nstd::atomic<int> started{0};'),
    };
    const cwd = await folderWith(apart);
    const asked = ['fence', '--model', 'c11', '--link', 'gate.cpp', 'use.cpp'];
    const { stdout } = await fencewright(asked, { cwd });
    expect(stdout).toContain('provably cheapest among the places in this text');
    expect(stdout).toMatch(/left out: the orders at line 3 of gate\.cpp/);
  });

  // The lock guards nothing, so weaker orders would suffice; but the library chooses its orders.
  test.each([
    [
      'no order of a library call is advice',
      'pthread_mutex_lock(&m); pthread_mutex_unlock(&m);',
      0,
    ],
    [
      'an order in a macro is advice',
      'LOOK(x); atomic_store_explicit(&x, 1, memory_order_relaxed);',
      65,
    ],
  ])('%s', async (_, statements, wanted) => {
    const text = `#include <pthread.h>
#include <stdatomic.h>
#define LOOK(v) atomic_load_explicit(&v, memory_order_acquire)
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int x;
static void *thread(void *unused) {
  ${statements}
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, thread, 0);
  pthread_create(&b, 0, thread, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;
    const cwd = await folderWith({ 'lock.c': text });
    const asked = ['fence', '--model', 'c11', '--minimise', 'lock.c'];
    const { code, stdout } = await fencewright(asked, { cwd });
    expect(code).toBe(wanted);
    if (wanted === 0) expect(stdout).toContain('no order can be weaker');
    else expect(stdout).toContain('line 7: relaxed instead of acquire');
  });

  // `own` belongs to one thread, `main` runs alone at both its ends, nobody calls `spare`, and an
  // operator has no operand for an order.
  test('weaker orders: the orders that are not asked about are told, and stay', async () => {
    const text = passing('atomic_store(&flag, 1);', 'atomic_load(&flag)')
      .replace('data, flag;', 'data, flag, own, before, sum;')
      .replace(
        '  return unused;',
        '  atomic_store_explicit(&own, 1, memory_order_release);\n  sum++;\n  return unused;',
      )
      .replace('int main', 'void spare(void) { atomic_store(&data, 2); }\nint main')
      .replace('pthread_t a', 'atomic_store(&before, 1);\n  pthread_t a')
      .replace('(b, 0);\n}', '(b, 0);\n  assert(atomic_load(&data) == 1);\n}');
    const lineOf = (part: string): number => text.slice(0, text.indexOf(part)).split('\n').length;
    const cwd = await folderWith({ 'mp.c': text });
    const asked = ['fence', '--model', 'c11', '--minimise', 'mp.c'];
    const { stdout } = await fencewright(asked, { cwd });
    const said = stdout.split('\n').filter((line) => line.includes('left out'));
    expect(said.map((line) => line.trim())).toEqual([
      `left out: the orders at line ${lineOf('sum++')}, since they cannot be rewritten: other orders there may allow cheaper ones elsewhere`,
      `left out: the orders at line ${lineOf('atomic_store(&before')} and line ${lineOf('assert(atomic_load(&data) ')}, where one thread runs alone, so that they order nothing`,
      `left out: the orders at line ${lineOf('void spare')}, since the search does not execute them`,
      `left out: the orders at line ${lineOf('atomic_store_explicit(&own')}, since no other thread accesses the cell, so that they order nothing`,
    ]);
    expect(stdout.match(/the code is used only as this main uses it/g)).toHaveLength(1);
    const json = await fencewright([...asked, '--json'], { cwd });
    const [{ orders }] = (
      JSON.parse(json.stdout) as {
        results: [
          { orders: { leftOut: { line: number; why: string }[]; changes: { lines: number[] }[] } },
        ];
      }
    ).results;
    const told = orders.leftOut.toSorted((one, other) => one.line - other.line);
    expect(told.map(({ line, why }) => `${line} ${why}`)).toEqual([
      `${lineOf('atomic_store_explicit(&own')} own-cell`,
      `${lineOf('sum++')} not-written`,
      `${lineOf('void spare')} not-executed`,
      `${lineOf('atomic_store(&before')} alone`,
      `${lineOf('assert(atomic_load(&data) ')} alone`,
    ]);
    const lines = orders.changes.map(({ lines: [line] }) => line);
    expect(lines).toEqual([lineOf('atomic_store(&flag'), lineOf('while')]);
  });
});
