import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNeeded, why } from './needs-clang.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const main = `int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;

/** Store buffering in a function that both threads call. */
const shared = `#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int enter(atomic_int *mine, atomic_int *other) {
  atomic_store_explicit(mine, 1, memory_order_relaxed);
  return atomic_load_explicit(other, memory_order_relaxed);
}
static void *left(void *u) { enter(&x, &y); return u; }
static void *right(void *u) { enter(&y, &x); return u; }
${main}`;

/** Store buffering by `store` and `load`, with `header`. */
function buffering(header: string, cell: string, store: string, load: string): string {
  const thread = (name: string, mine: string, other: string): string =>
    `static void *${name}(void *u) {\n  int r;\n  ${store.replace('X', mine)}\n  r = ${load.replace('X', other)};\n  (void)r;\n  return u;\n}\n`;
  return `#include <pthread.h>\n${header}\nstatic ${cell} x, y;\n${thread('left', 'x', 'y')}${thread('right', 'y', 'x')}${main}`;
}

interface Fences {
  readonly verdict: string;
  readonly outcome: string;
  readonly cost?: number;
  readonly saving?: number;
  readonly diff?: string;
  readonly changed?: string;
  readonly fences?: readonly {
    line: number;
    file?: string;
    thread: string;
    also?: readonly object[];
  }[];
  readonly removable?: readonly { line: number }[];
  readonly diagnostics: readonly { message: string; hint?: string; severity: string }[];
}

async function fencesOf(cwd: string, ...args: string[]): Promise<Fences & { code: number }> {
  const { stdout, code } = await fencewright(['fence', '--json', ...args], { cwd });
  return { ...(JSON.parse(stdout) as { results: Fences[] }).results[0]!, code: code! };
}

/** Returns the lines that a diff adds or removes. */
function changes(diff = ''): readonly string[] {
  return diff.split('\n').filter((line) => /^[-+](?![-+])/.test(line));
}

