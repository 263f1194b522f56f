import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { inCampaign } from '../../../../../tools/random-runs.js';
import { folderOfTests } from './clangs.js';

const root = path.resolve(import.meta.dirname, '../../../../..');
const folder = folderOfTests();

/** Returns a program of about `lines` lines: functions with branches, which one thread calls. */
function programOf(lines: number): string {
  const functions = Array.from({ length: Math.ceil(lines / 21) }, (_, f) => f);
  const branch = (f: number) => (k: number) => `  if (s > ${k + (f % 7)}) {
    s = s - ${k + 1};
  } else {
    s = s + ${k + 2};
  }`;
  return `#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int sum;
${functions
  .map(
    (f) => `static int work${f}(int a) {
  int s = a;
${[0, 1, 2].map(branch(f)).join('\n')}
  return s;
}`,
  )
  .join('\n')}
static void *first(void *unused) {
  int r = 0;
${functions.map((f) => `  r = work${f}(r);`).join('\n')}
  sum = r;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  r = atomic_load_explicit(&y, memory_order_relaxed);
  return 0;
}
static void *second(void *unused) {
  atomic_store(&y, 1);
  int r = atomic_load(&x);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

/**
 * Returns how often blocks of this project's code run in a process that compiles and checks a
 * program in C, as V8 counts them: the same in every run, whatever the machine does besides.
 */
function blocksRun(lines: number): number {
  const file = path.join(folder, `l${lines}.c`);
  writeFileSync(file, programOf(lines));
  const counts = mkdtempSync(path.join(folder, 'counts-'));
  const script = path.join(import.meta.dirname, 'check-c-file.ts');
  const verdict = execFileSync(
    process.execPath,
    ['--import', 'tsx', '--conditions=source', script, file],
    { cwd: root, env: { ...process.env, NODE_V8_COVERAGE: counts }, encoding: 'utf8' },
  );
  expect(verdict).toBe('not-robust');
  const results = readdirSync(counts).flatMap(
    (name) => (JSON.parse(readFileSync(path.join(counts, name), 'utf8')) as Coverage).result,
  );
  rmSync(counts, { recursive: true });
  return results
    .filter(({ url }) => url.includes('/packages/'))
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
}

test.each([100, 1000, ...inCampaign<readonly number[]>([], [2500])])(
  'four times as many lines of C than %i run at most five times as many blocks',
  (lines) => {
    const few = blocksRun(lines);
    // A block at least for each line: what runs is counted.
    expect(few).toBeGreaterThan(100 * lines);
    expect(blocksRun(4 * lines)).toBeLessThanOrEqual(5 * few);
  },
);
