import { outsideShapes } from './c-outside-shapes.js';
import { processShapes } from './c-process-shapes.js';
import { type CShapeMaker, shape } from './c-shape.js';
import { Dice, type TextCell } from './random-text.js';

const plainCell: TextCell = {
  ...{ name: 'x', place: 'x', type: 'int' },
  ...{ isAtomic: false, isVolatile: false, hasAddress: true },
};

const pointedFunctions: CShapeMaker = (dice, cells) => {
  const [one, other] = [dice.pick(cells), dice.pick(cells)];
  return shape('b: table of functions with blocks', {
    declared: [
      `static int boxed(int v) { int *m = malloc(sizeof *m); *m = v; int got = *m + (int)${one.place}; free(m); return got & 3; }`,
      `static int stored(int v) { ${other.place} = v & 1; return v; }`,
      `static int (*${dice.pick(['const ', ''])}ops[2])(int) = {boxed, stored};`,
    ],
    statements: [['r = ops[0](1);'], ['s = ops[1](1);'], ['r = ops[s & 1](2);']],
  });
};

const callback: CShapeMaker = (dice, cells) => {
  const [one, other] = [dice.pick(cells), dice.pick(cells)];
  return shape('b: callback over a block', {
    declared: [
      'struct call { int value; int got; };',
      `static void looks(struct call *c) { c->got = (int)${one.place}; }`,
      `static void leaves(struct call *c) { ${other.place} = c->value; c->got = 1; }`,
      'static int with_block(void (*f)(struct call *), int v) {',
      'struct call *c = malloc(sizeof *c); c->value = v; f(c); int got = c->got; free(c); return got; }',
    ],
    statements: [
      ['r = with_block(looks, 1);'],
      ['s = with_block(leaves, 2);'],
      ['r = with_block(s ? looks : leaves, 1);'],
    ],
  });
};

const jobs: CShapeMaker = (dice, cells) => {
  const [one, other] = [dice.pick(cells), dice.pick(cells)];
  return shape('b: job table with reuse of blocks', {
    declared: [
      'struct work { int (*run)(struct work *); int value; };',
      '_Atomic(struct work *) posted;',
      `static int reads(struct work *w) { int got = (int)${one.place} + w->value; free(w); return got & 3; }`,
      `static int writes(struct work *w) { ${other.place} = w->value; int got = w->value; free(w); return got; }`,
      'static void post(int (*run)(struct work *), int v) {',
      'struct work *w = malloc(sizeof *w); w->run = run; w->value = v;',
      'struct work *old = atomic_exchange(&posted, w); if (old) free(old); }',
    ],
    statements: [
      ['post(reads, 1);'],
      ['post(writes, 2);'],
      ['{ struct work *w = atomic_exchange(&posted, (struct work *)0); if (w) r = w->run(w); }'],
    ],
  });
};

const hook: CShapeMaker = (dice, cells) => {
  const [one, other] = [dice.pick(cells), dice.pick(cells)];
  return shape('b: function in shared memory', {
    declared: [
      `static int early(int v) { return ((int)${one.place} + v) & 3; }`,
      `static int late(int v) { ${other.place} = v; return v; }`,
      '_Atomic(int (*)(int)) hook = early;',
    ],
    statements: [
      [`atomic_store_explicit(&hook, late, memory_order_${dice.pick(['relaxed', 'release'])});`],
      ['{ int (*f)(int) = atomic_load(&hook); r = f(1); }'],
      ['s = atomic_load(&hook) == late;'],
    ],
  });
};

const nothingThere: CShapeMaker = (dice) =>
  shape('c: null pointer with a field', {
    declared: [
      'struct large { char before[72]; int value; };',
      'static struct large whole;',
      '_Atomic(struct large *) where;',
    ],
    statements: [
      ['atomic_store_explicit(&where, &whole, memory_order_release);'],
      ['{ struct large *at = atomic_load(&where); r = at->value; }'],
      ['{ struct large *at = atomic_load(&where); if (at) at->value = 2; }'],
      ['{ struct large *at = atomic_load(&where); int *in = &at->value; if (at) s = *in; }'],
    ],
    observed: dice.chance(0.5) ? ['whole.value'] : [],
  });

const leaving: CShapeMaker = (dice, cells) => {
  const { place } = dice.pick(cells);
  return shape('c: pointer that leaves its object', {
    declared: ['int row[2] = {1, 2};', 'struct two { int a[2]; int b; } two;'],
    statements: [
      ['for (int *p = row; p != row + 2; p++) r += *p;'],
      [`{ int *p = row + ((int)${place} & 3); s = *p; }`],
      [`{ int *p = row + ((int)${place} & 1); *p = 3; }`],
      [`{ int *p = row + 2; p -= 1 + ((int)${place} & 1); s = *p; }`],
      [`two.a[(int)${place} & 1] = 1;`],
      ['r = *(&row[1] - 1);'],
    ],
    observed: ['row[0]', 'row[1]'],
  });
};