describe.runIf(isNeeded)(`fences in C${why}`, () => {
  test('heavy fences are not written into C, and the hint says how to find them', async () => {
    const cwd = await folderWith({
      'a.c': readFileSync(new URL('../../../examples/c/peterson.c', import.meta.url), 'utf8'),
    });
    const run = await fencewright(['fence', '--repair', 'asymmetric', 'a.c'], { cwd });
    expect(run.code).toBe(65);
    expect(run.stderr).toMatch(
      /hint: convert the program \(fencewright convert --to native\), .* write membarrier by hand where the answer has a heavy fence: .*asymmetric\.md/,
    );
  });

  test('a place in a function that several threads call is one, and is told as one', async () => {
    const cwd = await folderWith({ 'a.c': shared });
    const { verdict, cost, fences, diff, code } = await fencesOf(cwd, 'a.c');
    expect({ verdict, cost, code }).toEqual({ verdict: 'not-robust', cost: 1, code: 0 });
    expect(fences).toMatchObject([{ line: 6, thread: 'left', also: [{ thread: 'right' }] }]);
    expect(changes(diff)).toEqual(['+  atomic_thread_fence(memory_order_seq_cst);']);
    const { stdout } = await fencewright(['fence', 'a.c'], { cwd });
    expect(stdout).toContain('1. left and right: a fence at line 6, cost 1');
    expect(stdout).toContain('Otherwise left delays its store of x at line 5');
  });

  test('profiles add up what the copies are executed', async () => {
    const cwd = await folderWith({ 'a.c': shared });
    const { cost } = await fencesOf(cwd, 'a.c', '--cost', 'profile', '--runs', '10');
    // Ten runs of two threads, plus one for each of the two places.
    expect(cost).toBe(2 * (10 + 1));
  });

  test.each([
    [
      '#include <stdatomic.h>',
      'atomic_int',
      'atomic_store_explicit(&X, 1, memory_order_release);',
      'atomic_load_explicit(&X, memory_order_acquire)',
      'atomic_thread_fence(memory_order_seq_cst);',
    ],
    ['#include <lkmm.h>', 'int', 'WRITE_ONCE(X, 1);', 'READ_ONCE(X)', 'smp_mb();'],
    ['', 'int', '__sync_lock_release(&X);', '*(volatile int *)&X', '__sync_synchronize();'],
    ['', 'volatile int', 'X = 1;', 'X', '__atomic_thread_fence(__ATOMIC_SEQ_CST);'],
  ])('are spelled as the file does it: %s %s', async (header, cell, store, load, fence) => {
    const text = buffering(header, cell, store, load);
    const cwd = await folderWith({ 'a.c': text });
    const run = await fencewright(['fence', 'a.c', '-o', 'b.c'], { cwd });
    expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
    const fenced = readFileSync(path.join(cwd, 'b.c'), 'utf8');
    expect(fenced.split('\n').filter((line) => line === `  ${fence}`)).toHaveLength(2);
    expect(fenced.replaceAll(`  ${fence}\n`, '')).toBe(text);
    expect((await fencewright(['check', 'b.c'], { cwd })).code).toBe(0);
    expect((await fencewright(['fence', 'b.c', '--minimise', '--write'], { cwd })).code).toBe(0);
    expect(readFileSync(path.join(cwd, 'b.c'), 'utf8')).toBe(fenced);
  });

  test('C++ is spelled as C++', async () => {
    const text = buffering(
      '#include <atomic>',
      'std::atomic<int>',
      'X.store(1, std::memory_order_release);',
      'X.load(std::memory_order_acquire)',
    );
    const cwd = await folderWith({ 'a.cpp': text });
    const fence = await fencesOf(cwd, 'a.cpp');
    const added = '+  std::atomic_thread_fence(std::memory_order_seq_cst);';
    expect(changes(fence.diff)).toEqual([added, added]);
    const { diff, cost } = await fencesOf(cwd, 'a.cpp', '--repair', 'xchg');
    expect(cost).toBe(2);
    expect(changes(diff)).toEqual([
      '-  x.store(1, std::memory_order_release);',
      '+  x.store(1, std::memory_order_seq_cst);',
      '-  y.store(1, std::memory_order_release);',
      '+  y.store(1, std::memory_order_seq_cst);',
    ]);
  });

  test('are written in place of the file, whose mode stays', async () => {
    const cwd = await folderWith({ 'a.c': `\ufeff${shared}`.replaceAll('\n', '\r\n') });
    const file = path.join(cwd, 'a.c');
    chmodSync(file, 0o640);
    expect((await fencewright(['fence', 'a.c', '--write'], { cwd })).code).toBe(0);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('\r\n  atomic_thread_fence(memory_order_seq_cst);\r\n');
    expect(text.startsWith('\ufeff#include')).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    const again = await fencesOf(cwd, 'a.c');
    expect(again).toMatchObject({ verdict: 'robust', cost: 0, code: 0 });
  });

  test('what is advised where commas join accesses compiles, and makes the program robust', async () => {
    const text = (macro: string, left: string): string => `#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
${macro}
static void *left(void *u) {
  int r;
  ${left}
  return u;
}
static void *right(void *u) {
  atomic_exchange(&y, 1);
  atomic_load_explicit(&x, memory_order_relaxed);
  return u;
}
${main}`;
    const store = 'atomic_store_explicit(&x, 1, memory_order_relaxed)';
    const load = 'r = atomic_load_explicit(&y, memory_order_relaxed)';
    // By the rules of the language: where commas are operators, and where statements begin.
    const cases: readonly (readonly [string, string, string])[] = [
      ['', `${store}, ${load};`, 'behind the comma before this place'],
      ['', `for (${store}, ${load}; r > 5;) {}`, 'behind the comma before this place'],
      ['', `if (r = 3, ${store}, ${load}) return 0;`, 'behind the comma before this place'],
      [`#define SET() ${store}\n#define BOTH() SET(), ${load}`, 'BOTH();', 'into the macro'],
    ];
    const written = 'atomic_thread_fence(memory_order_seq_cst),';
    for (const [macro, left, where] of cases) {
      const given = text(macro, left);
      const cwd = await folderWith({
        'a.c': given,
        'b.c': given.replace(`, ${load}`, `, ${written} ${load}`),
      });
      const told = await fencesOf(cwd, 'a.c');
      const hints = told.diagnostics.flatMap(({ hint = '' }) => hint);
      expect(hints.join()).toContain(`write ${written} ${where}`);
      expect((await fencesOf(cwd, 'b.c')).cost).toBe(0);
    }
    // Commas between arguments and between variables are no operators.
    const declared = text('', `int p = (${store}, 1), q = ${load};`);
    const cwd = await folderWith({ 'a.c': declared });
    const [split] = (await fencesOf(cwd, 'a.c')).diagnostics.filter(({ message }) =>
      message.startsWith('no statement begins'),
    );
    expect(split?.hint).toBe('split this statement into two');
  });

  test('a place within a macro is told, and nothing is written', async () => {
    const macro = `#include <pthread.h>\nstatic volatile int x, y;\n#define ENTER(mine, other) mine = 1; r = other;
static void *left(void *u) { int r; ENTER(x, y) return u; }
static void *right(void *u) { int r; ENTER(y, x) return u; }\n${main}`;
    const cwd = await folderWith({ 'macro.c': macro });
    const inMacro = await fencesOf(cwd, 'macro.c', '--write');
    expect(inMacro).toMatchObject({ verdict: 'not-robust', outcome: 'found', cost: 2, code: 65 });
    // What to write by hand, and where: with it the program is robust.
    const hint = `write ${fence} into the macro, or turn the macro into a function`;
    const told = { message: "the fence belongs in macro 'ENTER', line 3", hint };
    expect(inMacro.diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      told,
      told,
    ]);
    expect(readFileSync(path.join(cwd, 'macro.c'), 'utf8')).toBe(macro);
  });

  const fence = '__atomic_thread_fence(__ATOMIC_SEQ_CST);';
  const header = `static int enter(volatile int *mine, volatile int *other) {\r\n  *mine = 1;\r\n  return *other;\r\n}\r\n`;
  const fenced = header.replace('  return', `  ${fence}\r\n  return`);
  const user = `#include <pthread.h>\nstatic volatile int x, y;\n#include "enter.h"
static void *left(void *u) { enter(&x, &y); return u; }
static void *right(void *u) { enter(&y, &x); return u; }\n${main}`;

  test('a fence that belongs in a header of the project is written into it', async () => {
    const cwd = await folderWith({ 'test/user.c': user, 'include/enter.h': `\ufeff${header}` });
    const file = path.join(cwd, 'include/enter.h');
    chmodSync(file, 0o640);
    const shown = await fencesOf(cwd, 'test/user.c', '--', '-Iinclude');
    expect(shown).toMatchObject({ cost: 1, code: 0, changed: 'include/enter.h' });
    expect(shown.fences).toMatchObject([{ line: 3, file: 'include/enter.h' }]);
    expect(changes(shown.diff)).toEqual([`+  ${fence}\r`]);
    expect(readFileSync(file, 'utf8')).toBe(`\ufeff${header}`);
    const TMPDIR = await folderWith({});
    const run = await fencewright(['fence', '--write', 'test/user.c', '--', '-Iinclude'], {
      cwd,
      env: { TMPDIR },
    });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('a fence at line 3 of include/enter.h, called at line');
    expect(run.stdout).toContain('the change is written into include/enter.h, which may');
    expect(readFileSync(file, 'utf8')).toBe(`\ufeff${fenced}`);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readFileSync(path.join(cwd, 'test/user.c'), 'utf8')).toBe(user);
    expect(readdirSync(TMPDIR)).toEqual([]);
    const again = await fencesOf(cwd, 'test/user.c', '--', '-Iinclude');
    expect(again).toMatchObject({ verdict: 'robust', cost: 0, code: 0 });
  });

  test('a fence that belongs in a linked file is written into it', async () => {
    const declared = 'int enter(volatile int *mine, volatile int *other);\n';
    const linked = declared + header.replaceAll('\r', '').replace('static ', '');
    const cwd = await folderWith({ 'user.c': user, 'enter.h': declared, 'enter.c': linked });
    const told = await fencesOf(cwd, 'user.c', '--write', '--link', 'enter.c');
    expect(told).toMatchObject({ cost: 1, code: 0, changed: 'enter.c' });
    expect(readFileSync(path.join(cwd, 'enter.c'), 'utf8')).toBe(
      linked.replace('  return', `  ${fence}\n  return`),
    );
    expect(await fencesOf(cwd, 'user.c', '--link', 'enter.c')).toMatchObject({ cost: 0, code: 0 });
  });

  test('memory orders are written into a header of the project, too', async () => {
    const orders = `static void put(atomic_int *data, atomic_int *ready) {
  atomic_store_explicit(data, 1, memory_order_relaxed);
  atomic_store_explicit(ready, 1, memory_order_relaxed);
}
static int get(atomic_int *data, atomic_int *ready) {
  while (!atomic_load_explicit(ready, memory_order_acquire)) { }
  return atomic_load_explicit(data, memory_order_relaxed);
}
`;
    const program = user
      .replaceAll('volatile int', 'atomic_int')
      .replace('#include <pthread.h>', '#include <pthread.h>\n#include <stdatomic.h>')
      .replace('enter(&x, &y)', 'put(&x, &y)')
      .replace('enter(&y, &x)', 'get(&x, &y)');
    const cwd = await folderWith({ 'user.c': program, 'enter.h': orders });
    const told = await fencesOf(cwd, 'user.c', '--model', 'c11', '--write');
    expect(told).toMatchObject({ code: 0, changed: './enter.h' });
    expect(readFileSync(path.join(cwd, 'enter.h'), 'utf8')).toBe(
      orders.replace('ready, 1, memory_order_relaxed', 'ready, 1, memory_order_release'),
    );
  });

  test('a fence that belongs in a header of others, or in two files, is told only', async () => {
    const elsewhere = await folderWith({ 'enter.h': header });
    const cwd = await folderWith({
      'user.c': user,
      'both.c': user.replace('enter(&y, &x); return u;', 'y = 1; if (x) enter(&x, &y); return u;'),
    });
    const found = await fencesOf(cwd, 'user.c', '--write', '--', `-I${elsewhere}`);
    expect(found).toMatchObject({ verdict: 'not-robust', cost: 2, code: 65 });
    const errors = found.diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/belongs in .*enter\.h, line 3, called at line 4$/),
      expect.stringMatching(/belongs in .*enter\.h, line 3, called at line 5$/),
    ]);
    expect(errors[0]!.hint).toBe(
      `only the named file is edited: write ${fence} before the statement there, for all who include it`,
    );
    expect(readFileSync(path.join(elsewhere, 'enter.h'), 'utf8')).toBe(header);
    writeFileSync(path.join(cwd, 'enter.h'), header);
    const mixed = await fencesOf(cwd, 'both.c', '--write');
    expect(mixed.code).toBe(65);
    expect(readFileSync(path.join(cwd, 'enter.h'), 'utf8')).toBe(header);
    // Another name of the header would keep the old text.
    linkSync(path.join(cwd, 'enter.h'), path.join(cwd, 'other.h'));
    const refused = await fencewright(['fence', '--write', 'user.c'], { cwd });
    expect(refused.code).toBe(64);
    expect(refused.stderr).toContain('other names of the file (hard links)');
    expect(readFileSync(path.join(cwd, 'other.h'), 'utf8')).toBe(header);
  });

  test('the cheapest among the places in the text is called so where a macro has others', async () => {
    const threads = (set: string): string => `#include <pthread.h>
static volatile int x, y, w;
#define SET do { x = 1; int q = w; (void)q; } while (0)
static void *left(void *u) { ${set} int r = y; (void)r; return u; }
static void *right(void *u) { y = 1; int s = x; (void)s; w = 1; return u; }\n${main}`;
    const inText = threads('x = 1; int q = w; (void)q;');
    const cwd = await folderWith({ 'macro.c': threads('SET;'), 'text.c': inText });
    const told = await fencewright(['fence', 'macro.c'], { cwd });
    expect(told.stdout).toContain('provably cheapest among the places in this text: ');
    const all = await fencewright(['fence', 'text.c'], { cwd });
    expect(all.stdout).toContain('provably cheapest: ');
  });

  test('stores become exchanges where they have an order, and are named where they have none', async () => {
    const kernel = buffering('#include <lkmm.h>', 'int', 'WRITE_ONCE(X, 1);', 'READ_ONCE(X)');
    const plain = buffering('', 'volatile int', 'X = 1;', 'X');
    const cwd = await folderWith({ 'kernel.c': kernel, 'plain.c': plain });
    const { diff } = await fencesOf(cwd, 'kernel.c', '--repair', 'xchg');
    expect(changes(diff)).toEqual([
      '-  WRITE_ONCE(x, 1);',
      '+  smp_store_mb(x, 1);',
      '-  WRITE_ONCE(y, 1);',
      '+  smp_store_mb(y, 1);',
    ]);
    const none = await fencesOf(cwd, 'plain.c', '--repair', 'xchg');
    expect(none.code).toBe(65);
    expect(none.diff).toBeUndefined();
    expect(none.diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      { hint: expect.stringContaining('__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST)') as string },
      { hint: expect.stringContaining('__atomic_store_n(&y, 1, __ATOMIC_SEQ_CST)') as string },
    ]);
    const any = await fencesOf(cwd, 'plain.c', '--repair', 'any');
    expect(any).toMatchObject({ cost: 2, code: 0 });
  });

  test('what is not needed goes, and what can be weaker is', async () => {
    const text = `#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void full(void) {
  atomic_thread_fence(memory_order_seq_cst);
}
static void *left(void *u) {
  x = 1;
  full();
  if (atomic_load(&y))
    __sync_synchronize();
  return u;
}
static void *right(void *u) {
  atomic_store(&y, 1);
  full();
  (void)atomic_load(&x);
  return u;
}
${main}`;
    const cwd = await folderWith({ 'a.c': text });
    const fencesOnly = await fencesOf(cwd, 'a.c', '--minimise');
    // With the given stores no fence is needed: each call of the barrier function is a fence.
    expect(fencesOnly).toMatchObject({ verdict: 'robust', cost: 0, saving: 3, code: 0 });
    expect(changes(fencesOnly.diff)).toEqual([
      '-  full();',
      '-    __sync_synchronize();',
      '+    ;',
      '-  full();',
    ]);
    const all = ['a.c', '--minimise', '--locked-stores', '--write', '--certificate', 'p.json'];
    const run = await fencewright(['fence', ...all], { cwd });
    expect(run.code).toBe(0);
    const note = 'the certificate is about a.c before the change';
    expect(run.stdout).toContain(note);
    const verified = await fencewright(['verify-certificate', 'p.json', 'a.c'], { cwd });
    expect(verified.code).toBe(10);
    const after = readFileSync(path.join(cwd, 'a.c'), 'utf8');
    expect(after).toContain('  atomic_store_explicit(&x, 1, memory_order_release);\n  full();');
    expect(after).toContain('  atomic_store_explicit(&y, 1, memory_order_release);\n  full();');
    expect((await fencewright(['check', 'a.c'], { cwd })).code).toBe(0);
    expect(await fencesOf(cwd, 'a.c', '--minimise', '--locked-stores')).toMatchObject({
      cost: 2,
      removable: [],
    });
  });

  test('each call of a function that only fences is a fence', async () => {
    const text = `#include <pthread.h>
#include "barrier.h"
static volatile int x, y, r, s;
static void mb(void) { __asm__ __volatile__("mfence" ::: "memory"); }
static inline void full_barrier() { mb(); }
#define BARRIER() __sync_synchronize()
static void counted(void) { r = 1; __sync_synchronize(); }
static void *left(void *u) {
  mb();
  x = 1;
  full_barrier();
  r = y;
  BARRIER();
  in_header();
  return u;
}
static void *right(void *u) {
  full_barrier();
  y = 1;
  mb();
  s = x;
  counted();
  return u;
}
${main}`;
    const header = 'static void in_header(void) { __sync_synchronize(); }\n';
    const cwd = await folderWith({ 'a.c': text, 'barrier.h': header });
    const found = await fencesOf(cwd, 'a.c', '--minimise');
    // Only the fences between the store and the load of each thread remain.
    expect(found).toMatchObject({ verdict: 'robust', cost: 2, saving: 5, code: 0 });
    expect(changes(found.diff)).toEqual([
      '-static void counted(void) { r = 1; __sync_synchronize(); }',
      '+static void counted(void) { r = 1; }',
      '-  mb();',
      '-  BARRIER();',
      '-  in_header();',
      '-  full_barrier();',
    ]);
  });

  /** Mutual exclusion that needs a fence in the condition of its loop, or two fences. */
  const inCondition = (barrier: string): string => `#include <assert.h>
#include <pthread.h>
${barrier}
volatile int flag[2];
int in;
static void *run(void *p) {
  int i = p != 0;
  flag[i] = 1;
  while (flag[!i]) {
    flag[i] = 0;
    flag[i] = 1;
  }
  in++;
  assert(in == 1);
  in--;
  flag[i] = 0;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, (void *)0);
  pthread_create(&b, 0, run, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;

  const assembly = '__asm__ __volatile__("mfence" ::: "memory")';

  test.each([
    ['in the file', `#define smp_mb() ${assembly}`],
    // The text of the macro is in a header that the edit does not read.
    ['in a folder of headers', '#include <barrier.h>\n#define smp_mb() mb()'],
  ])('a macro that is a statement is not written into a condition: %s', async (_, barrier) => {
    const cwd = await folderWith({ 'a.c': inCondition(barrier) });
    mkdirSync(path.join(cwd, 'include'));
    writeFileSync(path.join(cwd, 'include/barrier.h'), `#define mb() ${assembly}\n`);
    const forClang = ['--', '-Iinclude'];
    const run = await fencewright(['fence', '--write', 'a.c', ...forClang], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining('FW5001') as string });
    const text = readFileSync(path.join(cwd, 'a.c'), 'utf8');
    expect(text).toContain('while ((__atomic_thread_fence(__ATOMIC_SEQ_CST), flag[!i])) {');
    expect((await fencewright(['check', 'a.c', ...forClang], { cwd })).code).toBe(0);
  });

  test('an edit that does not compile is said to be a fault of the tool, and is shown', async () => {
    const text = inCondition('#define __atomic_thread_fence(order) oops oops');
    const cwd = await folderWith({ 'a.c': text });
    const run = await fencewright(['fence', '--write', 'a.c'], { cwd });
    expect(run.code).toBe(70);
    expect(run.stderr).toContain('error FW5010: Fencewright put fences here');
    expect(run.stderr).toContain('while ((__atomic_thread_fence(__ATOMIC_SEQ_CST), flag[!i])) {');
    expect(run.stderr).not.toContain('if the build defines it');
    expect(readFileSync(path.join(cwd, 'a.c'), 'utf8')).toBe(text);
  });

  test('each call of a barrier function of a header is a fence, and the header stays', async () => {
    const text = `#include <pthread.h>
#include "lib/ring.h"
static volatile int x, y, r, s;
static void *left(void *u) {
  ring_mb();
  x = 1;
  ring_mb();
  r = y;
  FULL();
  counted(&r);
  return u;
}
static void *right(void *u) {
  y = 1;
  FULL();
  s = x;
  COUNTED();
  return u;
}
${main}`;
    const files = {
      'ring.h': `#include "barrier.h"
static inline void ring_mb(void) { barrier_mb(); }
static void counted(volatile int *count) { *count += 1; barrier_mb(); }
`,
      'barrier.h': `static inline void barrier_mb(void) { __sync_synchronize(); }
#define FULL() \\
  __sync_synchronize()
#ifdef NEVER
#define COUNTED() __sync_synchronize()
#else
#define COUNTED() (s++, __sync_synchronize())
#endif
`,
    };
    const cwd = await folderWith({ 'a.c': text });
    mkdirSync(path.join(cwd, 'lib'));
    for (const [name, content] of Object.entries(files))
      writeFileSync(path.join(cwd, 'lib', name), content);
    const found = await fencesOf(cwd, 'a.c', '--minimise');
    // A function or macro that does more than fence is no item: the one that counts, and the macro.
    expect(found).toMatchObject({ verdict: 'robust', cost: 2, saving: 2, code: 0 });
    expect(changes(found.diff)).toEqual(['-  ring_mb();', '-  FULL();']);
  });

  test('the proof is about the places of the text', async () => {
    const cwd = await folderWith({ 'a.c': shared, 'b.c': shared.replace('*other', '*another') });
    const file = path.join(cwd, 'p.json');
    await fencewright(['fence', 'a.c', '--certificate', 'p.json'], { cwd });
    const run = await fencewright(['verify-certificate', 'p.json', 'a.c'], { cwd });
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('p.json holds for a.c')]);
    // Without the text, the verifier cannot know that two places of the program are one of the
    // text.
    const alone = await fencewright(['verify-certificate', 'p.json'], { cwd });
    expect(alone.code).toBe(5);
    expect(alone.stdout).toContain('that repairs at several places of the program are one place');
    expect((JSON.parse(readFileSync(file, 'utf8')) as { cost: number }).cost).toBe(1);
  });

  test('several fences that go from one line take it with them', async () => {
    const fences = '  __sync_synchronize(); __sync_synchronize(); // twice\n';
    const text = `#include <pthread.h>
static int x, y;
static void *left(void *u) {
  __atomic_store_n(&x, 1, __ATOMIC_RELEASE);
${fences}  return u;
}
static void *right(void *u) {
  __atomic_store_n(&y, 1, __ATOMIC_RELEASE);
  return u;
}
${main}`;
    const cwd = await folderWith({ 'a.c': text });
    const run = await fencewright(['fence', 'a.c', '--minimise', '--write'], { cwd });
    expect(run.code).toBe(0);
    expect(readFileSync(path.join(cwd, 'a.c'), 'utf8')).toBe(text.replace(fences, ''));
  });

  test('the program of a proof is compiled as fence had it compiled', async () => {
    const folder = await folderWith({ 'flags.h': '#ifndef WANTED\n#error no\n#endif\n' });
    const cwd = await folderWith({
      'a.c': `#include "flags.h"\n${shared}extern int nothing;\nint *unused = &nothing;\n`,
      'b.c': 'int nothing;\n',
    });
    const how = ['--link', 'b.c', '--', `-I${folder}`, '-DWANTED=1', '-std=gnu17'];
    const made = await fencewright(['fence', 'a.c', '--certificate', 'p.json', ...how], { cwd });
    expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    const run = await fencewright(['verify-certificate', 'p.json', 'a.c', ...how], { cwd });
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('p.json holds for a.c')]);
    const without = await fencewright(['verify-certificate', 'p.json', 'a.c'], { cwd });
    expect(without.code).toBe(65);
    const wrong = ['--clang', 'no-such-clang', ...how, '-Dtrue='];
    const failed = await fencewright(['verify-certificate', 'p.json', 'a.c', ...wrong], { cwd });
    expect([failed.code, failed.stderr]).toEqual([65, expect.stringContaining('no-such-clang')]);
  });

  test.each([
    '_Static_assert(sizeof(int) == 4 && sizeof(char) == 1, "sizes");',
    'enum { one = 1 && 1, two = 2 };',
    'static int known[2 > 1 ? 4 : 2]; known[0] = 1;',
    'int known[2 > 1 ? 4 : 2]; known[0] = 1;',
  ])('places where a mark would change what is compiled are left out: %s', async (line) => {
    const body = `{\n  ${line}\n  enter(&x, &y);\n  return u;\n}`;
    const cwd = await folderWith({ 'a.c': shared.replace('{ enter(&x, &y); return u; }', body) });
    const { code, diff } = await fencesOf(cwd, 'a.c');
    expect(code).toBe(0);
    expect(changes(diff)).toEqual(['+  atomic_thread_fence(memory_order_seq_cst);']);
  });

  test('the page of explain has the same places', async () => {
    const cwd = await folderWith({ 'a.c': shared });
    const run = await fencewright(['explain', 'a.c', '--report', 'html=a.html'], { cwd });
    expect(run.code).toBe(10);
    const page = readFileSync(path.join(cwd, 'a.html'), 'utf8').replaceAll(/\s+/g, ' ');
    expect(page).toContain('1 fence of cost 1');
    expect(page).toContain('<strong>left and right</strong>: a fence at line 6.');
    expect(page).toContain('Otherwise left delays its store of x at line 5');
  });

  test('the report in the README is the one that fence prints', async () => {
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
    const [, block = ''] =
      /^\$ fencewright fence (?:examples\/c\/\S+)\n([^`]*)```/m.exec(readme) ?? [];
    const { stdout } = await fencewright(['fence', 'examples/c/chase-lev.c'], { cwd: root });
    const settled = (text: string): string => text.replace(/[\d,.]+ states? in [\d,.]+ ms/, '');
    expect(block.split('\n').length).toBeGreaterThan(15);
    expect(settled(block)).toBe(settled(stdout));
  });
});

