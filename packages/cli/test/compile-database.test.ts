import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNeeded, why } from './needs-clang.js';

const app = `#include "queue.h"
#include <assert.h>
#include <pthread.h>
static void *one(void *a) { put(3); return 0; }
static void *two(void *a) { int v = get(); assert(v == 0 || v == WANTED); return 0; }
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, one, 0);
  pthread_create(&q, 0, two, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
}
`;

const queue = `#include "queue.h"
int twice(int);
static _Atomic int cell;
void put(int v) { cell = twice(v) + SIZE; }
int get(void) { return cell; }
`;

const entry = (file: string, flags: string) => ({
  ...{ directory: '.', file },
  command: `cc -Iinclude ${flags} -c ${file}`,
});

/** A project with a database that names `src/app.c`, `src/queue.c` and `src/twice.c`. */
async function project(isRepository: boolean, wanted = 10): Promise<string> {
  return folderWith({
    ...(isRepository && { '.git/HEAD': '' }),
    'include/queue.h': 'void put(int v);\nint get(void);\n',
    'src/app.c': app,
    'src/queue.c': queue,
    'src/twice.c': 'int twice(int v) { return 2 * v; }\n',
    'compile_commands.json': JSON.stringify([
      entry('src/app.c', `-DWANTED=${wanted}`),
      entry('src/queue.c', '-DSIZE=4'),
      entry('src/twice.c', ''),
      entry('src/more.c', ''),
    ]),
  });
}

const checked = (cwd: string, ...more: readonly string[]) =>
  fencewright(['check', 'src/app.c', ...more], { cwd });

describe.skipIf(!isNeeded)(`a database of the repository${why}`, () => {
  it('compiles the file, and links the only files that define what is missing', async () => {
    const run = await checked(await project(true));
    expect(run.stdout).toContain('holds on x86 as it stands');
    expect(run.stderr).toContain('with the settings of compile_commands.json');
    expect(run.stderr).toContain("linked with src/queue.c, which alone defines 'put'");
    expect(run.stderr).toContain("linked with src/twice.c, which alone defines 'twice'");
  });

  it('gives the linked files their own settings', async () => {
    const run = await checked(await project(true, 11));
    expect(run.stdout).toContain('is wrong even without store buffers');
  });

  it('is not looked for outside a repository', async () => {
    const run = await checked(await project(false));
    expect(run.stderr).toContain("'queue.h' file not found");
  });

  it('is not used if the user says so', async () => {
    const run = await checked(await project(true), '--compile-commands', 'none');
    expect(run.stderr).toContain("'queue.h' file not found");
  });

  it('links nothing if two files define a function', async () => {
    const cwd = await project(true);
    writeFileSync(path.join(cwd, 'src/more.c'), 'int twice(int v) { return 3 * v; }\n');
    const run = await checked(cwd);
    expect(run.code).toBe(65);
    expect(run.stderr).toContain("'twice' has no body and no model");
  });

  it('links no other program', async () => {
    const cwd = await project(true);
    const other = 'int twice(int v) { return 3 * v; }\nint main(void) { return 0; }\n';
    writeFileSync(path.join(cwd, 'src/more.c'), other);
    const run = await checked(cwd);
    expect(run.stdout).toContain('holds on x86 as it stands');
  });

  it('names headers of its folders like the program, from the working folder', async () => {
    const cwd = await folderWith({
      '.git/HEAD': '',
      'include/cells.h': `#include <stdatomic.h>
static atomic_int cell[2];
static int meet(int me) {
  atomic_store_explicit(&cell[me], 1, memory_order_release);
  return atomic_load_explicit(&cell[1 - me], memory_order_acquire);
}
`,
      'test/app.c': app
        .replace('queue.h', 'cells.h')
        .replace('put(3)', 'meet(0)')
        .replace(/int v = get.*?;.*?;/, 'meet(1);'),
      'compile_commands.json': JSON.stringify([entry('test/app.c', '')]),
    });
    const here = await fencewright(['check', 'test/app.c'], { cwd });
    expect(here.stdout).toContain(' in include/cells.h:\n');
    expect(here.stdout).not.toContain(cwd);
    // An editor finds headers by full names.
    const file = path.join(cwd, 'test/app.c');
    const there = await fencewright(['check', file], { cwd });
    expect(there.stdout).toContain(` in ${path.join(cwd, 'include/cells.h')}:\n`);
    const below = await fencewright(['check', 'app.c'], { cwd: path.join(cwd, 'test') });
    expect(below.stdout).toContain(` in ${path.join(cwd, 'include/cells.h')}:\n`);
  });
});
