import { describe, expect, it } from 'vitest';
import { compileC } from '../../../core/src/node/compile-c.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { saidByTool } from '../ir-machine/said-by-tool.js';

const { clang, why } = await nativeClang();
const folder = folderOfTests();
/** The answers about a C program: verdict, assumptions, and final values of cells by machine. */
async function saidOf(text: string, cells: readonly string[] = []) {
  await writeFile(path.join(folder, 'program.c'), text);
  const compiled = await compileC(clang!, [{ file: 'program.c' }], { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
  const said = await saidByTool(compiled.modules, 'program.c', 300_000);
  if (said.kind !== 'said') throw new Error(said.why);
  const ends = [said.sc, said.tso].map(({ finals, knowsEnds }) => {
    expect(knowsEnds).toBe(true);
    const shown = finals.map((final) => cells.map((cell) => final.get(cell)).join(' '));
    return [...new Set(shown)].toSorted();
  });
  return { verdict: said.verdict, assumptions: said.assumptions, ends };
}

/**
 * A program with two rows of an array, which a thread fills and another reads, at an index that
 * depends on the order of the threads. `declared` gives the rows and `row`, an expression for the
 * row number `r`; `made` are statements of `main`.
 */
function rows(declared: string, made: string, row: string, isFenced: boolean): string {
  const fence = isFenced ? '__atomic_thread_fence(5);' : '';
  return `#include <pthread.h>
#include <stdlib.h>
${declared}
int x, y, out0, out1;
unsigned at, which;
static void *one(void *a) {
  unsigned r = which & 1, i = at;
  x = 1; ${fence}
  ${row}[i & 3] = y + 1;
  return 0;
}
static void *two(void *a) {
  y = 1; ${fence}
  which = 1; at = 2;
  unsigned r = which, i = at;
  out0 = ${row}[i] + 4 * x;
  return 0;
}
int main(void) {
  pthread_t p, q;
  ${made}
  pthread_create(&p, 0, one, 0); pthread_create(&q, 0, two, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  unsigned r = 1;
  out1 = ${row}[2];
  return 0;
}
`;
}

const direct = ['int table[2][4];', '', 'table[r]'] as const;
const loaded = [
  'struct ring { unsigned size; int data[]; }; struct ring *table[4];',
  'for (int k = 0; k < 2; k++) table[k] = calloc(1, sizeof(struct ring) + 4 * sizeof(int));',
  'table[r & 1]->data',
] as const;
const plain = [
  'int *volatile table[4];',
  'for (int k = 0; k < 2; k++) table[k] = calloc(4, sizeof(int));',
  'table[r & 1]',
] as const;

describe.runIf(clang)(`elements behind pointers that are loaded${why}`, () => {
  it.each([
    ['an array', plain],
    ['a flexible array', loaded],
  ])('are what elements of known arrays are: %s', async (_, [declared, made, row]) => {
    for (const isFenced of [false, true]) {
      const known = await saidOf(rows(...direct, isFenced), ['out0', 'out1']);
      const said = await saidOf(rows(declared, made, row, isFenced), ['out0', 'out1']);
      expect(said.verdict).toBe(known.verdict);
      expect(said.ends).toEqual(known.ends);
      expect(known.ends[0]!.length).toBeGreaterThan(1);
    }
  });

  it('may be written where a thread stores the pointer itself', async () => {
    // The second thread may see the first array, the second array, or none.
    const text = (store: string): string => `#include <pthread.h>
#include <stdlib.h>
int *_Atomic table; unsigned at; int out0;
static void *one(void *a) { int *fresh = calloc(8, sizeof(int)); fresh[5] = 7; ${store} return 0; }
static void *two(void *a) {
  at = 1; unsigned i = at * 4 + 1;
  int *seen = table;
  out0 = seen ? seen[i & (seen[0] + 7)] : 9;
  return 0;
}
int main(void) {
  pthread_t p, q; int *first = calloc(8, sizeof(int)); first[5] = 3; table = first;
  pthread_create(&p, 0, one, 0); pthread_create(&q, 0, two, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  return 0;
}
`;
    const { ends } = await saidOf(text('table = fresh;'), ['out0']);
    expect(ends).toEqual([
      ['3', '7'],
      ['3', '7'],
    ]);
    const cleared = await saidOf(text('table = 0;'), ['out0']);
    expect(cleared.ends).toEqual([
      ['3', '9'],
      ['3', '9'],
    ]);
  });
});

describe.runIf(clang)(`pointers that threads move${why}`, () => {
  /**
   * A program with two threads that take jobs from a table, and a thread that adds one job. `take`
   * and `add` are statements that move pointers or indices; `slots` is the length of the table.
   */
  function jobs(declared: string, take: string, add: string, slots: number): string {
    return `#include <pthread.h>
struct job { int (*run)(int); int by; };
static int add(int by) { return by + 1; }
static int twice(int by) { return 2 * by; }
struct job table[${slots}] = { { add, 3 }, { twice, 5 } };
${declared}
pthread_mutex_t mutex; int out0, out1;
static int work(void) {
  int result = -1;
  pthread_mutex_lock(&mutex);
  if (first != last) { ${take} result = job.run(job.by); }
  pthread_mutex_unlock(&mutex);
  return result;
}
static void *one(void *a) { out0 = work(); return 0; }
static void *two(void *a) { out1 = work(); return 0; }
static void *three(void *a) {
  pthread_mutex_lock(&mutex);
  ${add}
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t p, q, r;
  pthread_create(&p, 0, one, 0); pthread_create(&q, 0, two, 0); pthread_create(&r, 0, three, 0);
  pthread_join(p, 0); pthread_join(q, 0); pthread_join(r, 0);
  return 0;
}
`;
  }
  const moved = [
    'struct job *first = table, *last = table + 1;',
    'struct job job = *first; first++;',
    'last->run = twice; last->by = 4; ++last;',
  ] as const;
  const counted = [
    'int first = 0, last = 1;',
    'struct job job = table[first & 15]; first++;',
    'table[last & 15].run = twice; table[last & 15].by = 4; ++last;',
  ] as const;

  it.each([2, 16])('stay in their object, of %i elements, as indices do', async (slots) => {
    const reached = ['-1 4', '4 -1', '4 8', '8 4'];
    const said = await saidOf(jobs(...moved, slots), ['out0', 'out1']);
    expect(said.ends).toEqual([reached, reached]);
    const known = await saidOf(jobs(...counted, 16), ['out0', 'out1']);
    expect(said.ends).toEqual(known.ends);
    expect(said.verdict).toBe(known.verdict);
  });
});

describe.runIf(clang)(`blocks that a loop allocates${why}`, () => {
  it('have fields behind the first', async () => {
    const text = `#include <pthread.h>
#include <stdlib.h>
struct node { int value; int more; };
struct node *_Atomic last; int out0;
static void *one(void *a) {
  for (int i = 1; i < 4; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = i; node->more = 2 * i;
    last = node;
  }
  return 0;
}
static void *two(void *a) {
  struct node *node = last;
  out0 = node ? 10 * node->value + node->more : 0;
  return 0;
}
int main(void) {
  pthread_t p, q;
  pthread_create(&p, 0, one, 0); pthread_create(&q, 0, two, 0);
  pthread_join(p, 0); pthread_join(q, 0);
  return 0;
}
`;
    const { ends, verdict } = await saidOf(text, ['out0']);
    expect(ends).toEqual([
      ['0', '12', '24', '36'],
      ['0', '12', '24', '36'],
    ]);
    expect(verdict).toBe('robust');
  });
});

describe.runIf(clang)(`a long part of main behind its last join${why}`, () => {
  it('is left out, and the answer says so', async () => {
    const text = (times: number): string => `#include <pthread.h>
int x, y, r, cells[100];
static void *one(void *a) { x = 1; r = y; return 0; }
static void *two(void *a) { y = 1; cells[1] = x; return 0; }
static int added(int sum) {
  for (int k = 0; k < 100; k++) { sum += cells[k]; cells[k] = sum & 1; }
  return sum;
}
int main(void) {
  pthread_t p, q; int sum = 0;
  pthread_create(&p, 0, one, 0); pthread_create(&q, 0, two, 0);
  sum = x;
  pthread_join(p, 0); pthread_join(q, 0);
  ${'sum = added(sum); '.repeat(times)}
  return 0;
}
`;
    const short = await saidOf(text(1));
    expect(short.verdict).toBe('not-robust');
    expect(short.assumptions).toEqual([]);
    const long = await saidOf(text(40));
    expect(long.verdict).toBe('not-robust');
    expect(long.assumptions).toEqual([
      'main ends without a fault after its last join, and its outputs there follow from the final memory',
    ]);
  });
});
