import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/**
 * Text before each program: accesses wait until all threads have started, and then for a random
 * time, so that they interleave. `main` becomes a function that the runner calls.
 */
const before = `
#include <pthread.h>
#include <stdatomic.h>
extern void meet(void);
extern void start_all(void);
#define pthread_join(thread, value) (start_all(), (pthread_join)(thread, value))
#undef atomic_store_explicit
#define atomic_store_explicit(cell, value, order) (meet(), __atomic_store_n(cell, value, order))
#undef atomic_load_explicit
#define atomic_load_explicit(cell, order) (meet(), __atomic_load_n(cell, order))
#define main program
`;

/**
 * The text of the runner, a C program that runs the printed program repeatedly, in separate
 * processes that are killed if they hang.
 */
const runner = `
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static atomic_int started;
static unsigned round_seed;
static _Thread_local unsigned seed;
void start_all(void) { started = 1; }
void meet(void) {
  if (!seed) {
    seed = (round_seed ^ (unsigned)(size_t)&seed) | 1;
    while (!started) sched_yield();
  }
  unsigned n = rand_r(&seed) >> 8;
  if (n % 8 == 0) sched_yield();
  if (n % 4 == 1) for (volatile unsigned i = n / 8 % 400; i; i--) {}
}
int program(void);
int main(int argc, char **argv) {
  (void)argc;
  for (int i = atoi(argv[1]); i > 0; i--) {
    fflush(stdout);
    round_seed = (unsigned)i * 2654435761u;
    pid_t child = fork();
    if (child == 0) {
      struct itimerval limit = {{0, 0}, {0, 400000}};
      setitimer(ITIMER_REAL, &limit, 0);
      exit(program());
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("ends: %d\\n", status);
  }
  return 0;
}
`;

export const strict = ['-Wall', '-Wextra', '-Werror', '-O1', '-pthread'];

/** The outcome of a run: its final state, or another end. */
export type CRun =
  | {
      readonly kind: 'final';
      readonly values: ReadonlyMap<string, number>;
      readonly said: readonly string[];
    }
  /** The program waits for ever in the run. */
  | { readonly kind: 'blocked' }
  /** An assertion failed in the run, or the behaviour was undefined. */
  | { readonly kind: 'failed' };

/** Calls `use` with a temporary folder, and removes the folder afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fencewright-c-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const run = promisify(execFile);

/** Writes the files into a folder that `runText` needs. */
export async function prepare(folder: string): Promise<void> {
  await writeFile(path.join(folder, 'before.h'), before);
  await writeFile(path.join(folder, 'runner.c'), runner);
  await run('cc', ['-O1', '-c', 'runner.c'], { cwd: folder });
}

/** Compiles a text, expecting no warning, and runs the program `times` times. */
export async function runText(
  folder: string,
  text: string,
  times: number,
  flags: readonly string[] = [],
): Promise<readonly CRun[]> {
  await writeFile(path.join(folder, 'program.c'), text);
  const args = ['-include', 'before.h', 'program.c', 'runner.o', '-o', 'program'];
  await run('cc', [...strict, ...flags, ...args], { cwd: folder });
  const { stdout } = spawnSync('./program', [String(times)], { cwd: folder, encoding: 'utf8' });
  return stdout.split(/(?<=ends: \d+\n)/).map(toRun);
}

function toRun(text: string): CRun {
  const lines = text.trim().split('\n');
  const status = Number(/^ends: (\d+)$/.exec(lines.at(-1)!)![1]);
  // SIGALRM, and the exit status of a failing assumption.
  if (status === 14 || status === 3 << 8) return { kind: 'blocked' };
  if (status !== 0) return { kind: 'failed' };
  const pairs = lines.flatMap((line) => {
    const match = /^(\S+) = (-?\d+)$/.exec(line);
    return match ? [[match[1]!, Number(match[2])] as const] : [];
  });
  return { kind: 'final', values: new Map(pairs), said: lines };
}

/** Compiles texts without running them, and returns the compiler's messages. */
export async function compileTexts(
  compiler: string,
  texts: readonly string[],
  flags: readonly string[] = [],
): Promise<string> {
  return inFolder(async (folder) => {
    const names = texts.map((_, i) => `program${i}.c`);
    for (const [i, text] of texts.entries()) await writeFile(path.join(folder, names[i]!), text);
    const args = [...strict.filter((flag) => flag !== '-Werror'), ...flags, '-c', ...names];
    const { status, stderr } = spawnSync(compiler, args, { cwd: folder, encoding: 'utf8' });
    return `${stderr}${status === 0 ? '' : `status ${status}`}`;
  });
}
