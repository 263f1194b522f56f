import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNeeded, why } from './needs-clang.js';

/** Returns a function in IR that stores 1 to one variable and loads the other one. */
const thread = (
  name: string,
  stores: string,
  loads: string,
): string => `define ptr @${name}(ptr %u) {
  store atomic i32 1, ptr @${stores} release, align 4
  %v = load atomic i32, ptr @${loads} acquire, align 4
  ret ptr null
}
`;

/** IR whose `main` starts the threads `left` and `right` as C does. */
const main = `target triple = "x86_64-unknown-linux-gnu"
@x = global i32 0, align 4
@y = global i32 0, align 4
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
define i32 @main() {
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  %c = call i32 @pthread_create(ptr %a, ptr null, ptr @left, ptr null)
  %d = call i32 @pthread_create(ptr %b, ptr null, ptr @right, ptr null)
  %e = load i64, ptr %a, align 8
  %f = load i64, ptr %b, align 8
  %g = call i32 @pthread_join(i64 %e, ptr null)
  %h = call i32 @pthread_join(i64 %f, ptr null)
  ret i32 0
}
`;

/** The thread \`right\` in C. */
const rightInC = `#include <stdatomic.h>
extern atomic_int x, y;
int r;
void *right(void *u) { atomic_store(&y, 1); r = atomic_load(&x); return 0; }
`;

const files = {
  'whole.ll': `${main}${thread('left', 'x', 'y')}${thread('right', 'y', 'x')}`,
  'part.ll': `${main}${thread('left', 'x', 'y')}declare ptr @right(ptr)\n`,
  'right.ll': `@x = external global i32\n@y = external global i32\n${thread('right', 'y', 'x')}`,
  'right.c': rightInC,
  'left.c': `#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *right(void *);
void *left(void *u) {
  atomic_store_explicit(&x, 1, memory_order_release);
  return (void *)(long)atomic_load(&y);
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`,
};

describe.runIf(isNeeded)(`programs in LLVM IR, with clang${why}`, () => {
  // `left` delays its store past its load in each program; a fence in `right` alone is no repair.
  test.each([
    ['calls functions of the machine', ['whole.ll'], 10],
    ['is linked with IR', ['part.ll', '--link', 'right.ll'], 10],
    ['is linked with C', ['part.ll', '--link', 'right.c'], 10],
    ['is linked to C', ['left.c', '--link', 'right.ll'], 10],
    ['lacks a thread', ['part.ll'], 65],
  ])('the IR %s', async (_, args, code) => {
    const run = await fencewright(['check', ...args], { cwd: await folderWith(files) });
    expect(run).toMatchObject({ code });
    if (code === 65) expect(run.stderr).toContain('right.ll seems to define it: --link right.ll');
  });

  test('from standard input is read alike', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['check', '--from', 'llvm-ir', '-'], {
      cwd,
      input: files['whole.ll'],
    });
    expect(run).toMatchObject({ code: 10, stderr: '' });
  });

  test('places in linked IR have the name of its file', async () => {
    const cwd = await folderWith(files);
    const { stdout } = await fencewright(['check', 'left.c', '--link', 'right.ll'], { cwd });
    expect(stdout).toContain('right.ll:4  y ');
  });

  test('numbers of threads are heeded', async () => {
    const cwd = await folderWith(files);
    const { stdout } = await fencewright(['check', 'whole.ll', '--threads', 'left=3'], { cwd });
    expect(stdout).toContain('4 threads');
  });
});

test('without clang, the missing function and the missing clang are told', async () => {
  const cwd = await folderWith(files);
  const run = await fencewright(['check', '--clang', './none', 'whole.ll'], { cwd });
  expect(run).toMatchObject({ code: 65, stdout: '' });
  expect(run.stderr).toContain("'pthread_create' has no body and no model");
  expect(run.stderr).toContain('./none: there is no such program');
});
