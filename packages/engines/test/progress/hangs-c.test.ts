import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fence } from '../../../core/src/api/fence.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseLlvmIr } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { withoutTimeouts } from '@fencewright/model/program/timeouts.js';
import type { Program } from '@fencewright/model/program/program.js';
import { allClangs, folderOfTests, shipped } from '../../../core/test/node/clang/clangs.js';

const clang = (await allClangs()).find(({ kind }) => kind === 'native');
const folder = folderOfTests();

async function programOf(text: string, isCpp = false): Promise<Program> {
  const file = isCpp ? 'program.cpp' : 'program.c';
  await writeFile(path.join(folder, file), text);
  const compiled = await compileC(clang!, [{ file }], { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
  const { model, diagnostics } = parseLlvmIr(compiled.modules, { main: file });
  const program = finiteProgram(model);
  if (!program) throw new Error(`${JSON.stringify(diagnostics)}\n${text}`);
  return program;
}

/**
 * Returns the threads that wait for ever under TSO but not under SC (`tso`), the threads that wait
 * for ever under SC (`sc`), and the verdict on robustness.
 */
async function waitersOf(program: Program) {
  const { hangs, robustness } = await reach(program);
  if (hangs.kind !== 'found') throw new Error(JSON.stringify(hangs));
  const named = (threads: readonly number[]): readonly string[] =>
    threads.map((thread) => program.threads[thread]!.name).toSorted();
  return {
    tso: named(hangs.hangs.flatMap(({ threads }) => threads)),
    sc: named(hangs.underSc?.map(({ thread }) => thread) ?? []),
    together: hangs.hangs.some(({ threads }) => threads.length === 0),
    robustness,
  };
}

/**
 * Returns a C program whose threads `a`, `b` ... execute the bodies; `main` joins the threads named
 * in `joins`, by default all.
 */
function inC(bodies: Readonly<Record<string, string>>, joins?: string) {
  const names = Object.keys(bodies);
  const joined = joins?.split(' ').filter((name) => name !== '') ?? names;
  return `#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static volatile int x, y, z;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
#define FENCE atomic_thread_fence(memory_order_seq_cst)
#define HELD(body) pthread_mutex_lock(&m); body pthread_mutex_unlock(&m);
${names.map((name) => `static void *${name}(void *unused) {\n${bodies[name]!}\nreturn NULL;\n}`).join('\n')}
int main(void) {
  pthread_t ${names.map((name) => `t_${name}`).join(', ')};
${names.map((name) => `  pthread_create(&t_${name}, NULL, ${name}, NULL);`).join('\n')}
${joined.map((name) => `  pthread_join(t_${name}, NULL);`).join('\n')}
  return 0;
}
`;
}

const sleeper = (fence: string, wait = 'pthread_cond_wait(&c, &m);'): string =>
  `HELD(y = 1; ${fence} if (x == 0) { ${wait} })`;
const waker = (fence: string, wake = 'pthread_cond_signal(&c);'): string =>
  `x = 1; ${fence} if (y == 1) { HELD(${wake}) }`;
const none = { tso: [], sc: [], together: false };

interface Case {
  readonly name: string;
  readonly bodies: Readonly<Record<string, string>>;
  readonly joins?: string;
  readonly expected: Partial<Awaited<ReturnType<typeof waitersOf>>>;
}

/**
 * Test cases about condition variables. The name of each case says why the program behaves as
 * expected.
 */
const conditions: readonly Case[] = [
  {
    name: 'both look before either store is in memory: nobody signals',
    bodies: { sleeper: sleeper(''), waker: waker('') },
    expected: { ...none, tso: ['sleeper'] },
  },
  {
    name: 'the fence of one lets the other look too early',
    bodies: { sleeper: sleeper('FENCE;'), waker: waker('') },
    expected: { ...none, tso: ['sleeper'] },
  },
  {
    name: 'with both fences somebody sees the other',
    bodies: { sleeper: sleeper('FENCE;'), waker: waker('FENCE;') },
    expected: { ...none, robustness: 'robust' },
  },
  {
    name: 'to wake all wakes one',
    bodies: {
      sleeper: sleeper('FENCE;'),
      waker: waker('FENCE;', 'pthread_cond_broadcast(&c);'),
    },
    expected: none,
  },
  {
    name: 'a wait with a time-out ends',
    bodies: {
      sleeper: sleeper('', 'struct timespec t = {0}; pthread_cond_timedwait(&c, &m, &t);'),
      waker: waker(''),
    },
    expected: none,
  },
  {
    name: 'a monitor: what is waited for is looked at under the mutex',
    bodies: {
      taker: 'HELD(while (x == 0) pthread_cond_wait(&c, &m);)',
      giver: 'HELD(x = 1;) pthread_cond_signal(&c);',
    },
    expected: { ...none, robustness: 'robust' },
  },
  {
    name: 'a signal that comes first is lost, with store buffers and without',
    bodies: { taker: 'HELD(pthread_cond_wait(&c, &m);)', giver: 'pthread_cond_signal(&c);' },
    expected: { ...none, sc: ['taker'] },
  },
  {
    name: 'one signal wakes one of two',
    bodies: {
      a: 'HELD(while (x == 0) pthread_cond_wait(&c, &m);)',
      b: 'HELD(while (x == 0) pthread_cond_wait(&c, &m);)',
      giver: 'HELD(x = 1; pthread_cond_signal(&c);)',
    },
    expected: { ...none, sc: ['a', 'b'] },
  },
  {
    name: 'a signal to all wakes two',
    bodies: {
      a: 'HELD(while (x == 0) pthread_cond_wait(&c, &m);)',
      b: 'HELD(while (x == 0) pthread_cond_wait(&c, &m);)',
      giver: 'HELD(x = 1; pthread_cond_broadcast(&c);)',
    },
    expected: none,
  },
  {
    // The waker finds no sleeping thread while its store is late; the sleeper sleeps; the third
    // thread, which has seen the sleeper under the mutex, misses the store, and leaves the signal
    // to the waker.
    name: 'a signal to nobody orders nothing',
    bodies: {
      sleeper: 'HELD(y = 1; pthread_cond_wait(&c, &m);)',
      waker: 'x = 1; pthread_cond_signal(&c);',
      third:
        'int r = 0; HELD(r = y;) if (r == 0 || x == 1) { FENCE; while (y == 0); HELD(pthread_cond_signal(&c);) }',
    },
    expected: { ...none, tso: ['sleeper'] },
  },
];

describe.skipIf(!clang)('blocks of memory', () => {
  // Each allocation may return a new block, whatever the other threads have freed.
  test.each([
    [
      'freed by the thread that allocates',
      { a: 'void *p = malloc(8); free(p); p = malloc(8); free(p);' },
    ],
    [
      'freed by another thread',
      {
        a: 'posted = malloc(8);',
        b: 'void *p = posted; if (p) free(p); p = malloc(8); y = p != 0;',
      },
    ],
  ])('nobody waits for freed blocks: %s', async (_, bodies) => {
    const text = inC(bodies).replace(
      '#define FENCE',
      'static void *_Atomic posted;\n#define FENCE',
    );
    expect(await waitersOf(await programOf(text))).toMatchObject(none);
  });

  test('a lost wake-up is found beside allocations', async () => {
    const allocating = 'void *p = malloc(8); free(p); p = malloc(8); free(p);';
    const bodies = { sleeper: allocating + sleeper(''), waker: allocating + waker('') };
    const program = await programOf(inC(bodies));
    expect(await waitersOf(program)).toMatchObject({ ...none, tso: ['sleeper'] });
  });
});

describe.skipIf(!clang)('condition variables', () => {
  test.each(conditions)('$name', async ({ bodies, joins, expected }) => {
    const program = await programOf(inC(bodies, joins));
    expect(await waitersOf(program)).toMatchObject(expected);
  });

  test('nobody waits for a thread whose assertion has failed: the process has ended', async () => {
    // The load may be first, in which case the assertion fails with store buffers and without.
    const text = inC({ a: 'x = 1;', b: 'assert(x == 1);' })
      .replace('#include', '#include <assert.h>\n#include')
      .replace('return 0;', 'assert(x == 1); return 0;');
    expect(await waitersOf(await programOf(text))).toMatchObject({ ...none, robustness: 'robust' });
    // Without the check, `main` waits for a thread that never ends.
    const lost = text.replace('assert(x == 1);', 'while (x == 1) { }');
    expect((await waitersOf(await programOf(lost))).sc).toEqual(['b', 'main']);
  });

  test.each(['assert(x == 0);', 'if (x == 1) assert(0);', 'y = 1; assert(x == 0); y = 0;'])(
    'nobody waits to enter an atomic section in which an assertion fails: %s',
    async (check) => {
      const section = `__VERIFIER_atomic_begin(); ${check} __VERIFIER_atomic_end();`;
      const text = `#include <assert.h>
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);
${inC({ a: 'x = 1;', b: section })}`;
      expect(await waitersOf(await programOf(text))).toMatchObject(none);
      // A section that waits for a value that is never stored cannot begin.
      const lost = text.replace(check, 'while (x != 2) { }');
      expect((await waitersOf(await programOf(lost))).sc).toEqual(['b']);
    },
  );

  test('nobody counts on a time-out if it is said so', async () => {
    const wait = 'struct timespec t = {0}; pthread_cond_timedwait(&c, &m, &t);';
    const program = await programOf(inC({ sleeper: sleeper('', wait), waker: waker('') }));
    const model = withoutTimeouts({ kind: 'finite', program });
    expect((await waitersOf(finiteProgram(model)!)).tso).toEqual(['sleeper']);
  });

  test('fences of the sleeper and of the waker are what it takes', async () => {
    const program = await programOf(inC({ sleeper: sleeper(''), waker: waker('') }));
    const { verdict } = await fence(program, { rest: ['progress'] });
    expect(verdict).toMatchObject({ kind: 'found', cost: 2 });
  });

  test('those of C++ are the same', async () => {
    const text = (kind: string, lock: string, give: string): string => `
#include <condition_variable>
#include <mutex>
#include <thread>
static std::mutex m;
static std::${kind} c;
static volatile int x, y;
int main() {
  std::thread sleeper([] { std::unique_lock<std::mutex> held(m); y = 1; if (x == 0) c.wait(${lock}); });
  std::thread waker([] { x = 1; if (y == 1) { ${give} } });
  sleeper.join();
  waker.join();
}
`;
    const held = 'std::lock_guard<std::mutex> own(m); c.notify_one();';
    for (const kind of ['condition_variable', 'condition_variable_any']) {
      const program = await programOf(text(kind, 'held', held), true);
      expect((await waitersOf(program)).tso.length, kind).toBe(1);
    }
  });
});

/**
 * A program with a lost wake-up. The sleeper sleeps if it sees no work; the waker wakes the sleeper
 * only if it sees that the sleeper is about to sleep.
 */
const lost = {
  sleeper: 'y = 1; if (x == 0) sem_wait(&s);',
  waker: 'x = 1; if (y == 1) sem_post(&s);',
};

const endings: readonly Case[] = [
  {
    name: 'main waits for the sleeper',
    bodies: lost,
    expected: { ...none, tso: ['sleeper'] },
  },
  {
    name: 'main returns, whoever sleeps',
    bodies: lost,
    joins: 'waker',
    expected: none,
  },
  {
    name: 'main returns at once',
    bodies: lost,
    joins: '',
    expected: none,
  },
  {
    name: 'a thread ends the process',
    bodies: { ...lost, third: 'exit(0);' },
    expected: none,
  },
  {
    // The thread may also load after all others, and end alone.
    name: 'a thread ends the process if it looks early',
    bodies: { ...lost, third: 'if (x == 0) _exit(1);' },
    expected: { ...none, tso: ['sleeper'] },
  },
  {
    // The third thread loads after both others have loaded and their stores are in memory.
    name: 'a thread ends the process only where the stores are in memory, and nobody sleeps',
    bodies: { ...lost, third: 'while (x == 0 || y == 0); if (x == 2) abort();' },
    expected: { ...none, tso: ['sleeper'] },
  },
];

describe.skipIf(!clang)('the process ends', () => {
  test.each(endings)('$name', async ({ bodies, joins, expected }) => {
    const program = await programOf(inC(bodies, joins));
    expect(await waitersOf(program)).toMatchObject(expected);
  });

  test('not where main ends its own thread alone', async () => {
    const text = inC(lost, '').replace('return 0;\n}\n', 'pthread_exit(NULL);\n}\n');
    expect(text).toContain('pthread_exit');
    const program = await programOf(text);
    expect((await waitersOf(program)).tso).toEqual(['sleeper']);
  });

  test('where main has something else to do, and then returns', async () => {
    const text = (last: string): string =>
      inC(lost, 'waker').replace('return 0;\n}\n', `z = 2; FENCE; ${last}\n}\n`);
    expect((await waitersOf(await programOf(text('return z;')))).tso).toEqual([]);
    const waits = await programOf(text('pthread_join(t_sleeper, NULL); return z;'));
    expect((await waitersOf(waits)).tso).toContain('sleeper');
  });
});

test.skipIf(!clang)('fencewright_progress is a label, and claims progress to it', async () => {
  const server = `for (;;) {
  fencewright_progress("serves");
  y = 0;
  if (x == 0) while (!atomic_exchange(&kick, 0)) { }
  y = 1;
  x = 0;
  atomic_exchange(&done, 1);
}`;
  const client = `for (;;) {
  x = 1;
  if (y == 0) atomic_exchange(&kick, 1);
  while (!atomic_exchange(&done, 0)) { }
}`;
  const text = inC({ server, client }).replace(
    'static sem_t s;',
    '#include <fencewright.h>\nstatic atomic_int kick, done;',
  );
  const program = await programOf(text);
  expect(program.properties).toMatchObject([{ name: 'serves', kind: 'progress' }]);
  const { answer } = await reach(program);
  expect(answer).toMatchObject({ kind: 'breaks', claims: [{ kind: 'property', property: 0 }] });
  const { verdict } = await fence(program, { properties: ['serves'] });
  expect(verdict).toMatchObject({ kind: 'found', cost: 2 });
});
