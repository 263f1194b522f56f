import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allClangs, folderOfTests } from '../../../core/test/node/clang/clangs.js';
import { type Judgement, judge, type ModelJudgement } from './judge.js';
import { randomAssembly } from '../llvm-ir/random-assembly.js';
import { lookedAt, lookLine } from './random-text.js';

const clang = (await allClangs()).find(({ kind }) => kind === 'native');
const folder = folderOfTests();

/** Returns a program with these threads, which prints `observed` at the end. */
function programOf(
  declared: string,
  bodies: readonly string[],
  observed: readonly string[],
): string {
  const all = bodies.map((_, t) => t);
  return [
    ...['assert', 'pthread', 'semaphore', 'stdatomic', 'stdio', 'stdlib'].map(
      (name) => `#include <${name}.h>`,
    ),
    declared,
    ...bodies.map((body, t) => `void *f${t}(void *given) { ${body} return 0; }`),
    `int main(void) { pthread_t t[${bodies.length}];`,
    ...all.map((t) => `pthread_create(&t[${t}], 0, f${t}, 0);`),
    ...all.map((t) => `pthread_join(t[${t}], 0);`),
    `${lookLine(observed)} return 0; }`,
  ].join('\n');
}

function judgementOf(text: string, seed = 0): Judgement {
  writeFileSync(join(folder, 'p.c'), text);
  const flags = ['-w', '-O0', '-S', '-emit-llvm', join(folder, 'p.c'), '-o', join(folder, 'p.ll')];
  const { status, stderr } = spawnSync(clang!.command, flags);
  if (status !== 0) throw new Error(String(stderr));
  const judged = judge(readFileSync(join(folder, 'p.ll'), 'utf8'), {
    watched: [],
    maxStates: 100_000,
    seed,
  });
  if (judged.kind !== 'judged') throw new Error(judged.why);
  return judged;
}

const outcomes = ({ finals }: ModelJudgement): readonly string[] =>
  [...new Set(finals.map(({ output }) => lookedAt(output)!))].toSorted();

const cells = 'int x, y, z, a, b, c, d;';

/** Litmus tests of the literature, with their outcomes on x86-TSO. */
const shapes: readonly {
  readonly name: string;
  readonly bodies: readonly string[];
  readonly observed: readonly string[];
  readonly verdict: 'robust' | 'not-robust';
  /** The outcomes of the litmus test that are possible with store buffers only. */
  readonly added: readonly string[];
}[] = [
  {
    name: 'SB',
    bodies: ['x = 1; a = y;', 'y = 1; b = x;'],
    observed: ['a', 'b'],
    verdict: 'not-robust',
    added: ['0 0'],
  },
  {
    name: 'SB with fences',
    bodies: ['x = 1; __sync_synchronize(); a = y;', 'y = 1; __sync_synchronize(); b = x;'],
    observed: ['a', 'b'],
    verdict: 'robust',
    added: [],
  },
  {
    name: 'SB with one fence',
    bodies: ['x = 1; __sync_synchronize(); a = y;', 'y = 1; b = x;'],
    observed: ['a', 'b'],
    verdict: 'not-robust',
    added: ['0 0'],
  },
  {
    name: 'SB with exchanges',
    bodies: ['__sync_lock_test_and_set(&x, 1); a = y;', '__sync_lock_test_and_set(&y, 1); b = x;'],
    observed: ['a', 'b'],
    verdict: 'robust',
    added: [],
  },
  {
    name: 'SB with stores of order seq_cst',
    bodies: ['__atomic_store_n(&x, 1, 5); a = y;', '__atomic_store_n(&y, 1, 5); b = x;'],
    observed: ['a', 'b'],
    verdict: 'robust',
    added: [],
  },
  {
    name: 'MP',
    bodies: ['x = 1; y = 1;', 'a = y; b = x;'],
    observed: ['a', 'b'],
    verdict: 'robust',
    added: [],
  },
  {
    name: 'LB',
    bodies: ['a = x; y = 1;', 'b = y; x = 1;'],
    observed: ['a', 'b'],
    verdict: 'robust',
    added: [],
  },
  {
    name: '2+2W',
    bodies: ['x = 1; y = 2;', 'y = 1; x = 2;'],
    observed: ['x', 'y'],
    verdict: 'robust',
    added: [],
  },
  {
    name: 'S',
    bodies: ['x = 2; y = 1;', 'a = y; x = 1;'],
    observed: ['x', 'a'],
    verdict: 'robust',
    added: [],
  },
  {
    name: 'R',
    bodies: ['x = 1; y = 1;', 'y = 2; a = x;'],
    observed: ['y', 'a'],
    verdict: 'not-robust',
    added: ['2 0'],
  },
  {
    name: 'n6: an own store is read early',
    bodies: ['x = 1; a = x; b = y;', 'y = 2; x = 2;'],
    observed: ['x', 'a', 'b'],
    verdict: 'not-robust',
    added: ['1 1 0'],
  },
  {
    name: 'IRIW',
    bodies: ['x = 1;', 'y = 1;', 'a = x; b = y;', 'c = y; d = x;'],
    observed: ['a', 'b', 'c', 'd'],
    verdict: 'robust',
    added: [],
  },
  {
    name: 'WRC',
    bodies: ['x = 1;', 'a = x; y = 1;', 'b = y; c = x;'],
    observed: ['a', 'b', 'c'],
    verdict: 'robust',
    added: [],
  },
  {
    name: 'RWC: a cycle through three threads',
    bodies: ['x = 1;', 'a = x; b = y;', 'y = 1; c = x;'],
    observed: ['a', 'b', 'c'],
    verdict: 'not-robust',
    added: ['1 0 0'],
  },
  {
    name: 'a cycle that no final state shows',
    bodies: ['x = 1; if (y) ;', 'y = 1; if (x) ;'],
    observed: ['x', 'y'],
    verdict: 'not-robust',
    added: [],
  },
  {
    name: 'two delayed stores, each on the way of the other',
    bodies: ['x = 1; a = y;', 'y = 1; b = z;', 'z = 1; c = x;'],
    observed: ['a', 'b', 'c'],
    verdict: 'not-robust',
    added: ['0 0 0'],
  },
];