/**
 * Makes a stack whose pointer is in memory: both threads push and pop, or one pushes and one pops.
 */
const moving: CShapeMaker = (dice, cells) => {
  const { place } = dice.pick(cells);
  const qualifier = dice.pick(['', '_Atomic ', 'volatile ']);
  const push = dice.pick([
    ['*top = 1;', 'top = top + 1;'],
    [`{ int *at = top; top = at + 1; *at = (int)${place} & 1; }`],
    ['slots[count] = 2;', 'count = count + 1;'],
  ]);
  const pop = dice.pick([
    ['top = top - 1;', 'r = *top;'],
    ['{ int *at = top - 1; s = *at; top = at; }'],
    ['count = count - 1;', 's = slots[count];'],
  ]);
  return shape('c: pointer in memory that moves', {
    declared: [`int slots[8];`, `int *${qualifier}top = slots + 4;`, `${qualifier}int count = 4;`],
    ...(dice.chance(0.7) ? { of: [[push], [pop]] } : {}),
    statements: [dice.pick([push, pop]), ['r = (int)(top - slots);']].slice(
      dice.chance(0.6) ? 1 : 0,
    ),
    observed: dice.chance(0.5) ? ['slots[4]', 'slots[3]'] : ['slots[5]'],
  });
};

const marked: CShapeMaker = (dice) =>
  shape('f: address modulo 2', {
    declared: [
      '#include <stdint.h>',
      'struct item { int value; } item = {5};',
      '_Atomic(uintptr_t) link_to;',
    ],
    statements: [
      ['r = (int)((uintptr_t)&item % 2);'],
      [
        `atomic_store_explicit(&link_to, (uintptr_t)&item | 1, memory_order_${dice.pick(['relaxed', 'release'])});`,
      ],
      ['atomic_store_explicit(&link_to, (uintptr_t)&item, memory_order_relaxed);'],
      [
        '{ uintptr_t to = atomic_load(&link_to);',
        'if (to & 1) r = ((struct item *)(to & ~(uintptr_t)1))->value; else s = to != 0; }',
      ],
      ['{ uintptr_t to = atomic_load(&link_to); s = (int)(to % 2); }'],
      ['{ uintptr_t to = atomic_fetch_or(&link_to, 1); r = (int)(to & 1); }'],
    ],
  });

const compared: CShapeMaker = (dice) =>
  shape('f: comparison of addresses', {
    declared: ['int ones[3], others[3];', 'int *volatile at = ones;'],
    statements: [
      ['r = &ones[0] < &ones[2];'],
      ['at = ones + 2;'],
      ['at = others;'],
      ['s = at == ones;'],
      ['{ int *seen = at; r = seen == others ? 3 : (int)(seen - ones); }'],
      ...(dice.chance(0.15) ? [['s = (char *)ones < (char *)others;']] : []),
      ['{ int *seen = ones + (r & 1); s = seen >= ones + 1; }'],
    ],
  });

const striped: CShapeMaker = (dice) =>
  shape('f: stripe by a hash of an address', {
    declared: [
      '#include <stdint.h>',
      'struct slot { int value; int more; } lots[2];',
      `${dice.pick(['volatile int', '_Atomic(int)', 'int'])} stripes[2];`,
    ],
    statements: [
      [
        '{ struct slot *to = &lots[r & 1];',
        'stripes[((uintptr_t)to - (uintptr_t)lots) / sizeof *to] = 1; }',
      ],
      ['r = stripes[(&lots[1] - lots) & 1];'],
      ['s = stripes[0];'],
      ...(dice.chance(0.3) ? [['stripes[((uintptr_t)&lots[0] >> 4) % 2] = 2;']] : []),
    ],
    observed: ['stripes[0]', 'stripes[1]'],
  });

const owner: CShapeMaker = (dice, cells) => {
  const { place } = dice.pick(cells);
  return shape('g: pthread_self as owner', {
    declared: ['_Atomic unsigned long owner;', 'int held_by;'],
    statements: [
      ['if (owner == 0) owner = (unsigned long)pthread_self();'],
      ['r = owner == (unsigned long)pthread_self();'],
      ['s = owner != 0;'],
      [
        '{ unsigned long none = 0;',
        'if (atomic_compare_exchange_strong(&owner, &none, (unsigned long)pthread_self())) {',
        `${place} = 1;`,
        `atomic_store_explicit(&owner, 0, memory_order_${dice.pick(['relaxed', 'release'])}); }`,
        'else r = none == (unsigned long)pthread_self(); }',
      ],
    ],
    observed: dice.chance(0.5) ? ['owner != 0'] : [],
  });
};

