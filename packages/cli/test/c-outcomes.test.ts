import { expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

/**
 * Returns a C program with store buffering: each thread stores to one variable, then loads the
 * variable of the other thread, and keeps the loaded value.
 */
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
  // The lines after the first show how the state differs from those of SC, and nothing else.
  const check = await fencewright(['check', '--answers', 'a.c'], { cwd });
  const cells = [...check.stdout.matchAll(/^ {4}(\S.*) = \S+$/gm)].map(([, cell]) => cell);
  expect(cells).toContain(name);
  expect(cells).not.toContain('x');
});

// TSO lets b return 0 and a count beyond 1: b's store waits while b loads x, and a goes round.
test('final states are undecided if the results of a thread take too many states', async () => {
  const cwd = await folderWith({
    'a.c': `#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int n;
void *a(void *u) {
  do { n++; atomic_store_explicit(&x, 1, memory_order_release); } while (!atomic_load(&y));
  return 0;
}
void *b(void *u) {
  atomic_store_explicit(&y, 1, memory_order_release);
  return (void *)(long)atomic_load(&x);
}
int main(void) {
  pthread_t s, w;
  pthread_create(&s, 0, a, 0);
  pthread_create(&w, 0, b, 0);
  pthread_join(s, 0);
  pthread_join(w, 0);
}
`,
  });
  const run = await fencewright(['reach', 'a.c'], { cwd });
  expect(run.stdout).toContain('a.c is undecided');
  expect(run.stdout).toContain('final registers that only one thread reads have too many values');
  expect(run.stdout).not.toContain('the same states');
  expect(run.code).toBe(5);
});

test('a local of a thread that nobody can see any more makes no difference', async () => {
  const text = storeBuffering('', 'int r = y; return 0;', 'int r = x; return 0;');
  const cwd = await folderWith({ 'a.c': text });
  const run = await fencewright(['reach', 'a.c'], { cwd });
  expect(run.stdout).toContain('robustness is stricter than needed: ');
  expect(run.code).toBe(0);
});

test('complete explorations say whether states differ, in one voice', async () => {
  // The loop stores the counter, so that the thread's values alone do not end the loop.
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
  // No thread wakes q; in b.c q waits for a value that is already stored.
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
  expect(failing.stdout).toMatch(
    /^a\.c can hang on x86: q waits for ever at line 4, where woken = 0$/m,
  );
  const json = JSON.parse((await fencewright(['reach', '--json', 'a.c'], { cwd })).stdout) as {
    results: { hangs: { hangs: { threads: string[]; waiting: object[] }[] } }[];
  };
  const [hang] = json.results[0]!.hangs.hangs;
  expect(hang!.threads).toEqual(['q']);
  expect(hang!.waiting).toMatchObject([
    { thread: 'q', kind: 'waits', line: 4, reads: [{ cell: 'woken', value: 0 }] },
  ]);
});

test('who joins a thread that waits for ever, and the states at rest', async () => {
  const text = `#include <pthread.h>
#include <semaphore.h>
static volatile int x, y, z;
static sem_t s;
static pthread_t ts;
static void *sleeper(void *u) { y = 1; if (x == 0) sem_wait(&s); return 0; }
static void *waker(void *u) { x = 1; if (y == 1) sem_post(&s); return 0; }
static void *joiner(void *u) { pthread_join(ts, 0); z = 1; return 0; }
int main(void) {
  pthread_t w, j;
  pthread_create(&ts, 0, sleeper, 0);
  pthread_create(&w, 0, waker, 0);
  pthread_create(&j, 0, joiner, 0);
  pthread_join(w, 0);
  pthread_join(j, 0);
}
`;
  // In left.c no thread joins the sleeper, so the process ends without the sleeper.
  const left = text.replace(/.*joiner.*\n/g, '').replace('  pthread_join(j, 0);\n', '');
  const cwd = await folderWith({ 'a.c': text, 'left.c': left });
  const run = await fencewright(['reach', 'a.c'], { cwd });
  expect(run.stdout).toMatch(/^a\.c is different under TSO: sleeper waits for ever$/m);
  expect(run.stdout).toMatch(/^ +joiner waits for it at line 8$/m);
  expect(run.stdout).toMatch(/^ +main waits for it at line 15$/m);
  type Waiting = { thread: string; line: number; joinedBy?: object[]; underSc?: boolean };
  type Side = { finalStates: object[]; atRest: { memory: object; waiting: Waiting[] }[] };
  type Result = { hangs: { verdict: string; left?: Waiting[] }; sc: Side; tso: Side };
  const resultOf = async (file: string): Promise<Result> => {
    const { stdout } = await fencewright(['reach', '--json', file], { cwd });
    return (JSON.parse(stdout) as { results: [Result] }).results[0];
  };
  const json = await resultOf('a.c');
  expect(json.sc.atRest).toEqual([]);
  expect(json.tso.atRest).toMatchObject([
    {
      memory: { x: 1, y: 1, s: 0 },
      waiting: [
        { thread: 'sleeper', line: 6, joinedBy: [{ thread: 'joiner', line: 8 }] },
        { thread: 'joiner', line: 8, joinedBy: [{ thread: 'main', line: 15 }] },
      ],
    },
  ]);
  const alone = await resultOf('left.c');
  expect(alone.hangs.verdict).toBe('none');
  expect(alone.tso.atRest).toEqual([]);
  expect(alone.hangs.left).toMatchObject([{ thread: 'sleeper', line: 6, underSc: false }]);
  expect(alone.hangs.left![0]!.joinedBy).toBeUndefined();
  const words = await fencewright(['reach', 'left.c'], { cwd });
  expect(words.stdout).toContain(
    'sleeper waits at line 6 when the process ends, under TSO alone: no thread joins it',
  );
});