describe.skipIf(!clang)('the machine for LLVM IR', () => {
  test.each(shapes)('$name', ({ bodies, observed, verdict, added }) => {
    const judged = judgementOf(programOf(cells, bodies, observed));
    const sc = outcomes(judged.sc);
    expect(judged.verdict).toBe(verdict);
    expect(outcomes(judged.tso).filter((one) => !sc.includes(one))).toEqual(added);
    expect(sc.filter((one) => !outcomes(judged.tso).includes(one))).toEqual([]);
  });

  test('a byte is read from the store that has it, the others from memory', () => {
    const text = programOf(
      'union { int all; char part[4]; } u;',
      ['u.all = 0x01010101;', 'u.part[0] = 2;'],
      ['u.all'],
    );
    expect(outcomes(judgementOf(text).tso)).toEqual(
      [String(0x01010101), String(0x01010102)].toSorted(),
    );
  });

  test('an assertion that only store buffers break is in a line', () => {
    const text = programOf(
      'int x, y; _Atomic int lost;',
      ['x = 1; if (!y) lost++;', 'y = 1; if (!x && lost)\nassert(0);'],
      ['x'],
    );
    const { sc, tso } = judgementOf(text);
    expect([sc.assertions, tso.assertions]).toEqual([[], ['10']]);
  });

  test('a lock keeps its section, and a thread that waits for it for ever is stuck', () => {
    const own =
      'pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; int x;';
    const add = (one: string, other: string): string =>
      `pthread_mutex_lock(&${one}); pthread_mutex_lock(&${other}); x = x + 1; pthread_mutex_unlock(&${other}); pthread_mutex_unlock(&${one});`;
    const right = judgementOf(programOf(own, [add('m', 'n'), add('m', 'n')], ['x']));
    expect([outcomes(right.tso), right.tso.isStuck, right.verdict]).toEqual([
      ['2'],
      false,
      'robust',
    ]);
    expect(judgementOf(programOf(own, [add('m', 'n'), add('n', 'm')], ['x'])).sc.isStuck).toBe(
      true,
    );
  });

  test('taking a recursive mutex again, and giving it back but for the last time, is no fence', () => {
    const recursive = '{.__data = {.__kind = 1}}';
    const own = `pthread_mutex_t m = ${recursive}, n = ${recursive}; int x, y, r, s;`;
    const body = (mutex: string, store: string, load: string, between: string): string =>
      `pthread_mutex_lock(&${mutex}); ${store}; ${between} ${load}; pthread_mutex_unlock(&${mutex});`;
    const again = (mutex: string): string =>
      `pthread_mutex_lock(&${mutex}); pthread_mutex_unlock(&${mutex});`;
    const threads = (between: (mutex: string) => string): string[] => [
      body('m', 'x = 1', 'r = y', between('m')),
      body('n', 'y = 1', 's = x', between('n')),
    ];
    expect(judgementOf(programOf(own, threads(again), ['r', 's'])).verdict).toBe('not-robust');
    const others = 'pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER; ';
    const fenced = programOf(
      `${others}${own}`,
      threads(() => again('k')),
      ['r', 's'],
    );
    expect(judgementOf(fenced).verdict).toBe('robust');
  });

  test('what is not there is no memory', () => {
    const text = programOf(
      'struct s { int a[40]; int b; } whole, *p;',
      ['p = &whole;', 'p->b = 1;'],
      ['whole.b'],
    );
    const { sc } = judgementOf(text);
    expect([sc.faults, outcomes(sc)]).toEqual([['access outside all objects'], ['1']]);
  });

  test('a block that was given back may come again, at any seed of addresses', () => {
    const text = programOf(
      'int *_Atomic p; int same;',
      ['int *q = malloc(4); p = q; free(q); int *r = malloc(4); same = q == r;'],
      ['same'],
    );
    for (const seed of [0, 1, 2]) expect(outcomes(judgementOf(text, seed).sc)).toEqual(['0', '1']);
  });

  test.each([
    ['is given back', 'free(p);', 'not-robust'],
    ['is kept', '', 'robust'],
  ])('of a block that one thread alone knew and that %s, threads learn', (_, end, verdict) => {
    // The load of x returns 0 while x = 1 is buffered. If the block passed from one thread to the
    // other, the load comes after y = 1: then x = 1, a = y, y = 1, the block, b = x is a cycle.
    // Without the block no path leads from y = 1 to b = x.
    const text = programOf(
      cells,
      [
        'x = 1; a = y;',
        `y = 1; __sync_synchronize(); int *p = malloc(4); *p = 2; ${end}`,
        'int *q = malloc(4); b = x; free(q);',
      ],
      ['a', 'b'],
    );
    expect(judgementOf(text).verdict).toBe(verdict);
  });

  test('a block of zeros is one, whatever it held', () => {
    const text = programOf(
      '_Atomic int held, other;',
      [
        'int *p = malloc(4); *p = 2; free(p); int *q = calloc(1, 4); held = *q; free(q);',
        'int *p = calloc(1, 4); other = *p; *p = 3; free(p);',
      ],
      ['held', 'other'],
    );
    expect(outcomes(judgementOf(text).tso)).toEqual(['0 0']);
  });
});

