import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { libraryFunctions } from '@fencewright/core/words';
import { fencewright, folderWith } from './fencewright.js';
import { isNeeded, why } from './needs-clang.js';

/*
 * Tests the table "What comes from outside" of docs/c.md: for each name in a row, a program here
 * shows the behaviour that the row states.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Row {
  /**
   * The names between backticks in the row's first column; without backticks, the column's text.
   */
  readonly names: readonly string[];
  readonly says: string;
}

/** The rows of the table in the documentation. */
function rowsOfTable(): readonly Row[] {
  const text = readFileSync(path.join(root, 'docs/c.md'), 'utf8');
  const section = text.split('\n## What comes from outside\n')[1]!.split('\n## ')[0]!;
  const rows = section.matchAll(/^\| (?!what \||-)(.*) \| (.*) \|$/gm);
  return [...rows].map(([, what = '', says = '']) => {
    const names = [...what.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    return { names: names.length > 0 ? names : [what], says };
  });
}

const headers = `#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#if __has_include(<sys/mman.h>)
#include <malloc.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/select.h>
#else
long getrandom(void *, size_t, unsigned);
long lrand48(void);
int getentropy(void *, size_t), mlock(const void *, size_t), mlockall(int), select(int, void *,
    void *, void *, void *), poll(void *, unsigned long, int), sched_setparam(int, const void *),
    sched_setscheduler(int, int, const void *), pthread_setschedprio(pthread_t, int),
    pthread_setschedparam(pthread_t, int, const void *),
    pthread_attr_setaffinity_np(pthread_attr_t *, size_t, const void *),
    pthread_mutexattr_setprotocol(pthread_mutexattr_t *, int);
void *mmap(void *, size_t, int, int, int, long), *memalign(size_t, size_t), *valloc(size_t),
    *reallocarray(void *, size_t, size_t);
char *strdup(const char *);
#endif
`;

/** Returns a C program with one thread, which executes `body`; `before` precedes the thread. */
function inThread(body: string, before = ''): string {
  return `${headers}${before}
void *run(void *u) {
  ${body}
  return u;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  return 0;
}
`;
}

/** For each name whose value the table calls a free choice, an expression of C with this value. */
const calls: Readonly<Record<string, string>> = {
  clock: 'clock()',
  clock_gettime: '({ struct timespec now; clock_gettime(0, &now); now.tv_sec; })',
  errno: '(puts("x"), errno)',
  fflush: 'fflush(stdout)',
  fprintf: 'fprintf(stderr, "x")',
  fputs: 'fputs("x", stdout)',
  gettimeofday: '({ struct timeval now; gettimeofday(&now, 0); now.tv_sec; })',
  hardware_concurrency: '(int)std::thread::hardware_concurrency()',
  lrand48: 'lrand48()',
  nanosleep: 'nanosleep(&moment, 0)',
  poll: 'poll(0, 0, 1)',
  printf: 'printf("x")',
  puts: 'puts("x")',
  rand: 'rand()',
  rand_r: 'rand_r(&seed)',
  random: 'random()',
  rdtsc: '(long)__builtin_ia32_rdtsc()',
  sched_getcpu: 'sched_getcpu()',
  select: 'select(0, 0, 0, 0, 0)',
  sleep: '(int)sleep(1)',
  sysconf: 'sysconf(84)',
  thrd_sleep: 'thrd_sleep(&moment, 0)',
  time: 'time(0)',
  usleep: 'usleep(1)',
  vfprintf: 'listed(1, "x")',
  vprintf: 'listed(2, "x")',
  vsnprintf: 'listed(3, "x")',
};
const values = `unsigned seed; struct timespec moment;
static int listed(int which, const char *format, ...) {
  char text[4];
  va_list rest;
  va_start(rest, format);
  int result = which == 1   ? vfprintf(stdout, format, rest)
               : which == 2 ? vprintf(format, rest)
                            : vsnprintf(text, 4, format, rest);
  va_end(rest);
  return result;
}`;

/** Returns a C program that asserts that `name` never has the value `number`. */
function never(name: string, number: number): string {
  if (name === 'argc')
    return inThread('').replace(
      'main(void) {',
      `main(int argc, char **argv) {\n  assert(argc != ${number});`,
    );
  const call = calls[name];
  if (call === undefined) throw new Error(`the choice ${name} has no program here`);
  const include = name === 'hardware_concurrency' ? '#include <thread>\n' : '';
  return `${include}${inThread(`assert(${call} != ${number});`, values)}`;
}

const extensionOf = (name: string): string => (name === 'hardware_concurrency' ? 'cpp' : 'c');

/**
 * For each function that never fails according to the table, a condition of C that is true if a
 * call fails.
 */
const looks: Readonly<Record<string, string>> = {
  malloc: 'malloc(4) == 0',
  calloc: 'calloc(1, 4) == 0',
  realloc: 'realloc(0, 4) == 0',
  aligned_alloc: 'aligned_alloc(16, 16) == 0',
  posix_memalign: 'posix_memalign(&block, 16, 16) != 0',
  pthread_create: 'pthread_create(&thread, 0, other, 0) != 0',
  thrd_create: 'thrd_create(&c11, another, 0) != thrd_success',
  atexit: 'atexit(last) != 0',
  putchar: "putchar('x') < 0",
  pthread_attr_init: 'pthread_attr_init(&attributes) != 0',
  pthread_attr_setstacksize: 'pthread_attr_setstacksize(&attributes, 65536) != 0',
  pthread_mutexattr_init: 'pthread_mutexattr_init(&kind) != 0',
  pthread_mutex_init: 'pthread_mutex_init(&mutex, 0) != 0',
  mtx_init: 'mtx_init(&plain, mtx_plain) != thrd_success',
  pthread_cond_init: 'pthread_cond_init(&condition, 0) != 0',
  cnd_init: 'cnd_init(&signal) != thrd_success',
  pthread_rwlock_init: 'pthread_rwlock_init(&lock, 0) != 0',
  pthread_rwlock_rdlock: 'pthread_rwlock_rdlock(&lock) != 0',
  pthread_barrier_init: 'pthread_barrier_init(&barrier, 0, 2) != 0',
  pthread_spin_init: 'pthread_spin_init(&spin, 0) != 0',
  sem_init: 'sem_init(&semaphore, 0, 1) != 0',
  pthread_key_create: 'pthread_key_create(&key, 0) != 0',
  pthread_setspecific: '(pthread_key_create(&key, 0), pthread_setspecific(key, &key)) != 0',
  tss_create: 'tss_create(&slot, 0) != thrd_success',
  tss_set: '(tss_create(&slot, 0), tss_set(slot, &slot)) != thrd_success',
  eventfd: 'eventfd(0, 0) < 0',
  pthread_setname_np: 'pthread_setname_np(thread, "x") != 0',
  pthread_setaffinity_np: 'pthread_setaffinity_np(thread, 8, &failed) != 0',
  sched_setaffinity: 'sched_setaffinity(0, 8, &failed) != 0',
  mmap: 'mmap(0, 4096, 3, 0x22, -1, 0) == (void *)-1',
  memalign: 'memalign(16, 16) == 0',
  valloc: 'valloc(16) == 0',
  reallocarray: 'reallocarray(0, 4, 4) == 0',
  strdup: 'strdup("x") == 0',
  fputc: "fputc('x', stdout) < 0",
  putc: "putc('x', stdout) < 0",
  fwrite: 'fwrite("x", 1, 1, stdout) != 1',
  mlock: 'mlock(&failed, 4) != 0',
  mlockall: 'mlockall(1) != 0',
  getrandom: 'getrandom(&failed, 4, 0) != 4',
  getentropy: 'getentropy(&failed, 4) != 0',
  sched_setscheduler: 'sched_setscheduler(0, 1, &kind) != 0',
  sched_setparam: 'sched_setparam(0, &kind) != 0',
  pthread_setschedparam: 'pthread_setschedparam(thread, 1, &kind) != 0',
  pthread_setschedprio: 'pthread_setschedprio(thread, 1) != 0',
  pthread_attr_setaffinity_np: 'pthread_attr_setaffinity_np(&attributes, 8, &failed) != 0',
  pthread_mutexattr_setprotocol: 'pthread_mutexattr_setprotocol(&kind, 1) != 0',
};
const objects = `void *block; pthread_t thread; thrd_t c11; pthread_attr_t attributes;
pthread_mutexattr_t kind; pthread_mutex_t mutex; mtx_t plain; pthread_cond_t condition;
cnd_t signal; pthread_rwlock_t lock; pthread_barrier_t barrier; pthread_spinlock_t spin;
sem_t semaphore; pthread_key_t key; tss_t slot; int failed;
void *other(void *u) { return u; }
int another(void *u) { return 0; }
void last(void) {}`;

/** Returns the words of the answer's assumption that the function never fails. */
const saidOf = (name: string): string =>
  /alloc|memalign|^new$/.test(name) ? 'malloc never fails' : `${name} never fails`;

function looking(name: string): string {
  const condition = looks[name];
  if (condition === undefined) throw new Error(`what is assumed of ${name} has no program here`);
  const statement = `if (${condition}) failed = 1;`;
  // Functions registered by `atexit` must be known before threads start.
  return name === 'atexit'
    ? inThread('', objects).replace('pthread_t t;', `${statement}\n  pthread_t t;`)
    : inThread(statement, objects);
}

/** C++ programs that need an assumption of the table, by the name in the table. */
const inCxx: Readonly<Record<string, string>> = {
  'std::thread': '#include <thread>\nint main() { std::thread t([] {}); t.join(); }\n',
  new: 'int *p;\nint main() { p = new int(1); }\n',
};

/**
 * Refused programs, by the name in the table: the text, the place of the error, and the message.
 */
const refused: Readonly<Record<string, { text: string; place: string; says: RegExp }>> = {
  'argv[i]': {
    text: `int first;\nint main(int argc, char **argv) {\n  first = argv[0][0];\n}\n`,
    place: '3:11',
    says: /the text of command-line arguments is unknown/,
  },
  environment: {
    text: `int first;\nint main(int argc, char **argv, char **envp) {\n  first = envp[0] != 0;\n}\n`,
    place: '3:11',
    says: /the text of environment variables is unknown/,
  },
};

/** A declaration of a function that no header declares and the table does not mention. */
const unknownFunction = 'long ioctl(int, const void *, unsigned long);\n';

const rows = rowsOfTable();
const kindOf = ({ says }: Row): string => /^[a-z]+/.exec(says)![0];
const namesOf = (kind: string): readonly string[] =>
  rows.filter((row) => kindOf(row) === kind).flatMap(({ names }) => names);

test('the table has rows of four kinds, and each name in it has a program here', () => {
  expect([...new Set(rows.map(kindOf))].sort()).toEqual(['any', 'assumed', 'refused', 'what']);
  expect([...namesOf('any')].sort()).toEqual([...Object.keys(calls), 'argc'].sort());
  const assumed = [...Object.keys(looks), ...Object.keys(inCxx)];
  expect([...namesOf('assumed')].sort()).toEqual(assumed.sort());
  expect(namesOf('refused')).toEqual(['argv[i]']);
  expect(rows.filter((row) => kindOf(row) === 'refused')).toHaveLength(1);
  expect(namesOf('what')).toEqual(['all other functions of the headers']);
  // The table in the code has no further functions, apart from those that compilers call.
  const inCode = (kind: string): readonly string[] =>
    [...libraryFunctions].flatMap(([name, source]) =>
      source.kind === kind && !name.startsWith('_') ? [name] : [],
    );
  expect([...inCode('free'), 'argc'].sort()).toEqual([...namesOf('any')].sort());
  expect([...inCode('assumed')].sort()).toEqual(Object.keys(looks).sort());
});

interface Told {
  readonly file: string;
  readonly verdict: string;
  readonly assumptions?: readonly { readonly name: string; readonly text: string }[];
  readonly sc?: { readonly failedAssertions?: readonly unknown[] };
  readonly diagnostics: readonly {
    readonly severity: string;
    readonly message: string;
    readonly hint?: string;
    readonly line?: number;
    readonly column?: number;
  }[];
}

/** Returns the answer of `reach` or `check` for each file, by file name. */
async function toldOf(args: readonly string[], cwd: string): Promise<ReadonlyMap<string, Told>> {
  const { stdout, stderr } = await fencewright([...args, '--json'], { cwd });
  expect(stdout, stderr).not.toBe('');
  const { results } = JSON.parse(stdout) as { readonly results: readonly Told[] };
  return new Map(results.map((each) => [each.file, each]));
}

/** Returns the lowest and the highest number that a row of the table allows. */
function boundsOf(name: string): readonly [low: number, high: number] {
  const { says } = rows.find(({ names }) => names.includes(name))!;
  const [, low, high] = /^any number from (-?\d+) to (\d+)$/.exec(says)!;
  return [Number(low), Number(high)];
}

describe.runIf(isNeeded)(`the table of what comes from outside${why}`, () => {
  test('each number of a free choice is reachable, and no other', async () => {
    const files: Record<string, string> = {};
    const isReachable = new Map<string, boolean>();
    for (const name of namesOf('any')) {
      const [low, high] = boundsOf(name);
      const middle = Math.floor((low + high) / 2);
      const inside = [...new Set([low, middle, high])];
      for (const number of [...inside, low - 1, ...(high < 2 ** 31 - 1 ? [high + 1] : [])]) {
        const file = `${name}_${number}.${extensionOf(name)}`;
        files[file] = never(name, number);
        isReachable.set(file, inside.includes(number));
      }
    }
    const cwd = await folderWith(files);
    const told = await toldOf(['reach', ...Object.keys(files)], cwd);
    const failing = new Map(
      [...told].map(([file, { sc }]) => [file, (sc?.failedAssertions ?? []).length > 0]),
    );
    expect(failing).toEqual(isReachable);
  });

  test('--assume narrows each free choice, and the answer says so', async () => {
    const names = namesOf('any').filter((name) => name !== 'argc');
    const files: Record<string, string> = {};
    for (const name of names)
      for (const number of boundsOf(name))
        files[`${name}_${number}.${extensionOf(name)}`] = never(name, number);
    const cwd = await folderWith(files);
    const options = names.flatMap((name) => ['--assume', `${name}=${boundsOf(name)[0]}`]);
    const told = await toldOf(['reach', ...options, ...Object.keys(files)], cwd);
    for (const name of names) {
      const [low, high] = boundsOf(name);
      for (const number of [low, high]) {
        const file = `${name}_${number}.${extensionOf(name)}`;
        const { assumptions = [], verdict, sc, diagnostics } = told.get(file)!;
        const isWrong = (sc?.failedAssertions ?? []).length > 0;
        expect([file, isWrong, verdict === 'error'], JSON.stringify(diagnostics)).toEqual([
          file,
          number === low,
          false,
        ]);
        expect(assumptions).toContainEqual({ name, text: `${name}() is ${low}` });
      }
    }
  });

  test('--args narrows argc', async () => {
    const cwd = await folderWith({ '1.c': never('argc', 1), '2.c': never('argc', 2) });
    const told = await toldOf(['reach', '--args', '2..3', '1.c', '2.c'], cwd);
    for (const [file, isWrong] of [
      ['1.c', false],
      ['2.c', true],
    ] as const) {
      const { assumptions, sc } = told.get(file)!;
      expect([file, (sc?.failedAssertions ?? []).length > 0]).toEqual([file, isWrong]);
      expect(assumptions).toEqual([{ name: 'argc', text: 'argc is 2 to 3' }]);
    }
  });

  test('what is assumed is said in the text, in the JSON document and in SARIF', async () => {
    const files = new Map<string, readonly [text: string, said: string]>();
    for (const name of Object.keys(looks)) files.set(`${name}.c`, [looking(name), saidOf(name)]);
    for (const [name, text] of Object.entries(inCxx))
      files.set(`${name.replace('::', '_')}.cpp`, [text, saidOf(name)]);
    const names = [...files.keys()];
    const cwd = await folderWith(
      Object.fromEntries([...files].map(([name, [text]]) => [name, text])),
    );
    const told = await toldOf(['check', ...names], cwd);
    const { stdout } = await fencewright(['check', '--report', 'sarif=out.sarif', ...names], {
      cwd,
    });
    const log = JSON.parse(readFileSync(path.join(cwd, 'out.sarif'), 'utf8')) as {
      readonly runs: readonly [
        {
          readonly artifacts: readonly {
            readonly location: { readonly uri: string };
            readonly properties?: { readonly assumptions?: Told['assumptions'] };
          }[];
        },
      ];
    };
    for (const [file, [, said]] of files) {
      const assumptions = told.get(file)?.assumptions ?? [];
      const { verdict, diagnostics } = told.get(file)!;
      expect([file, verdict], JSON.stringify(diagnostics)).toEqual([file, 'robust']);
      expect([file, assumptions.map(({ text }) => text)]).toEqual([
        file,
        expect.arrayContaining([said]),
      ]);
      const artifact = log.runs[0].artifacts.find(({ location }) => location.uri === file);
      expect([file, artifact?.properties?.assumptions]).toEqual([file, assumptions]);
      const start = `\n${stdout}`.indexOf(`\n${file} is robust`);
      const ofFile = stdout.slice(start).split(/\n(?=\S)/)[0];
      expect(ofFile).toContain(`assumes: ${said}`);
    }
  });

  test('the option for arguments is advised for arguments alone', async () => {
    const cwd = await folderWith({
      'words.c': refused['argv[i]']!.text,
      'environment.c': refused.environment!.text,
    });
    const said = async (file: string): Promise<string> =>
      (await fencewright(['check', file], { cwd })).stderr;
    expect(await said('words.c')).toContain('set to 1, means no arguments');
    expect(await said('environment.c')).not.toContain('`args`');
  });

  test('what has no model is refused by name, with the place and a hint', async () => {
    const files = Object.fromEntries(
      Object.values(refused).map(({ text }, i) => [`${i}.c`, text] as const),
    );
    const named = `${unknownFunction}int main(void) {\n  ioctl(1, "x", 1);\n}\n`;
    const cwd = await folderWith({ ...files, 'ioctl.c': named });
    const told = await toldOf(['check', ...Object.keys(files), 'ioctl.c'], cwd);
    const expected = [
      ...Object.values(refused).map(({ place, says }, i) => ({ file: `${i}.c`, place, says })),
      { file: 'ioctl.c', place: '3:3', says: /'ioctl' has no body and no model/ },
    ];
    for (const { file, place, says } of expected) {
      const { verdict, diagnostics } = told.get(file)!;
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      expect([file, verdict, errors.length]).toEqual([file, 'error', 1]);
      const [{ message, hint, line, column }] = errors as [Told['diagnostics'][number]];
      expect(message).toMatch(says);
      expect([file, `${line}:${column}`]).toEqual([file, place]);
      expect(hint?.length).toBeGreaterThan(0);
    }
    const { stderr } = await fencewright(['check', 'ioctl.c'], { cwd });
    expect(stderr).toContain("ioctl.c:3:3: error FW1012: 'ioctl' has no body and no model");
  });
});