test.runIf(isNeeded)(
  `a use of freed memory that fences for assertions leave comes first${why}`,
  async () => {
    // Without a fence behind the store of hazard, the load of shared may come before the store.
    const text = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static int *_Atomic shared;
static int *_Atomic hazard;
static void *reader(void *p) {
  int *n = atomic_load_explicit(&shared, memory_order_relaxed);
  if (!n) return p;
  atomic_store_explicit(&hazard, n, memory_order_relaxed);
  if (atomic_load_explicit(&shared, memory_order_relaxed) == n) assert(*n == 1);
  return p;
}
static void *writer(void *p) {
  int *n = atomic_exchange(&shared, 0);
  if (atomic_load_explicit(&hazard, memory_order_relaxed) != n) free(n);
  return p;
}
int main(void) {
  int *n = malloc(sizeof *n);
  if (!n) return 0;
  *n = 1;
  shared = n;
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;
    const cwd = await folderWith({ 'a.c': text });
    const run = await fencewright(['fence', '--for', 'assertions', 'a.c'], { cwd });
    const [first, second] = run.stdout.split('\n');
    expect(first).toMatch(
      /^a\.c uses freed memory on x86, and does not without store buffers: reader /,
    );
    expect(second).toMatch(
      /^ {2}apart from that, it needs no fence: all assertions hold under TSO/,
    );
    // Fences for robustness leave no use.
    const robust = await fencewright(['fence', 'a.c'], { cwd });
    expect(robust.stdout).toMatch(/^a\.c becomes robust with 1 fence/);
  },
);
