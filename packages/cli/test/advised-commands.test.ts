import { expect, test } from 'vitest';
import { adviceInWords } from '../src/advice-in-words.js';
import { clangValues } from '../src/options/clang-arguments.js';
import { repeatedArguments } from '../src/repeated-arguments.js';
import { fencewright, folderWith } from './fencewright.js';

const given = repeatedArguments({
  args: '2',
  link: ['queue.c', 'a b.c'],
  ...clangValues(['-Iinc', '-DSIZE=2', '-std=c17', '-funsigned-char']),
});

test('commands that are advised repeat the options and arguments about C', () => {
  const advised = adviceInWords(
    { kind: 'find-fences', file: 't.c', happensBefore: 'value' },
    given,
  );
  expect(advised).toBe(
    "fencewright fence --hb value --args 2 --link queue.c --link 'a b.c' t.c -- -DSIZE=2 -Iinc -std=c17 -funsigned-char",
  );
  expect(adviceInWords({ kind: 'show-failure', file: 't.fw' })).toBe('fencewright explain t.fw');
});

test('what the configuration supplies is not repeated', () => {
  const configured = { file: 'fencewright.json', settings: [], options: ['include', 'assume'] };
  const { options, forClang } = repeatedArguments({
    ...{ args: '2', assume: ['n=1..2'], configured },
    ...clangValues(['-Iinc', '-std=c17']),
  });
  expect([options, forClang]).toEqual(['--args 2 ', ' -- -std=c17']);
});

test('the names of configured options arrive where commands are advised', async () => {
  const cwd = await folderWith({
    'fencewright.json': '{ "c": { "define": ["N=1"] } }',
    't.c': `#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int r;
static void *t(void *unused) {
  atomic_store_explicit(&x, N, memory_order_release);
  r = atomic_load(&y);
  return unused;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, t, 0);
  atomic_store_explicit(&y, 1, memory_order_release);
  int s = atomic_load(&x);
  pthread_join(id, 0);
  return r + s;
}
`,
  });
  const { code, stdout } = await fencewright(['check', 't.c', '--', '-Iinc'], { cwd });
  expect(code).toBe(10);
  expect(stdout).toContain('fencewright fence t.c -- -Iinc finds');
  const bare = await fencewright(['check', 't.c'], { cwd });
  expect(bare.stdout).toContain('fencewright fence t.c finds');
});

test('advice about C11 repeats the options for C, and does not name other engines', async () => {
  const cwd = await folderWith({
    'mp.c': `#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, flag;
static void *t(void *unused) {
  atomic_store_explicit(&data, N, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, t, 0);
  int r = 0;
  if (atomic_load_explicit(&flag, memory_order_relaxed))
    r = atomic_load_explicit(&data, memory_order_relaxed);
  pthread_join(id, 0);
  return r;
}
`,
    'section.fw': `program Section
var x, y
thread t { atomic { x = 1; y = 1; } }
thread u { local r; r = load(x, relaxed); r = load(y, relaxed); }
`,
    'fault.fw': `program Fault
var x
thread t { local r; r = load(x); r = 1 / r; }
thread u { store(x, 1); }
`,
  });
  const ofC11 = ['--model', 'c11'];
  const check = await fencewright(['check', ...ofC11, 'mp.c', '--', '-DN=1'], { cwd });
  expect(check.stdout).toContain('hint: fencewright fence --model c11 mp.c -- -DN=1 finds');
  const advised = await fencewright(['fence', ...ofC11, 'mp.c', '--', '-DN=1'], { cwd });
  expect([advised.code, advised.stdout.includes('is robust against C11 with')]).toEqual([0, true]);
  for (const verb of ['check', 'fence']) {
    const { code, stdout } = await fencewright([verb, ...ofC11, 'section.fw'], { cwd });
    expect([
      code,
      stdout.includes('hint: write an atomic section as one read-modify-write'),
    ]).toEqual([5, true]);
    expect(stdout).not.toContain('--engine');
  }
  const fault = await fencewright(['check', ...ofC11, 'fault.fw'], { cwd });
  expect(fault.stdout).toContain('hint: fencewright check --model tso fault.fw shows the fault');
  const shown = await fencewright(['check', '--model', 'tso', 'fault.fw'], { cwd });
  expect(shown.stdout + shown.stderr).toContain('division by zero');
});

/** A robust program whose assertion fails under SC, too. */
const wrong = `program Wrong
var x
thread t { local r; x = 1; r = x; assert(r == 2); }
`;

test('robust is not called right where a program claims something', async () => {
  const cwd = await folderWith({ 'wrong.fw': wrong });
  const { code, stdout } = await fencewright(['fence', '--write', 'wrong.fw'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('wrong.fw: Wrong is already robust: no fence needed\n');
  expect(stdout).toContain(
    'hint: robust does not mean right: fencewright wrong.fw tells whether its claims hold',
  );
  expect(stdout).toContain('\nwrong.fw is unchanged\n');
  const asked = await fencewright(['wrong.fw'], { cwd });
  expect(asked.stdout).toContain('is wrong even without store buffers');
  // The exit code is about robustness; the hint names the option for the other question.
  expect(asked.code).toBe(0);
  const hint = 'robustness alone decides the exit code; with --fail-on violated it is 10';
  expect(asked.stdout).toContain(hint);
  const strict = await fencewright(['check', '--fail-on', 'violated', 'wrong.fw'], { cwd });
  expect([strict.code, strict.stdout.includes('decides the exit code')]).toEqual([10, false]);
});

test('the advice on a text that the fences have replaced begins with taking them back', async () => {
  const text = `program Sb
var x, y
thread a { local r; x = 1; r = y; }
thread b { local r; y = 1; r = x; }
`;
  const cwd = await folderWith({ 'sb.fw': text });
  const hint = 'hint: robust may be more than the program needs';
  const asked = await fencewright(['fence', 'sb.fw'], { cwd });
  expect(asked.stdout).toContain(hint);
  const { code, stdout } = await fencewright(['fence', '--write', 'sb.fw'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('becomes robust with 2 fences');
  expect(stdout).toContain(`${hint}: take the change back, and fencewright sb.fw tells what`);
});

test('orders that cannot help name the command that shows the assertion', async () => {
  const text = `program Wrong
var x
thread a { local r; r = load(x, relaxed); assert(r == 0); }
thread b { store(x, 1, relaxed); }
`;
  const cwd = await folderWith({ 'wrong.fw': text });
  const args = ['fence', '--model', 'c11', '--for', 'assertions', 'wrong.fw'];
  const { stdout } = await fencewright(args, { cwd });
  expect(stdout).toContain('hint: fencewright reach wrong.fw shows which, and an execution');
  expect((await fencewright(['reach', 'wrong.fw'], { cwd })).stdout).toContain('line 3');
});

test.each(['-Iinc', '-DN=2', '-std=c17', '-O2', '-fno-builtin'])(
  'an argument for clang in the wrong place is told where it belongs: %s',
  async (argument) => {
    const { code, stderr } = await fencewright(['check', argument, 'x.c']);
    expect(code).toBe(64);
    expect(stderr).toContain(`hint: arguments for clang stand behind --: FILE.c -- ${argument}`);
  },
);
