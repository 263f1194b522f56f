import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

const storeBuffering = `program Sb
var x, y, unrelated
thread a { local r; unrelated = 7; x = 1; r = y; }
thread b { local r; y = 1; r = x; }
`;

/** A ring for one producer and one consumer, right on x86 without a fence ([BDM13] Sect. 1). */
const ring = `program Ring
var head, tail
thread p { local h; loop { h = head; if (tail == h) { tail = 1 - h; } } }
thread c { local t; loop { t = tail; if (head != t) { head = t; } } }
property full: never (head > 1)
`;

/** A sleeper that misses the wake-up if its store of \`asleep\` waits too long. */
const sleeper = `program Sleeper
var asleep, permit, kick
thread sleeper { asleep = 1; if (permit == 0) { while (kick == 0) { } } }
thread waker { permit = 1; if (asleep == 1) { kick = 1; } }
`;

async function answerTo(text: string): Promise<readonly string[]> {
  const cwd = await folderWith({ 'a.fw': text });
  const { stdout } = await fencewright(['a.fw'], { cwd });
  return stdout.split('\n');
}

describe('the first sentence decides what the reader does next', () => {
  test('states that differ are told by the cells that tell them apart, one a line', async () => {
    // All executions end with x = y = 1 and unrelated = 7; under SC some thread reads 1.
    expect((await answerTo(storeBuffering)).slice(0, 4)).toEqual([
      'a.fw: Sb ends on x86 as it never does without store buffers',
      '    a.r = 0',
      '    b.r = 0',
      '  it is not robust: TSO allows an execution that is not sequentially consistent',
    ]);
  });

  test('what holds as it stands is not talked into fences', async () => {
    const lines = await answerTo(ring);
    expect(lines[0]).toBe('a.fw: Ring holds on x86 as it stands: nothing that it claims can fail');
    expect(lines.join('\n')).not.toContain('hint:');
  });

  test('a state that a program asks for is reached or never reached, and does not hold', async () => {
    // Message passing: stores of one thread reach memory in order.
    const passing = (properties: string): string => `program Mp
var x, y
thread p { x = 1; y = 1; }
thread c { local r, s; r = y; s = x; }
${properties}
`;
    const early = 'property early: exists (c.r == 1 && c.s == 0)';
    const late = 'property late: exists (c.r == 1 && c.s == 1)';
    const first = async (text: string) => (await answerTo(passing(text)))[0];
    expect(await first(early)).toBe('a.fw: Mp never reaches early on x86');
    expect(await first(late)).toBe(
      'a.fw: Mp needs no further fence on x86: late is reached without store buffers already',
    );
    expect(await first(`${early}\n${late}\nproperty two: never (x == 2)`)).toBe(
      'a.fw: Mp holds on x86 as it stands: nothing that it claims can fail; late is reached without store buffers already; early is never reached',
    );
  });

  test('a search for any number of copies that finds no end leads to a proof', async () => {
    const cwd = await folderWith({
      'a.fw': `program Ticket
var next, serving, inside
thread t[*] {
  local my;
  my = fetch_add(next, 1);
  while (serving != my) { }
  inside = 1;
  assert (inside == 1);
  inside = 0;
  serving = my + 1;
}
`,
    });
    const open = await fencewright(['check', '--max-states', '100', 'a.fw'], { cwd });
    expect(open.code).toBe(5);
    expect(open.stdout).toMatch(
      /\n {2}hint: give it more with --max-states; fencewright prove --infer a\.fw looks for /,
    );
    expect((await fencewright(['prove', '--infer', 'a.fw'], { cwd })).code).toBe(0);
  });

  test('a thread that waits for ever comes with the fences for that, in one hint', async () => {
    const lines = await answerTo(sleeper);
    expect(lines[0]).toMatch(
      /^a\.fw: Sleeper can hang on x86: sleeper waits for ever at line 3, where kick = 0$/,
    );
    const hints = lines.filter((line) => line.includes('hint:'));
    expect(hints).toEqual([expect.stringContaining('fencewright fence --for progress a.fw')]);
  });

  test('the command of the hint mends what was said, down to the exit code', async () => {
    // `t` and `u` are not robust, but no final state shows the violation.
    const both =
      sleeper.replace('var ', 'var a, b, ') + 'thread t { local r; a = 1; r = b; r = 0; }\n';
    const cwd = await folderWith({
      'a.fw': both + 'thread u { b = 1; fence; if (a == 0) { skip; } }\n',
    });
    const codeOf = async (...args: string[]): Promise<number | null> =>
      (await fencewright(args, { cwd })).code;
    const first = await fencewright(['a.fw'], { cwd });
    expect(first.code).toBe(10);
    const [, hint = ''] =
      /hint: .*fencewright (fence --for progress) a\.fw/.exec(first.stdout) ?? [];
    expect(await codeOf(...hint.split(' '), '--write', 'a.fw')).toBe(0);
    const mended = await fencewright(['a.fw'], { cwd });
    expect(mended.stdout).toContain('needs no further fence on x86');
    expect(mended.stdout).toContain('it is not robust');
    expect(mended.code).toBe(0);
    expect(await codeOf('check', '--answers', 'a.fw')).toBe(0);
    expect(await codeOf('check', 'a.fw')).toBe(10);
    expect(await codeOf('--fail-on', 'not-robust', 'a.fw')).toBe(10);
    expect(await codeOf('--fail-on', 'hangs,vacuous', 'a.fw')).toBe(0);
  });

  test('what can deadlock keeps its exit code, also if store buffers change nothing', async () => {
    const text = `program Crossed
var l, m, a, b
thread one { local r; a = 1; r = b; r = 0; while (cas(l, 0, 1) == 0) {} while (cas(m, 0, 1) == 0) {} }
thread two { b = 1; fence; if (a == 0) { skip; } while (cas(m, 0, 1) == 0) {} while (cas(l, 0, 1) == 0) {} }
`;
    const cwd = await folderWith({ 'a.fw': text });
    const { stdout, code } = await fencewright(['a.fw'], { cwd });
    expect(stdout).toContain('a.fw: Crossed can deadlock even without store buffers');
    expect([code, stdout.includes('it is not robust')]).toEqual([10, true]);
  });

  test('what fails without store buffers is not talked into fences', async () => {
    const lines = await answerTo(storeBuffering + 'property no: never (x == 1)\n');
    expect(lines[0]).toBe(
      'a.fw: Sb is wrong even without store buffers: no can fail, and no fence helps',
    );
    expect(lines.filter((line) => line.includes('hint:'))).toEqual([]);
    // The store of x alone breaks the claim; both threads are needed for the attack.
    const failure = lines.indexOf('How no fails, without store buffers');
    const attack = lines.findIndex((line) => line.startsWith('An attack on robustness'));
    expect(failure).toBeGreaterThan(0);
    expect(lines.slice(failure).some((line) => /\bstore\b.*\bx\b +1\b/.test(line))).toBe(true);
    expect(attack).toBeGreaterThan(failure);
    expect(lines[attack]).toMatch(/; fencewright explain a\.fw shows the execution$/);
    // The line on the attack is the last: its execution is only shown on demand.
    expect(lines.slice(attack + 1).filter((line) => line !== '')).toEqual([]);
  });

  test('the attack on a program that is wrong anyway is shown on demand', async () => {
    const cwd = await folderWith({ 'a.fw': storeBuffering + 'property no: never (x == 1)\n' });
    const { stdout } = await fencewright(['check', '--all-attacks', 'a.fw'], { cwd });
    const order = [
      'How no fails, without store buffers',
      'A TSO execution of the attack',
      'Attacks one by one',
    ].map((title) => stdout.indexOf(title));
    expect(order.every((place) => place > 0)).toBe(true);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test('a deadlock is not followed by a state of TSO alone, or advice on fences', async () => {
    // Each thread waits for the other before the store that would end the wait.
    const lines = await answerTo(`program Crossed
var x, y, a, b
thread t0 { local r; x = 1; r = y; while (a == 0) {} b = 1; assert(r <= 1); }
thread t1 { local r; y = 1; r = x; while (b == 0) {} a = 1; }
`);
    expect(lines[0]).toContain('can deadlock even without store buffers');
    expect(lines[1]).toMatch(/^ {2}it is not robust/);
    expect(lines.join('\n')).not.toMatch(/hint:|A TSO execution/);
    expect(lines.join('\n')).toContain('An attack on robustness, beside that');
  });

  test('an assertion of two threads is named once', async () => {
    const text = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag[2], inside;
static void *user(void *me) {
  int i = (int)(long)me;
  atomic_store_explicit(&flag[i], 1, memory_order_release);
  if (!atomic_load_explicit(&flag[1 - i], memory_order_acquire)) {
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
  }
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, user, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
}
`;
    const cwd = await folderWith({ 'a.c': text });
    const { stdout } = await fencewright(['a.c'], { cwd });
    expect(stdout.split('\n')[0]).toBe(
      'a.c breaks on x86: the assertion of user[0] and user[1] at line 9 can fail, and cannot without store buffers',
    );
  });
});

test('memory behind a pointer is called by the variables that it can be', async () => {
  const text = `#include <atomic>
#include <thread>
struct Cell { std::atomic<int> seq{0}; int value = 0; };
static Cell cells[2];
static std::atomic<int> at{0}, done{0};
static int result;
int main() {
  std::thread a([] {
    Cell *c = &cells[at.load() & 1];
    c->seq.store(1, std::memory_order_relaxed);
    result = done.load(std::memory_order_relaxed);
  });
  std::thread b([] {
    at.store(1);
    done.store(1, std::memory_order_relaxed);
    Cell *c = &cells[at.load() & 1];
    c->value = c->seq.load(std::memory_order_relaxed);
  });
  a.join();
  b.join();
}
`;
  const cwd = await folderWith({ 'a.cpp': text });
  for (const verb of [['check', '--all-attacks'], ['fence'], ['fence', '--model', 'c11']]) {
    const { stdout } = await fencewright([...verb, 'a.cpp'], { cwd });
    expect(stdout).not.toMatch(/mem\[|_M_|__/);
    expect(stdout).toMatch(/cells\[(?:\.\.\.|[01])\]\.seq/);
  }
});

test('names that the tool made for cells of C do not reach the reader', async () => {
  const text = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
static _Atomic(struct node *) top;
static atomic_int slots[4], tail, x, y, r0, r1;
static void *push(void *u) {
  struct node *n = malloc(sizeof *n);
  n->value = 5;
  unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
  atomic_store_explicit(&slots[at % 4], 7, memory_order_relaxed);
  atomic_store_explicit(&top, n, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&r0, atomic_load_explicit(&y, memory_order_relaxed), memory_order_relaxed);
  free(n);
  return 0;
}
static void *other(void *u) {
  free(malloc(16));
  atomic_store_explicit(&tail, slots[tail % 4u] + 1u, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_store_explicit(&r1, atomic_load_explicit(&x, memory_order_relaxed), memory_order_relaxed);
  return 0;
}
int main(int argc, char **argv) {
  pthread_t a, b;
  if (argc > 1) {
    pthread_create(&a, 0, push, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
  }
  return 0;
}
`;
  const cwd = await folderWith({ 'a.c': text });
  for (const verb of [[], ['reach'], ['explain']]) {
    const { stdout } = await fencewright([...verb, 'a.c'], { cwd });
    expect(stdout).not.toMatch(/mem\[|done\[|start\[|given_back|block[0-9]|[-+*/%<>]:?% /);
    expect(stdout).toContain('slots[0]');
  }
});