const slept: CShapeMaker = (dice, cells) => {
  const { place } = dice.pick(cells);
  const order = dice.pick(['relaxed', 'release', 'seq_cst']);
  return shape('j: futex', {
    declared: [
      '#include <linux/futex.h>',
      '#include <sys/syscall.h>',
      '#include <unistd.h>',
      '_Atomic int word;',
    ],
    statements: [
      [`r = ${place} != 0;`],
      ['s = (int)syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1);'],
      ['s = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 7, (void *)0) != 0;'],
    ],
    of: [
      [
        [
          `atomic_store_explicit(&word, 1, memory_order_${order});`,
          `s = (int)syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, ${dice.pick([1, 2])});`,
        ],
      ],
      [
        [
          'while (atomic_load_explicit(&word, memory_order_acquire) == 0)',
          'syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, (void *)0);',
        ],
        ['r = (int)syscall(SYS_futex, &word, FUTEX_WAIT, 0, (void *)0);'],
      ],
    ],
    observed: ['word'],
  });
};

/** Makes a program part in which each thread keeps its result and prints the result. */
const printedOnce =
  (kind: string, print: (value: string) => string, seen: (value: string) => string): CShapeMaker =>
  (dice, cells) => {
    const expressions = [0, 1].map((t) => seen(`told${t}`));
    return shape(kind, {
      declared: ['int told0, told1;'],
      statements: [[`r = (int)${dice.pick(cells).place};`]],
      last: (t) =>
        t > 1 ? [] : [`told${t} = (r & 3) * 4 + (s & 3);`, print('(r & 3) * 4 + (s & 3)')],
      observed: expressions,
      named: Object.fromEntries(expressions.map((each, t) => [`printed by thread${t} #1`, each])),
    });
  };

const written: CShapeMaker = (dice, cells) =>
  shape('h: write', {
    declared: ['long write(int, const void *, unsigned long);'],
    statements: [
      [
        `r = (int)${dice.pick(cells).place};`,
        '{ char c = (char)(48 + (r & 3)); write(1, &c, 1); }',
      ],
    ],
  });

const own: CShapeMaker = (dice, cells) =>
  shape('h: global of one thread', {
    declared: ['int only0, only1;', 'struct { int a; short b; } part0, part1;'],
    statements: [[`s = (int)${dice.pick(cells).place};`]],
    last: (t) => (t > 1 ? [] : [`only${t} = r + 1;`, `part${t}.a = s;`, `if (r) part${t}.b = 2;`]),
    observed: [0, 1].flatMap((t) => [`only${t}`, `part${t}.a`, `part${t}.b`]),
    shown: [0, 1].flatMap((t) => [`only${t}`, `part${t}.a`, `part${t}.b`]),
  });

const arrays: CShapeMaker = (dice, cells) =>
  shape('h: array of one thread', {
    declared: ['int mine[2][3];'],
    statements: [[`r = (int)${dice.pick(cells).place};`]],
    last: (t) => (t > 1 ? [] : [`mine[${t}][r & 1] = s;`, `mine[${t}][2] = r;`]),
    observed: [0, 1].flatMap((t) => [0, 1, 2].map((i) => `mine[${t}][${i}]`)),
    shown: [0, 1].flatMap((t) => [0, 1, 2].map((i) => `mine[${t}][${i}]`)),
  });

const heap: CShapeMaker = (dice, cells) =>
  shape('h: heap of one thread', {
    declared: ['int *heap0, *heap1;'],
    starts: ['heap0 = calloc(2, sizeof(int)); heap1 = calloc(2, sizeof(int));'],
    statements: [[`r = (int)${dice.pick(cells).place};`]],
    last: (t) => (t > 1 ? [] : [`heap${t}[0] = r;`, `heap${t}[1] = s;`]),
    observed: [0, 1].flatMap((t) => [`heap${t}[0]`, `heap${t}[1]`]),
  });

const createdOnCondition: CShapeMaker = (dice, cells) => {
  const [one, other] = [dice.pick(cells), dice.pick(cells)];
  const create = 'pthread_t t; pthread_create(&t, 0, perhaps, 0); pthread_join(t, 0);';
  return shape('k: thread created on a condition', {
    declared: [
      'int left = 3;',
      `static void *perhaps(void *u) { left = (int)${one.place}; return 0; }`,
    ],
    statements: [[`if ((int)${other.place} == 0) { ${create} }`]],
    observed: ['left'],
  });
};

const common: readonly CShapeMaker[] = [
  ...outsideShapes,
  ...[pointedFunctions, callback, jobs, hook],
  ...[nothingThere, leaving, moving],
  ...[marked, compared, striped],
  ...[owner, slept],
  printedOnce(
    'h: printed values',
    (value) => `printf("%d\\n", ${value});`,
    (value) => value,
  ),
  printedOnce(
    'h: putchar',
    (value) => `putchar(48 + (${value}));`,
    (value) => `48 + (${value})`,
  ),
  ...[own, arrays, heap, createdOnCondition],
  ...processShapes,
];

/** All random parts of C programs; a part that always prints occurs half as often. */
export const cShapes: readonly CShapeMaker[] = [...common, ...common, written];

/** The kinds of all parts, independent of their random details. */
export const cShapeKinds: readonly string[] = [
  ...new Set(cShapes.map((make) => make(new Dice(0), [plainCell]).kind)),
];