test('what main reads beside its thread differs, also where main only joins behind that', async () => {
  const cwd = await folderWith({
    'a.c': `#include <pthread.h>
volatile int x, y;
int got, r;
void *f(void *u) { y = 1; r = x; return u; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  x = 1;
  got = y;
  pthread_join(t, 0);
  return 0;
}
`,
  });
  // Both read 0 with store buffers only ([BDM13] Sect. 1).
  const { code, stdout } = await fencewright(['reach', 'a.c'], { cwd });
  expect(stdout).toContain('differs: ');
  expect(stdout).toContain('got');
  expect(code).toBe(10);
});

test('a cell of fields of bits is called by all of them, with their widths', async () => {
  const text = `#include <pthread.h>
struct {
  int before;
  unsigned low : 3;
  unsigned high : 5;
} flags = {0, 5, 1};
static void *t(void *u) { flags.high = 31; return u; }
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, t, 0);
  flags.before = flags.high;
  pthread_join(one, 0);
}
`;
  const cwd = await folderWith({ 'a.c': text });
  const { stdout } = await fencewright(['reach', 'a.c'], { cwd });
  // 5 in the three lower bits, 31 in the five above.
  expect(stdout).toContain(`flags.low:3+high:5 = ${31 * 8 + 5}`);
});

