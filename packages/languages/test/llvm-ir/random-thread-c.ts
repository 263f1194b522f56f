import { diceOf } from './dice.js';

const types = [
  'signed char',
  'unsigned char',
  'short',
  'unsigned short',
  'int',
  'unsigned',
  '_Bool',
] as const;

/** The length of the array `out`. */
export const outputs = 4;

/**
 * Returns a C program whose `run()` fills `int out[4]`, without undefined behaviour and without
 * numbers of more than 32 bits. Features: nested loops with `break`, `continue` and `goto`;
 * `switch` that falls through; pointers that change; computed indices and callees; several returns;
 * structures of all sizes passed and returned by value; no recursion. The inputs are in `in`, which
 * an analysis cannot take to be constant. With `MAIN`, the program prints `out`; with `THREAD`,
 * `main` starts `run` as a thread; with neither the program has no `main`.
 */
export function randomThreadC(seed: number): string {
  const { below, pick } = diceOf(seed);
  let depth = 0;
  let loops = 0;
  let labels = 0;

  const narrow = (): string =>
    pick([
      `v${below(types.length)}`,
      `s.f${below(types.length)}`,
      `a[${below(3)}].f${below(types.length)}`,
      `q->f${below(types.length)}`,
      `a[${below(3)}].in.g${below(2)}`,
      `s.b${below(2)}`,
      `u.half[${below(2)}]`,
      `g${below(2)}`,
      'p[0]',
      '(*pv)',
    ]);
  const leaf = (): string => {
    switch (below(5)) {
      case 0:
        return pick(['0', '1', '-1', '7', '255', '-128', '65535', '2147483647', '0x80000000u']);
      case 1:
        return `in[${below(4)}]`;
      case 2:
        return depth > 0 ? `i${below(depth)}` : narrow();
      default:
        return narrow();
    }
  };
  const index = (size: number): string =>
    below(3) === 0 ? `${below(size)}` : `(unsigned)(${expression(1)}) % ${size}`;
  const expression = (size: number): string => {
    if (size <= 0) return leaf();
    const l = expression(size - 1);
    const r = expression(below(size));
    const wide = pick(['int', 'unsigned']);
    switch (below(15)) {
      case 0:
        return `(${wide})((unsigned)(${l}) ${pick(['+', '-', '*'])} (unsigned)(${r}))`;
      case 1:
        return `((${l}) ${pick(['&', '|', '^'])} (${r}))`;
      case 2:
        return `((${wide})(${l}) ${pick(['/', '%'])} (${wide})(((${r}) & 7) + 1))`;
      case 3:
        return `(${wide})((unsigned)(${l}) << ((${r}) & 31))`;
      case 4:
        return `((${wide})(${l}) >> ((${r}) & 31))`;
      case 5:
        return `((${wide})(${l}) ${pick(['<', '<=', '>', '>=', '==', '!='])} (${wide})(${r}))`;
      case 6:
        return `((${l}) ? (${r}) : (${expression(below(size))}))`;
      case 7:
        return `(${pick(types)})(${l})`;
      case 8:
        return `(${pick(['!', '~'])}(${l}))`;
      case 9:
        return `(int)(-(unsigned)(${l}))`;
      case 10:
        return `((${l}) ${pick(['&&', '||'])} (${r}))`;
      case 11:
        return `(${narrow().replace(/^s\.b/, 's.b')} , (${r}))`;
      case 12:
        return `a[${index(3)}].f${below(types.length)}`;
      case 13:
        return `w[${index(4)}]`;
      default:
        return pick([
          `leave((int)(${l}), (unsigned char)(${r}))`,
          `table[${index(3)}]((int)(${l}), (int)(${r}))`,
          `owner(&a[${below(3)}].in)`,
          `sum(w, ${1 + below(4)})`,
          `turned(${structure('three')}).${pick(['a', 'b', 'c'])}`,
          `changed(${structure('big')}, (int)(${l}))`,
          `${structure(pick(['two', 'tiny']))}.${pick(['a', 'b'])}`,
        ]);
    }
  };
  /** Returns an expression whose value is the named structure. */
  const structure = (name: 'two' | 'three' | 'tiny' | 'big'): string => {
    switch (name) {
      case 'two':
        return pick(['d', 'both', `pair((int)(${leaf()}), (int)(${leaf()}))`, 'pick(d, both)']);
      case 'three':
        return pick(['t', `turned(t)`, `((struct three){(int)(${leaf()}), (short)(${leaf()})})`]);
      case 'tiny':
        return pick(['y', 'swapped(y)', `swapped((struct tiny){(${leaf()}) & 127, 2, 3})`]);
      case 'big':
        return pick(['b', 'large', `grown(b, (int)(${leaf()}))`, 'grown(large, 1)']);
    }
  };
  const target = (): string =>
    pick([
      ...types.map((_, i) => `v${i}`),
      `s.f${below(types.length)}`,
      `a[${below(3)}].f${below(types.length)}`,
      `a[${index(3)}].f${below(types.length)}`,
      `q->f${below(types.length)}`,
      `q->in.g${below(2)}`,
      `w[${index(4)}]`,
      's.b0',
      's.b1',
      `u.half[${below(2)}]`,
      '*p',
      '*pv',
      `g${below(2)}`,
    ]);
  const block = (size: number): string =>
    `{ ${Array.from({ length: 1 + below(2) }, () => statement(size)).join(' ')} }`;
  const inLoop = (size: number, make: (counter: string, body: string) => string): string => {
    if (depth >= 2 || loops > 6) return statement(0);
    const counter = `i${depth}`;
    depth += 1;
    loops += 1;
    const body = block(size - 1);
    const way = below(4) === 0 ? `if (${expression(1)}) ${pick(['break', 'continue'])};` : '';
    depth -= 1;
    return make(counter, `{ ${way} ${body} }`);
  };
  const statement = (size: number): string => {
    const simple = below(9);
    if (size <= 0 || simple < 4)
      switch (below(11)) {
        case 0:
          return `${target()} = ${expression(2)};`;
        case 1:
          return `${pick(['v1', 'v3', 'v5', 's.f5', 'g1', `w[${index(4)}]`])} ${pick(['+=', '-=', '*='])} (unsigned char)(${expression(1)});`;
        case 2:
          return `${target()} ${pick(['^=', '|=', '&='])} ${expression(1)};`;
        case 3:
          return `${pick(['v0', 'v1', 'v2', 'v3', 'v5', 's.f1', 'q->f0'])}${pick(['++', '--'])};`;
        case 4:
          return `p = ${pick([`&w[${index(4)}]`, 'w + 1', '&g1', '&q->f5', '&s.f5', `(${expression(1)}) ? &g1 : &w[2]`])};`;
        case 5:
          return pick([
            `q = &a[${index(3)}];`,
            'q = &s;',
            'q = q->next;',
            'pv = pv == &v4 ? &g0 : &v4;',
          ]);
        case 6:
          return pick([
            `a[${below(3)}] = s;`,
            's = *q;',
            'a[1] = a[2];',
            `__builtin_memcpy(&a[${below(3)}], &a[0], sizeof a[0]);`,
            `__builtin_memset(&u, ${below(256)}, sizeof u);`,
          ]);
        case 7:
          return `${pick(['d', 'both'])} = ${structure('two')}; t = ${structure('three')};`;
        case 8:
          return `y = ${structure('tiny')}; ${pick(['b', 'large'])} = ${structure('big')};`;
        case 9:
          return `u.half[${below(2)}] = ${expression(1)};`;
        default:
          return `v${below(types.length)} = ${expression(3)};`;
      }
    switch (below(6)) {
      case 0:
        return `if (${expression(2)}) ${block(size - 1)} else ${block(size - 1)}`;
      case 1:
        return inLoop(size, (i, body) => `for (${i} = 0; ${i} < ${1 + below(3)}; ${i}++) ${body}`);
      case 2:
        return inLoop(size, (i, body) => `${i} = ${below(3)}; while (${i}-- > 0) ${body}`);
      case 3:
        return inLoop(size, (i, body) => `${i} = 0; do ${body} while (++${i} < ${1 + below(3)});`);
      case 4:
        return `switch ((${expression(1)}) & 3) { case 0: ${block(size - 1)} case 2: ${block(size - 1)} break; case 1: ${statement(size - 1)} ${pick(['break;', ''])} default: ${statement(size - 1)} }`;
      default: {
        const label = `l${labels++}`;
        return `if (${expression(1)}) goto ${label}; ${block(size - 1)} ${label}: ${statement(0)}`;
      }
    }
  };
  const number = (): number => below(2 ** 16) - 2 ** 15;
  const fields = types.map((name, i) => `${name} f${i};`).join(' ');
  const first = (i: number): string =>
    `${types.map((_, f) => `a[${i}].f${f} = ${number() & 127};`).join(' ')} a[${i}].in.g0 = ${below(9)}; a[${i}].in.g1 = ${below(9)}; a[${i}].b0 = ${below(16)}; a[${i}].b1 = ${below(60)};`;
  const locals = types.map((name, i) => `  ${name} v${i} = (${name})${number()};\n`).join('');
  const body = Array.from(
    { length: outputs },
    (_, i) =>
      `  ${statement(2)}\n  ${below(2) === 0 ? statement(1) : ''}\n  out[${i}] = (int)(${expression(2)});\n`,
  ).join('');
  return `#define NULL ((void *)0)
struct inner { short g0; unsigned char g1; };
struct s { ${fields} struct inner in; unsigned b0 : 15; int b1 : 17; struct s *next; };
static struct s a[3];
static unsigned w[4] = {1, 2, 3, 4};
static int g0 = ${number()};
static unsigned g1 = ${number()};
volatile int in[4] = {${number()}, ${below(5)}, -1, ${below(2 ** 31)}};
int out[${outputs}];
static int owner(struct inner *i) {
  struct s *whole = (struct s *)((char *)i - __builtin_offsetof(struct s, in));
  return whole->f2 + whole->b1;
}
static int leave(int x, unsigned char y) {
  static int calls;
  if (calls < 100) calls++;
  if (x > y) return calls;
  for (unsigned char k = 0; k < (y & 3); k++) if ((x ^ k) == in[1]) return k;
  return x & 1 ? -1 : y;
}
static int less(int x, int y) { return x < y; }
static int mix(int x, int y) { if (x == y) return g0; return x & ~y; }
static int pass(int x, int y) { g1 += (unsigned)x; return y; }
static int (*const table[3])(int, int) = {less, mix, pass};
struct two { int a, b; };
struct three { int a; short b; int c; };
struct tiny { unsigned char a, b, c; };
struct big { int a[2]; long n; short b; struct two in; };
static struct two both = {${number()}, ${number()}};
static struct big large = {{${number()}, 2}, ${number()}, 3, {4, 5}};
static struct two pair(int a, int b) { struct two d; d.a = a; d.b = b; return d; }
static struct two pick(struct two one, struct two other) {
  one.a ^= 1;
  return one.a > other.b ? one : other;
}
static struct three turned(struct three t) {
  struct three r = {t.b, (short)t.c, t.a};
  t.a = 0;
  return r;
}
static struct tiny swapped(struct tiny y) { unsigned char a = y.a; y.a = y.c; y.c = a; return y; }
static struct big grown(struct big b, int by) {
  b.a[1] = by;
  b.in = pair(b.a[0], b.in.a);
  b.n = b.b;
  return b;
}
static int changed(struct big b, int by) {
  b.a[0] = by;
  large.b ^= 1;
  return b.a[0] ^ (int)b.n ^ b.b ^ b.in.b;
}
static unsigned sum(const unsigned *from, int count) {
  unsigned total = 0;
  while (count > 0) total += from[--count];
  return total;
}
void run(void) {
  ${first(0)}
  ${first(1)}
  ${first(2)}
  struct s s = a[0], *q = &a[1];
  union { unsigned short half[2]; short other[2]; } u;
  u.half[0] = 3; u.other[1] = -4;
  unsigned *p = w;
  struct two d = {${number()}, 2};
  struct three t = {1, ${number()}, 3};
  struct tiny y = {1, 2, 3};
  struct big b = large;
  int i0 = 0, i1 = 0, i2 = 0;
${locals}  int *pv = &v4;
  a[0].next = &a[2]; a[1].next = &a[0]; a[2].next = &a[1]; s.next = &a[1];
${body}}
#ifdef MAIN
int printf(const char *, ...);
int main(void) { run(); for (int i = 0; i < ${outputs}; i++) printf("%d\\n", out[i]); return 0; }
#endif
#ifdef THREAD
#include <pthread.h>
static volatile int done;
static void *first(void *unused) { run(); done = 1; return NULL; }
static void *second(void *unused) {
  while (!done);
  for (int i = 0; i < ${outputs}; i++) in[i & 3] ^= out[i];
  return NULL;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, first, NULL);
  pthread_create(&two, NULL, second, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}
#endif
`;
}