describe.skipIf(!clang || process.arch !== 'x64')('assembly on the machine', () => {
  test.each([0, 1])('comes to what the processor comes to, seed %i', (seed) => {
    const { text, count } = randomAssembly(seed, 100);
    writeFileSync(join(folder, 'a.c'), `${text}int main(void) { run(); return 0; }\n`);
    writeFileSync(join(folder, 'n.c'), text);
    const run = (command: string, flags: readonly string[]): string => {
      const { status, stdout, stderr } = spawnSync(command, flags, { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
      return stdout;
    };
    const common = ['-w', '-mcx16'];
    const [ir, native] = [join(folder, 'a.ll'), join(folder, 'n')];
    run(clang!.command, [...common, '-O0', '-S', '-emit-llvm', join(folder, 'a.c'), '-o', ir]);
    run(clang!.command, [...common, '-O2', '-DMAIN', join(folder, 'n.c'), '-o', native]);
    const watched = Array.from({ length: count }, (_, i) => ({
      ...{ name: String(i), global: 'out', offset: 8 * i },
      ...{ size: 8 as const, isSigned: false },
    }));
    const judged = judge(readFileSync(ir, 'utf8'), { watched, maxStates: 1000 });
    const cells = judged.kind === 'judged' ? judged.tso.finals[0]?.cells : judged;
    const printed = run(native, []).trim().split('\n');
    expect(cells).toEqual(Object.fromEntries(printed.map((value, i) => [String(i), value])));
  });
});