test('beyond a limit of the library no other engine is proposed', async () => {
  const keys = 'for (int i = 0; i < 17; i++) { pthread_key_t k; pthread_key_create(&k, 0); }';
  const cwd = await folderWith({ 'a.c': storeBuffering('', `${keys} return 0;`, 'return 0;') });
  for (const verb of ['check', 'fence']) {
    const { stdout, stderr } = await fencewright([verb, 'a.c'], { cwd });
    expect(stderr).toContain('error FW3009: pthread_key_create has room for 16 keys here');
    expect(`${stdout}${stderr}`).not.toContain('--engine');
    expect(`${stdout}${stderr}`).toContain(
      'hint: no engine exceeds this limit of the built-in library',
    );
  }
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

const printing = (headers: string, print: (value: string) => string): string =>
  `${headers}\n${storeBuffering('', `${print('y')} return 0;`, `${print('x')} return 0;`)}`;

// In each program the loads of the two threads decide the result; under TSO both may return 0.
test.each([
  [
    'a.cpp',
    'std::cout',
    printing('#include <iostream>', (v) => `std::cout << ${v};`),
    'by a #1 = 0',
  ],
  [
    'a.cpp',
    'texts',
    printing('#include <iostream>', (v) => `std::cout << (${v} ? "t" : "f");`),
    '"f"',
  ],
  ['a.c', 'pointers', printing('', (v) => `printf("%p", (void *)(${v} ? &x : &y));`), '&y'],
  ['a.c', 'numbers without a sign', printing('', (v) => `printf("%u", ${v} - 1u);`), '4294967295'],
  [
    'a.c',
    'bytes that are copied',
    storeBuffering(
      'int s[2]; void *memcpy(void *, const void *, unsigned long);',
      'char t[4]; int v = y; memcpy(t, &v, 4); memcpy(&s[0], t, 4); return 0;',
      'char t[4]; int v = x; memcpy(t, &v, 4); memcpy(&s[1], t, 4); return 0;',
    ),
    's[0]',
  ],
  [
    'a.c',
    'a structure in two registers',
    storeBuffering(
      'struct p { int a; short b; char c; long d; } s[2]; ' +
        'struct p f(int v) { struct p r = {v, v, v, v}; return r; }',
      's[0] = f(y); return 0;',
      's[1] = f(x); return 0;',
    ),
    's[0].d',
  ],
])('results differ, in %s, in %s', async (file, _, text, name) => {
  const cwd = await folderWith({ [file]: text });
  const run = await fencewright(['reach', file], { cwd });
  expect(run.stdout, run.stderr).toContain('differs: ');
  expect(run.stdout).toContain(name);
  expect(run.code).toBe(10);
});

test.each([
  ['fputc', 'fputc(y, stdout);', 'fputc(x, stdout);'],
  ['putc', 'putc(y, stdout);', 'putc(x, stdout);'],
  ['fwrite', 'fwrite((void *)&y, 4, 1, stdout);', 'fwrite((void *)&x, 4, 1, stdout);'],
  ['vprintf', 'say("%s %d%%", "a", y);', 'say("%*ld %d", 3, 4L, x);'],
])('what %s prints is compared, and what it reads is loaded', async (_, a, b) => {
  const list = 'va_list l; va_start(l, f); vprintf(f, l); va_end(l);';
  const kept = `#include <stdarg.h>\nvoid say(const char *f, ...) { ${list} }`;
  const text = storeBuffering(kept, `${a} return 0;`, `${b} return 0;`);
  const cwd = await folderWith({ 'a.c': text });
  const run = await fencewright(['reach', 'a.c'], { cwd });
  expect(run.stdout, run.stderr).toContain('differs: ');
  expect(run.code).toBe(10);
});

// What `printf` prints is judged by the tests above; `vprintf` gets the same arguments by a list.
test.each([
  '"%d %d", y, 7',
  '"%s: %u%%", "text", y',
  '"%*d %ld", 5, y, 4L + y',
  '"%5.2f %c %hd", 1.5, y, (short)y',
  '"%.*s %llx", 2, "text", (unsigned long long)y',
])('vprintf prints what printf prints: %s', async (args) => {
  const list = 'va_list l; va_start(l, f); vprintf(f, l); va_end(l);';
  const kept = `#include <stdarg.h>\nvoid say(const char *f, ...) { ${list} }`;
  const statesOf = async (call: string): Promise<unknown> => {
    const text = storeBuffering(kept, `${call}(${args}); return 0;`, 'return (void *)(long)x;');
    const cwd = await folderWith({ 'a.c': text });
    const { stdout, stderr } = await fencewright(['reach', '--json', 'a.c'], { cwd });
    const { results } = JSON.parse(stdout) as {
      readonly results: readonly [{ sc?: object; tso?: object }];
    };
    const [{ sc, tso }] = results;
    expect(sc, stderr).toBeDefined();
    return [sc, tso].map((side) => (side as { readonly finalStates: unknown }).finalStates);
  };
  expect(await statesOf('say')).toEqual(await statesOf('printf'));
});

test.each([
  [
    'a function without a model',
    'long ioctl(int, const void *, unsigned long);',
    'int r = y; ioctl(1, &r, 4);',
    '',
    "'ioctl' has no",
  ],
  [
    'a text that both threads may change',
    'char t[2];',
    "t[0] = '0' + y; t[1] = 0; puts(t);",
    "t[1] = '!';",
    'threads store to the printed text',
  ],
  ['a count', 'int n;', 'printf("%n", &n);', '', "'%n' in a format stores"],
])('%s is refused with its place', async (_, before, statement, other, says) => {
  const cwd = await folderWith({
    'a.c': storeBuffering(before, `${statement} return 0;`, `${other} return 0;`),
  });
  const run = await fencewright(['reach', 'a.c'], { cwd });
  expect(run.stderr).toMatch(/^a\.c:6:\d+: error FW1012/m);
  expect(run.stderr).toContain(says);
  expect(run.stderr).toContain('hint: ');
  expect(run.code).toBe(65);
});

test.each([
  ['vprintf', 'vprintf(f, l);'],
  ['vsnprintf', 'char to[9]; vsnprintf(to, 9, f, l);'],
])('%s may read no text that the other thread changes', async (_, call) => {
  const kept = `#include <stdarg.h>
char t[2];
void say(const char *f, ...) { va_list l; va_start(l, f); ${call} va_end(l); }`;
  const a = 'say("%s", t); return 0;';
  const statusWith = async (other: string): Promise<number | null> => {
    const cwd = await folderWith({ 'a.c': storeBuffering(kept, a, `${other} return 0;`) });
    return (await fencewright(['check', 'a.c'], { cwd })).code;
  };
  expect(await statusWith('')).toBe(0);
  expect(await statusWith('t[0] = 1;')).toBe(65);
});

test('that a text which a thread makes is not compared is said where the thread prints it', async () => {
  const text = "char t[2]; t[0] = '0' + y; t[1] = 0; ";
  const told = async (print: string): Promise<string> => {
    const cwd = await folderWith({
      'a.c': storeBuffering('', `${text}${print} return 0;`, 'return 0;'),
    });
    return (await fencewright(['reach', 'a.c'], { cwd })).stdout;
  };
  const said = 'assumes: executions that differ only in a text that a thread made and prints';
  expect(await told('puts(t);')).toContain(said);
  expect(await told("putchar('a');")).not.toContain('assumes:');
});

test('an integer of unknown value that may be an address is said', async () => {
  const text = storeBuffering(
    'int n; unsigned long head;',
    'for (;;) { unsigned long h = __atomic_fetch_add(&head, 1, 5); if ((h >> 13) & 1) break; } return 0;',
    'ADDRESS return 0;',
  );
  const told = async (statement: string): Promise<string> => {
    const cwd = await folderWith({ 'a.c': text.replace('ADDRESS', statement) });
    return (await fencewright(['check', 'a.c'], { cwd })).stdout;
  };
  const said = 'assumes: no integer that line 6 computes with holds an address';
  expect(await told('__atomic_store_n(&head, (unsigned long)&n, 5);')).toContain(said);
  expect(await told('__atomic_store_n(&head, 7, 5);')).not.toContain('assumes:');
});

test('of calls of malloc that are too many to follow, the answer says what to do', async () => {
  const calls = Array.from({ length: 7 }, () => 'u = malloc(4); free(u);').join(' ');
  const text = storeBuffering('', `${calls} return 0;`, 'return 0;');
  const cwd = await folderWith({ 'a.c': text });
  const open = await fencewright(['check', 'a.c'], { cwd });
  expect(open.code).toBe(5);
  expect(open.stderr).toMatch(/error FW3009: a thread allocates memory by more than 6 calls/);
  expect(open.stderr).toContain('malloc=new');
  const assumed = await fencewright(['check', '--assume', 'malloc=new', 'a.c'], { cwd });
  expect(assumed.code).toBe(0);
  expect(assumed.stdout).toContain('assumes: malloc never returns freed memory');
});

test('single steps in JSON show cells of unsigned types without a sign', async () => {
  const text = storeBuffering('', 'return y ? u : &x;', 'return x ? u : &x;')
    .replace('volatile int x, y', 'volatile unsigned x, y')
    .replace('x = 1;', 'x = -1;');
  const cwd = await folderWith({ 'a.c': text });
  const { stdout } = await fencewright(['check', '--json', 'a.c'], { cwd });
  expect(stdout).toMatch(/"address": "x",\s+"value": 4294967295/);
  expect(stdout).not.toMatch(/"value": -/);
});

test('executions in which a thread is never created end, too', async () => {
  const text = `#include <pthread.h>
#include <stdatomic.h>
atomic_int y;
int seen, left = 7;
void *perhaps(void *u) { left = 0; return 0; }
void *first(void *u) {
  pthread_t t;
  seen = atomic_load(&y);
  if (seen == 0) { pthread_create(&t, 0, perhaps, 0); pthread_join(t, 0); }
  return 0;
}
void *second(void *u) { atomic_store(&y, 2); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`;
  const cwd = await folderWith({ 'a.c': text });
  const { stdout } = await fencewright(['reach', '--json', 'a.c'], { cwd });
  type Side = { finalStates: { outcomes: Record<string, number> }[] };
  const [result] = (JSON.parse(stdout) as { results: { sc: Side; tso: Side }[] }).results;
  for (const { finalStates } of [result!.sc, result!.tso]) {
    const ends = finalStates.map(({ outcomes: { seen, left } }) => [seen, left]);
    // The thread either loads 0 and creates the other thread, or does not.
    expect(ends.sort()).toEqual([
      [0, 0],
      [2, 7],
    ]);
  }
  const told = await fencewright(['reach', 'a.c'], { cwd });
  expect(told.stdout).not.toContain('waits');
});
