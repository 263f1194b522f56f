import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from '../../../src/api/check.js';
import { fence } from '../../../src/api/fence.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { applyRepair } from '@fencewright/repairs/fences/apply-repair.js';
import type { Program } from '@fencewright/model/program/program.js';
import { singleRepairs } from '@fencewright/model/program/repair.js';
import { nativeClang } from './clangs.js';
import { readC, readMarked, withFences } from './marked-c.js';
import { usualCases } from '../../../../../tools/usual-cases.js';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));
const folder = path.join(root, 'examples/c');
const examples = readdirSync(folder)
  .filter((name) => /\.(c|cpp)$/.test(name))
  .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')] as const);

/** The examples whose texts with fences take longest to compile and check. */
const long = [
  ...['wait-queue.c', 'atomic-wait.cpp', 'tagged-stack.c', 'parker.c', 'chase-lev-fenced.c'],
  ...['futex-event.c', 'michael-scott-queue.c', 'chase-lev.c', 'work-stealing-membarrier.c'],
];

const main = `int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;
const head = '#include <pthread.h>\nvolatile int x, y, z;\n';

/** Small programs, each with one place in the text that becomes several places in the program. */
const small: readonly (readonly [string, string])[] = [
  [
    'a function that both threads call',
    `${head}static int swap(volatile int *mine, volatile int *other) {\n  *mine = 1;\n  return *other;\n}
void *left(void *u) { swap(&x, &y); return 0; }\nvoid *right(void *u) { swap(&y, &x); return 0; }\n${main}`,
  ],
  [
    'a function that is called twice',
    `${head}static void put(volatile int *p) { *p = 1; }
void *left(void *u) { put(&x); if (y) put(&z); return 0; }
void *right(void *u) { put(&y); if (x) z = 2; return 0; }\n${main}`,
  ],
  [
    'a loop with a condition',
    `${head}void *left(void *u) { int i; for (i = 0; i < 2 && !y; i++) x = i; return 0; }
void *right(void *u) { y = 1; while (x == 1 || z) ; return 0; }\n${main}`,
  ],
  [
    'bodies without braces',
    `${head}void *left(void *u) { x = 1; if (y) z = 1; else if (z) y = 0; return 0; }
void *right(void *u) { y = 1; int r = x ? z : 0; switch (r) { case 1: x = 0; default: ; } return 0; }\n${main}`,
  ],
  [
    'accesses in one expression, and operands',
    `${head}void *left(void *u) { x = 1, y ? (z = 1) : 0; return 0; }
void *right(void *u) { y = 1; return (void *)(long)(x && z); }\n${main}`,
  ],
  [
    'one function as both threads',
    `${head}void *left(void *u) { int me = u != 0; volatile int *p = me ? &x : &y, *q = me ? &y : &x;
  *p = 1; if (!*q) { z = me; *p = 0; } return 0; }\n${main.replaceAll('right, 0', 'left, (void *)1')}`,
  ],
  [
    'places in operands of macros',
    `${head}#define ONCE(c) if (c) { z = 1; }\n#define TWICE(s) s s
void *left(void *u) { x = 1; ONCE(y && z) return 0; }
void *right(void *u) { y = 1; TWICE({ int r = x; z = r; }) return 0; }\n${main}`,
  ],
];

const { clang, why } = await nativeClang();
const seed = randomSeed(20130705);
/** The number of random sets of fences for each program. */
const runs = randomRuns(6, 60, 2);

/** The number of texts with fences, by verdict. */
const seen = new Map<string, number>();

async function verdictOf(program: Program): Promise<string> {
  return (await check(program, { engine: 'search' })).verdict.kind;
}

describe.runIf(clang)(`places for fences in C${why}`, () => {
  test.each([...usualCases(examples, ([name]) => long.includes(name)), ...small])(
    '%s: a mark is what a fence there is',
    async (name, text) => {
      const file = name.endsWith('.cpp') ? 'program.cpp' : 'program.c';
      const { program, marked, editor } = await readMarked(clang!, file, text);
      expect(await verdictOf(program)).toBe(await verdictOf(await readC(clang!, file, text)));
      const repairs = editor.repairs!('fence');
      const markOf = (index: number): number => {
        const { repair } = repairs[index]!;
        if (repair.kind !== 'fence') return expect.fail();
        const { transitions } = program.threads[repair.thread]!;
        return transitions.find(({ from }) => from === repair.location)!.origin.mark!;
      };
      const random = new SeededRandom(seed);
      for (let run = 0; run < runs; run++) {
        const chosen = [...repairs.keys()].filter(() => random.below(4) === 0);
        const inText = await readC(clang!, file, withFences(text, marked, chosen.map(markOf)));
        const inProgram = applyRepair(
          program,
          chosen.map((index) => repairs[index]!.repair),
        );
        const verdict = await verdictOf(inText);
        expect(await verdictOf(inProgram), chosen.join()).toBe(verdict);
        seen.set(verdict, (seen.get(verdict) ?? 0) + 1);
      }
    },
  );

  test('texts with fences were of both sorts', () => {
    const both = Math.min(seen.get('robust') ?? 0, seen.get('not-robust') ?? 0);
    expect(both).toBeGreaterThan((20 / 6) * runs);
  });

  test.each([
    ...usualCases(small, ([name]) => /condition|without braces/.test(name)),
    ...usualCases(examples, ([name]) => name === 'parker.c').filter(([name]) =>
      /peterson|parker|hazard/.test(name),
    ),
  ])('%s: nothing cheaper in the text will do', async (_, text) => {
    const { program, marked, editor } = await readMarked(clang!, 'program.c', text);
    const { verdict } = await fence(program, { repairs: editor.repairs!('fence') });
    if (verdict.kind === 'found') {
      const { text: repaired } = editor.repair(
        verdict.repairs.flatMap((repair) => (repair.kind === 'fence' ? [repair] : [])),
        () => undefined,
      );
      expect(await verdictOf(await readC(clang!, 'program.c', repaired!))).toBe('robust');
    } else expect(verdict.kind).toBe('impossible');
    const cost = verdict.kind === 'found' ? verdict.cost : Infinity;
    const all = [...marked.points.keys()];
    const subsets = [
      [],
      ...all.map((a) => [a]),
      ...all.flatMap((a) => all.flatMap((b) => (a < b ? [[a, b]] : []))),
    ];
    const cheaper = cost === Infinity ? [all] : subsets.filter(({ length }) => length < cost);
    for (const set of cheaper)
      expect(
        await verdictOf(await readC(clang!, 'program.c', withFences(text, marked, set))),
        set.join(),
      ).toBe('not-robust');
  });

  test('the small programs have places that are several in the program', async () => {
    const counts = await Promise.all(
      small.map(async ([, text]) => {
        const { editor } = await readMarked(clang!, 'program.c', text);
        return editor.repairs!('fence').filter(({ repair }) => singleRepairs(repair).length > 1)
          .length;
      }),
    );
    expect(counts.filter((count) => count > 0).length).toBeGreaterThanOrEqual(3);
  });
});
