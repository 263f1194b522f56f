import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { isNeeded, why } from './needs-clang.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Returns a C program with store buffering on two atomic integers named by `cells`. */
const storeBuffering = (cells: string, prepare: string): string => `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
${cells}
void *left(void *a) { atomic_store_explicit(x, 1, memory_order_relaxed); return (void *)(long)atomic_load(y); }
void *right(void *a) { atomic_store_explicit(y, 1, memory_order_relaxed); return (void *)(long)atomic_load(x); }
int main(void) {
  pthread_t a, b;
  ${prepare}
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
`;

const schema = JSON.parse(
  readFileSync(path.join(root, 'packages/cli/schema/result.schema.json'), 'utf8'),
) as object;

interface Told {
  readonly assumptions?: readonly { readonly name: string; readonly text: string }[];
}

describe.runIf(isNeeded)(`what a result takes for granted${why}`, () => {
  const allocating = storeBuffering(
    'atomic_int *x, *y;',
    'x = malloc(sizeof *x); y = malloc(sizeof *y); atomic_init(x, 0); atomic_init(y, 0);',
  );
  const plain = storeBuffering('atomic_int a, b, *x = &a, *y = &b;', '');
  const neverFails = { name: 'malloc', text: 'malloc never fails' };

  test.each(['check', 'explain', 'reach', 'fence', 'trf'])(
    '%s says in text and JSON that malloc never fails, of a program that calls it only',
    async (verb) => {
      const cwd = await folderWith({ 'allocating.c': allocating, 'plain.c': plain });
      const isValid = new Ajv2020().compile(schema);
      for (const [file, expected] of [
        ['allocating.c', [neverFails]],
        ['plain.c', undefined],
      ] as const) {
        const text = await fencewright([verb, file], { cwd });
        expect(text.stdout.split('assumes: malloc never fails')).toHaveLength(expected ? 2 : 1);
        const json = await fencewright([verb, '--json', file], { cwd });
        const document = JSON.parse(json.stdout) as { readonly results: readonly [Told] };
        expect(isValid(document), JSON.stringify(isValid.errors)).toBe(true);
        expect(document.results[0].assumptions).toEqual(expected);
      }
    },
  );

  test('a certificate carries what is assumed, and the verifier says it', async () => {
    const ordered = allocating.replaceAll('memory_order_relaxed', 'memory_order_seq_cst');
    const cwd = await folderWith({ 'a.c': ordered });
    const made = await fencewright(['check', '--certificate', 'p.json', 'a.c'], { cwd });
    expect(made.code).toBe(0);
    for (const about of [[], ['a.c']]) {
      const args = ['verify-certificate', 'p.json', ...about];
      const { code, stdout } = await fencewright(args, { cwd });
      expect([code, stdout]).toEqual([0, expect.stringContaining('assumes: malloc never fails\n')]);
      const pinned = await fencewright([...args, '--expect', 'assumptions=none'], { cwd });
      expect(pinned.code).toBe(10);
      expect(pinned.stdout).toContain('the certificate assumes: malloc never fails');
    }
  });

  test('--args and --assume say what comes from outside, and the result says so', async () => {
    const cwd = await folderWith({
      'argc.c': `int n;
${storeBuffering('atomic_int a, b, *x = &a, *y = &b;', 'if (n < 2) return 0;')}`.replace(
        'int main(void) {',
        'int main(int argc, char **argv) {\n  n = argc;',
      ),
    });
    const checked = async (...options: string[]) => {
      const { code, stdout } = await fencewright(['check', ...options, 'argc.c'], { cwd });
      return [code, /assumes: (argc .*)/.exec(stdout)?.[1]];
    };
    expect(await checked()).toEqual([10, undefined]);
    expect(await checked('--args', '1')).toEqual([0, 'argc is 1']);
    expect(await checked('--args', '2')).toEqual([10, 'argc is 2']);
    expect(await checked('--assume', 'argc=1..3')).toEqual([10, 'argc is 1 to 3']);
    for (const wrong of [
      ['--args', '0'],
      ['--args', '3..2'],
      ['--assume', 'weather=4'],
      ['--assume', 'malloc=4'],
      ['--assume', 'rand=-1'],
    ]) {
      const run = await fencewright(['check', ...wrong, 'argc.c'], { cwd });
      expect(run).toMatchObject({ code: 64, stdout: '' });
      expect(run.stderr).toMatch(/It has to be|can be said/);
    }
    const unknown = await fencewright(['check', '--assume', 'weather=4', 'argc.c'], { cwd });
    expect(unknown.stderr).toContain('hardware_concurrency');
    const accepted = await fencewright(['check', '--assume', 'malloc=succeeds', 'argc.c'], { cwd });
    expect(accepted.code).toBe(10);
  });

  test('what is supposed of memory that has ended is said where it may be used', async () => {
    // The other thread may load after the free, and after the end of the call.
    const freed = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
_Atomic(int *) shared;
void *reader(void *u) { int *p = atomic_load(&shared); return p && *p == 5 ? u : &shared; }
void *taker(void *u) { GIVE return 0; }
int main(void) {
  pthread_t a, b;
  int *five = malloc(sizeof *five);
  *five = 5;
  atomic_store(&shared, five);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, taker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;
    const local = `#include <pthread.h>
pthread_t a;
void *user(void *u) { *(int *)u = 4; return 0; }
PLACE
`;
    const files = {
      'freed.c': freed.replace('GIVE', 'free(atomic_exchange(&shared, 0));'),
      'kept.c': freed.replace('GIVE', 'atomic_store(&shared, 0);'),
      'null.c': freed.replace('GIVE', 'free(0);'),
      'local.c': local.replace(
        'PLACE',
        `void start(void) { int here = 2; pthread_create(&a, 0, user, &here); }
int main(void) { start(); pthread_join(a, 0); }`,
      ),
      'main.c': local.replace(
        'PLACE',
        'int main(void) { int here = 2; pthread_create(&a, 0, user, &here); pthread_join(a, 0); }',
      ),
    };
    const cwd = await folderWith(files);
    const assumed: Record<string, readonly string[]> = {};
    for (const file of Object.keys(files)) {
      const { stdout } = await fencewright(['check', '--json', file], { cwd });
      const { results } = JSON.parse(stdout) as { readonly results: readonly [Told] };
      assumed[file] = (results[0].assumptions ?? []).map(({ text }) => text);
    }
    expect(assumed).toEqual({
      'freed.c': [
        'freed memory keeps its contents until it is allocated again',
        'malloc never fails',
      ],
      'kept.c': ['malloc never fails'],
      'null.c': ['malloc never fails'],
      'local.c': ['locals keep their contents when their call ends'],
      'main.c': [],
    });
  });

  test('what is computed from the number of a thread is told, and tests for equality are not', async () => {
    const threadThat = (uses: string): string => `#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
atomic_int slot[8];
pthread_t owner;
static void give(pthread_t *to) { *to = pthread_self(); }
static pthread_t (*current)(void) = ${uses.includes('current') ? 'pthread_self' : '0'};
static unsigned long me(void) { return (unsigned long)pthread_self(); }
static int slotOf(unsigned long number) { return (int)(number >> 1 & 7); }
void *run(void *u) {
  ${uses}
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  ${uses === '' ? 'slot[t % 4] = 1;' : ''}
  pthread_join(t, 0);
}
`;
    const told = [
      'slot[pthread_self() % 8] = 1;',
      'slot[slotOf(me())] = 1;',
      'unsigned long mine = me(); if (mine > 1) slot[0] = 1;',
      'owner = pthread_self(); slot[owner & 7] = 1;',
      'slot[gettid() == 5 ? 0 : getpid()] = 1;',
      'switch (getpid()) { case 1: slot[0] = 1; }',
      'struct { int n; pthread_t id; } t; t.id = pthread_self(); slot[t.id % 4] = 1;',
      'slot[syscall(SYS_gettid) % 4] = 1;',
      'pthread_t (*who)(void) = pthread_self; slot[who() % 4] = 1;',
      'pthread_t t; give(&t); slot[t % 4] = 1;',
      // The number of the thread that `main` starts.
      '',
      'slot[current() % 4] = 1;',
      'pthread_t own = pthread_self(), t; __builtin_memcpy(&t, &own, sizeof t); slot[t % 4] = 1;',
      'pthread_t own = pthread_self(); slot[__atomic_exchange_n(&owner, own, 5) % 4] = 1;',
    ];
    const untold = [
      'if (owner != pthread_self()) owner = pthread_self();',
      'if (!pthread_equal(owner, me())) slot[1] = slot[0] + 1;',
    ];
    const files = [...told, ...untold];
    const cwd = await folderWith(
      Object.fromEntries(files.map((uses, i) => [`f${i}.c`, threadThat(uses)])),
    );
    const names = files.map((_, i) => `f${i}.c`);
    const { stdout } = await fencewright(['check', '--json', ...names], { cwd });
    const { results } = JSON.parse(stdout) as { readonly results: readonly Told[] };
    const said = results.map(({ assumptions = [] }) =>
      assumptions.some(({ name }) => name === 'thread numbers'),
    );
    expect(said).toEqual([...told.map(() => true), ...untold.map(() => false)]);
  });

  test('bytes that only copies touch are told where two threads may touch them', async () => {
    // Nothing but the copies accesses the fields, so that they are no cells of the program.
    const copying = (first: string, second: string): string => `#include <pthread.h>
#include <stdlib.h>
struct s { int a, b; } *p, *q;
void *left(void *u) { ${first} return 0; }
void *right(void *u) { ${second} return 0; }
int main(void) {
  pthread_t a, b;
  p = malloc(sizeof *p);
  q = malloc(sizeof *q);
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;
    const own = 'struct s *o = malloc(sizeof *o), *n = malloc(sizeof *n); *o = *n;';
    const files = {
      'both.c': copying('*p = *q; *p = *q;', '*q = *p;'),
      'apart.c': copying('*p = *q;', ''),
      'own.c': copying(own, own),
      'named.c': copying('*p = *q; p->a = p->b;', '*q = *p;'),
    };
    const cwd = await folderWith(files);
    const isAssumed: Record<string, boolean> = {};
    for (const file of Object.keys(files)) {
      const { stdout } = await fencewright(['check', '--json', file], { cwd });
      const { results } = JSON.parse(stdout) as { readonly results: readonly [Told] };
      isAssumed[file] = (results[0].assumptions ?? []).some(({ text }) =>
        text.includes('only copied'),
      );
    }
    expect(isAssumed).toEqual({
      'both.c': true,
      'apart.c': false,
      'own.c': false,
      'named.c': false,
    });
  });

  test('SARIF has it as a property of the file, a page in words', async () => {
    const cwd = await folderWith({ 'a.c': allocating });
    const { stdout } = await fencewright(['check', '--report', 'sarif=-', 'a.c'], { cwd });
    const log = JSON.parse(stdout) as {
      readonly runs: readonly [{ readonly artifacts: readonly [{ readonly properties: unknown }] }];
    };
    expect(log.runs[0].artifacts[0].properties).toEqual({ assumptions: [neverFails] });
    for (const verb of ['explain', 'reach']) {
      const { stdout: page } = await fencewright([verb, '--report', 'html=-', 'a.c'], { cwd });
      expect(page).toContain('<p class="file">assumes: malloc never fails</p>');
    }
  });
});
