import { expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

/** Store buffering: each thread stores, and keeps what it then reads of the other's variable. */
function storeBuffering(kept: string, a: string, b: string, last = 'return 0;'): string {
  return `#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
volatile int x, y;
${kept}
void *a(void *u) { x = 1; ${a} }
void *b(void *u) { y = 1; ${b} }
int main(void) {
  pthread_t s, w;
  ${last.startsWith('int') ? last : ''}
  pthread_create(&s, 0, a, ${last.startsWith('int') ? '&own[0]' : '0'});
  pthread_create(&w, 0, b, ${last.startsWith('int') ? '&own[1]' : '0'});
  pthread_join(s, 0);
  pthread_join(w, 0);
  ${last.startsWith('int') ? 'return own[0] + own[1];' : last}
}
`;
}

// Both threads may read 0 with store buffers only ([BDM13] Sect. 1).
test.each([
  ['globals', storeBuffering('int r[2];', 'r[0] = y; return 0;', 'r[1] = x; return 0;'), 'r[0]'],
  [
    'structures',
    storeBuffering(
      'struct { int seen; } s[2];',
      's[0].seen = y; return 0;',
      's[1].seen = x; return 0;',
    ),
    's[0].seen',
  ],
  [
    'what threads return',
    storeBuffering('', 'return y ? u : &x;', 'return x ? u : &x;'),
    'return of a',
  ],
  [
    'what threads print',
    storeBuffering('', 'printf("%d", y); return 0;', 'printf("%d", x); return 0;'),
    'printed by a #1',
  ],
  [
    'locals of main',
    storeBuffering('', '*(int *)u = y; return 0;', '*(int *)u = x; return 0;', 'int own[2];'),
    'own[0]',
  ],
])('results differ in %s', async (_, text, name) => {
  const cwd = await folderWith({ 'a.c': text });
  const run = await fencewright(['reach', 'a.c'], { cwd });
  expect(run.stdout).toContain('differs: ');
  expect(run.stdout).toContain(name);
  expect(run.code).toBe(10);
});

test('a local of a thread that nobody can see any more makes no difference', async () => {
  const text = storeBuffering('', 'int r = y; return 0;', 'int r = x; return 0;');
  const cwd = await folderWith({ 'a.c': text });
  const run = await fencewright(['reach', 'a.c'], { cwd });
  expect(run.stdout).toContain('stricter than needed: ');
  expect(run.code).toBe(0);
});

test('complete explorations say whether states differ, in one voice', async () => {
  // The counter is stored back, so that its values do not end by themselves.
  const text = `#include <pthread.h>
static volatile int tail, asleep, woken;
static void *p(void *u) { tail = tail + 1; if (asleep) woken = 1; return 0; }
static void *q(void *u) { asleep = 1; if (tail == 0) while (!woken) { } return 0; }
int main(void) {
  pthread_t s, w;
  pthread_create(&s, 0, p, 0);
  pthread_create(&w, 0, q, 0);
  pthread_join(s, 0);
  pthread_join(w, 0);
}
`;
  // Nobody wakes q; in b.c it waits for what is stored already.
  const cwd = await folderWith({ 'a.c': text, 'b.c': text.replace('!woken', '!tail') });
  const hangs = await fencewright(['reach', 'a.c'], { cwd });
  expect(hangs.code).toBe(10);
  expect(hangs.stdout).toMatch(/^a\.c is different under TSO: q waits for ever$/m);
  expect(hangs.stdout).toMatch(/p has ended, q is at line 4; tail = 1, asleep = 1, woken = 0/);
  const passes = await fencewright(['reach', 'b.c'], { cwd });
  expect(passes.stdout).toMatch(/passes through states of TSO alone, and ends in those of SC/);
  expect(passes.stdout).toMatch(/differs: .*q is at line 4, tail = 1, asleep = 1, woken = 0/);
  for (const { stdout } of [hangs, passes])
    expect(stdout).not.toMatch(/the same states|shows in none|domain/);
  const failing = await fencewright(['check', '--fail-on', 'hangs', 'a.c'], { cwd });
  expect(failing.stdout).toMatch(/^ +hangs: q waits for ever at line 4/m);
  const json = JSON.parse((await fencewright(['reach', '--json', 'a.c'], { cwd })).stdout) as {
    results: { hangs: { hangs: { threads: string[]; waiting: object[] }[] } }[];
  };
  const [hang] = json.results[0]!.hangs.hangs;
  expect(hang!.threads).toEqual(['q']);
  expect(hang!.waiting).toMatchObject([
    { thread: 'q', kind: 'waits', line: 4, reads: [{ cell: 'woken', value: 0 }] },
  ]);
});

test('cells of unsigned types are shown without a sign', async () => {
  const text = `#include <pthread.h>
static _Atomic unsigned char octet;
static _Atomic unsigned word;
static _Atomic signed char small;
static struct { char tag; _Atomic unsigned short half; } pair;
static void *t(void *u) { octet--; word--; small--; pair.half--; return u; }
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, t, 0);
  pthread_join(one, 0);
}
`;
  const cwd = await folderWith({ 'a.c': text });
  const { stdout } = await fencewright(['reach', 'a.c'], { cwd });
  for (const shown of ['octet = 255', 'word = 4294967295', 'small = -1', 'pair.half = 65535'])
    expect(stdout).toContain(shown);
  const json = (await fencewright(['reach', '--json', 'a.c'], { cwd })).stdout;
  expect(json).toContain('"word": 4294967295');
});
