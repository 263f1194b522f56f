import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fencewright, folderWith } from './fencewright.js';
import { isNeeded, why } from './needs-clang.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const examples = path.join(root, 'examples/c');
const names = readdirSync(examples).filter((name) => /\.(c|cpp)$/.test(name));

const storeBuffering = `#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *left(void *a) { atomic_store_explicit(&x, 1, memory_order_relaxed); return (void *)(long)atomic_load(&y); }
void *right(void *a) { atomic_store_explicit(&y, 1, memory_order_relaxed); return (void *)(long)atomic_load(&x); }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
`;

const unbounded = `program P
var x
thread t { x = 1; }
`;

const schema = JSON.parse(
  readFileSync(path.join(root, 'packages/cli/schema/result.schema.json'), 'utf8'),
) as object;

interface Told {
  readonly verdict: string;
  readonly cost?: number;
  readonly fences?: readonly { readonly line: number }[];
  readonly diagnostics: readonly {
    code: string;
    message: string;
    line?: number;
    column?: number;
  }[];
}

function told(stdout: string): Told {
  return (JSON.parse(stdout) as { results: Told[] }).results[0]!;
}

test('without clang a file in C is refused with the ways to get one', async () => {
  const cwd = await folderWith({ 'a.c': storeBuffering });
  const run = await fencewright(['check', 'a.c'], { cwd, env: { PATH: '/nowhere' } });
  // If the package is installed beside the tests, it is found only from its own folder.
  if (run.code === 10) return;
  expect(run).toMatchObject({ code: 65, stdout: '' });
  expect(run.stderr).toContain('C needs clang: install clang 15 or later');
  expect(run.stderr).toContain('npm install @yowasp/clang');
});

test('what lies in the folder is not run: no package with a clang, no solver by `.` in the PATH', async () => {
  const cwd = await folderWith({ 'a.c': storeBuffering, 'a.fw': unbounded });
  const planted = path.join(cwd, 'node_modules/@yowasp/clang');
  mkdirSync(path.join(planted, 'gen'), { recursive: true });
  writeFileSync(path.join(planted, 'package.json'), '{"version": "21.1.4", "type": "module"}');
  const evil = `import { writeFileSync } from 'node:fs'; writeFileSync('${cwd}/was-run', '');`;
  writeFileSync(path.join(planted, 'gen/bundle.js'), evil);
  for (const name of ['clang', 'z3'])
    writeFileSync(path.join(cwd, name), '#!/bin/sh\n: > was-run\n', { mode: 0o755 });
  // The folder as an entry of the PATH, and an empty entry, which stands for the folder.
  const env = { PATH: '/nowhere:.:' };
  await fencewright(['check', 'a.c'], { cwd, env });
  await fencewright(['prove', 'a.fw'], { cwd, env });
  expect(readdirSync(cwd)).not.toContain('was-run');
});

describe.runIf(isNeeded)(`with clang${why}`, () => {
  test.each(names)('%s: verdict and fences', async (name) => {
    const expected = JSON.parse(
      readFileSync(path.join(examples, `${path.parse(name).name}.expected.json`), 'utf8'),
    ) as { verdict: string; fences: number };
    const { stdout, code } = await fencewright(['fence', '--json', path.join(examples, name)]);
    const { verdict, cost, fences = [], diagnostics } = told(stdout);
    expect({ verdict, code }).toEqual({ verdict: expected.verdict, code: 0 });
    // A place of code that is inlined several times is one place in the text.
    expect([cost, fences.length]).toEqual([expected.fences, expected.fences]);
    expect(diagnostics.filter(({ code: each }) => each === 'FW5004')).toHaveLength(1);
  });

  test('check, explain, reach and convert read C; the report says once what it is about', async () => {
    const cwd = await folderWith({ 'a.c': storeBuffering });
    for (const [verb, code] of [
      ['check', 10],
      ['explain', 10],
      // The results of threads are part of a final state: under TSO both may return 0.
      ['reach', 10],
    ] as const) {
      const run = await fencewright([verb, 'a.c'], { cwd });
      expect([verb, run.code]).toEqual([verb, code]);
      expect(run.stderr.split('assumes that the compiler keeps every access')).toHaveLength(2);
      expect(run.stderr).toMatch(/compiled by clang \d+[\d.]* as gnu11 /);
      const older = await fencewright([verb, 'a.c', '--', '-std=c17'], { cwd });
      expect(older.stderr).toMatch(/compiled by clang \d+[\d.]* as c17 /);
    }
    const native = await fencewright(['convert', 'a.c', '--to', 'native'], { cwd });
    expect(native.code).toBe(0);
    const again = await fencewright(['check', '-', '--from', 'native'], { input: native.stdout });
    expect(again.code).toBe(10);
  });

  test('where the language keeps the order of accesses, texts do not speak of the compiler', async () => {
    const text = (order: string): string => `#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *left(void *a) {
  atomic_store_explicit(&x, 1, memory_order_release);
  atomic_load_explicit(&y, memory_order_${order});
  return a;
}
static void *right(void *a) {
  atomic_store(&y, 1);
  atomic_load(&x);
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, left, 0);
  pthread_create(&u, 0, right, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
`;
    const cwd = await folderWith({ 'a.c': text('acquire'), 'b.c': text('relaxed') });
    const [ordered, relaxed] = await Promise.all(
      ['a.c', 'b.c'].map((name) => fencewright(['check', name], { cwd })),
    );
    expect(ordered!.stderr).toBe('');
    expect(relaxed!.stderr).toContain('keeps every access in source order');
    const { stdout } = await fencewright(['check', '--json', 'a.c'], { cwd });
    const [remark, ...more] = told(stdout).diagnostics;
    expect(more).toEqual([]);
    expect(remark?.code).toBe('FW5004');
    expect(remark?.message).toMatch(/^compiled by clang [^:]*$/);
  });

  test.each(['ü.c', 'a b\\c.c', '日本.c'])(
    'places of a file called %s have their text',
    async (name) => {
      // LLVM IR has such names with escapes.
      const cwd = await folderWith({ [name]: storeBuffering });
      const { stdout } = await fencewright(['check', name], { cwd });
      expect(stdout).toContain("waits in left's store buffer");
      expect(stdout).toMatch(/^ +\d+ \| .*x/m);
      expect(stdout).not.toMatch(/\\[0-9A-F]{2}| of '/);
    },
  );

  test('data races are told in text, JSON, SARIF and HTML, and count where that is asked', async () => {
    const racy = (lock: string) => `#include <pthread.h>
static int flag;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *left(void *a) {
  ${lock}
  flag = 1;
  pthread_mutex_unlock(&mutex);
  return a;
}
static void *right(void *a) {
  pthread_mutex_lock(&mutex);
  int seen = flag;
  pthread_mutex_unlock(&mutex);
  return (void *)(long)seen;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
`;
    const cwd = await folderWith({ 'a.c': racy(';'), 'b.c': racy('pthread_mutex_lock(&mutex);') });
    const text = await fencewright(['check', 'a.c'], { cwd });
    expect(text.code).toBe(0);
    expect(text.stderr).toContain(
      "a.c:6:8: warning FW3010: data race on 'flag': this plain store in 'left' and the plain load in 'right' at 12:14 can happen at the same time",
    );
    expect(text.stderr).toMatch(
      /\n {3}6 \| {3}flag = 1;\n[\s\S]*\n {2}12 \| {3}int seen = flag;\n/,
    );
    const json = await fencewright(['check', 'a.c', '--json', '--fail-on', 'races'], { cwd });
    expect(json.code).toBe(10);
    const ajv = new Ajv2020({ strict: false });
    expect(ajv.validate(schema, JSON.parse(json.stdout)), JSON.stringify(ajv.errors)).toBe(true);
    expect((JSON.parse(json.stdout) as { results: object[] }).results[0]).toMatchObject({
      verdict: 'robust',
      races: {
        complete: true,
        found: [
          {
            cell: 'flag',
            accesses: [
              { thread: 'left', line: 6, access: 'store', kind: 'plain' },
              { thread: 'right', line: 12, access: 'load', kind: 'plain' },
            ],
          },
        ],
      },
    });
    expect(told(json.stdout).diagnostics).toContainEqual(
      expect.objectContaining({
        code: 'FW3010',
        line: 6,
        related: { line: 12, column: 14, message: "plain load of 'flag'" },
      }),
    );
    const sarif = await fencewright(['check', 'a.c', '--report', 'sarif=-'], { cwd });
    const { runs } = JSON.parse(sarif.stdout) as {
      runs: { results: { ruleId: string; relatedLocations?: object[] }[] }[];
    };
    expect(runs[0]!.results.find(({ ruleId }) => ruleId === 'FW3010')).toMatchObject({
      level: 'warning',
      locations: [{ physicalLocation: { region: { startLine: 6 } } }],
      relatedLocations: [{ physicalLocation: { region: { startLine: 12 } } }],
    });
    expect((await fencewright(['explain', 'a.c', '--report', 'html=a.html'], { cwd })).code).toBe(
      0,
    );
    expect(readFileSync(path.join(cwd, 'a.html'), 'utf8')).toMatch(
      /<code>a\.c:6:8<\/code> warning FW3010:\s+data race on/,
    );
    const free = await fencewright(['check', 'b.c', '--fail-on', 'races'], { cwd });
    expect([free.code, free.stderr]).toEqual([0, expect.not.stringContaining('FW3010')]);
    const cut = ['check', 'b.c', '--fail-on', 'races', '--max-states', '4'];
    const unknown = await fencewright(cut, { cwd });
    expect([unknown.code, unknown.stdout]).toEqual([
      5,
      expect.stringContaining('data races were not looked for to the end'),
    ]);
  });

  test('a variable with several races gets one warning, which lists the places', async () => {
    const cwd = await folderWith({
      'a.c': `#include <pthread.h>
int count, slots[2];
static void *left(void *none) {
  count++;
  slots[0] = 1;
  slots[1] = 1;
  return 0;
}
static void *right(void *none) {
  if (count >= 0)
    count = 0;
  if (slots[0] + slots[1] > 1)
    count = 2;
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
`,
    });
    const run = await fencewright(['check', 'a.c', '--json'], { cwd });
    const { results } = JSON.parse(run.stdout) as { results: [{ races: { found: object[] } }] };
    const warnings = told(run.stdout).diagnostics.filter(({ code }) => code === 'FW3010');
    expect(warnings.map(({ message }) => message)).toEqual([
      // The store at line 13 does not race: it needs what `left` stores after its count.
      expect.stringMatching(
        /^data race on 'count': this plain store in 'left' and the plain load in 'right' at 10:7 can .*1 more pair of places races on 'count', also at 11:11$/,
      ),
      expect.stringMatching(
        /^data race on 'slots\[0\]': .* at 12:7 can .*; 1 more pair of places races on 'slots', also at 6:12 and 12:18$/,
      ),
    ]);
    const more = warnings.map(({ message }) => Number(/; (\d+) more/.exec(message)![1]));
    expect(results[0].races.found).toHaveLength(more[0]! + more[1]! + 2);
  });

  test('reach and fence warn of the data races that check warns of, and no others', async () => {
    const program = (guard: string): string => `#include <pthread.h>
pthread_mutex_t mutex;
int flag;
void *left(void *arg) {
  ${guard}
  flag = 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, left, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
`;
    const cwd = await folderWith({
      'racy.c': program('pthread_mutex_trylock(&mutex);'),
      'free.c': program('pthread_mutex_lock(&mutex);'),
    });
    const isValid = new Ajv2020({ strict: false }).compile(schema);
    for (const verb of ['check', 'reach', 'fence'])
      for (const [file, isRacy] of [
        ['racy.c', true],
        ['free.c', false],
      ] as const) {
        const run = await fencewright([verb, file, '--json'], { cwd });
        const document = JSON.parse(run.stdout) as { results: { races?: object }[] };
        expect(isValid(document), JSON.stringify(isValid.errors)).toBe(true);
        const { diagnostics } = told(run.stdout);
        const warnings = diagnostics.filter(({ code }) => code === 'FW3010');
        expect([verb, file, warnings.length]).toEqual([verb, file, isRacy ? 1 : 0]);
        expect(document.results[0]!.races).toMatchObject({ complete: true });
        if (!isRacy) continue;
        const text = await fencewright([verb, file], { cwd });
        expect(text.stderr).toContain('racy.c:6:8: warning FW3010');
        const cut = await fencewright([verb, file, '--max-states', '3'], { cwd });
        expect(cut.stdout).toContain('data races were not looked for to the end');
      }
  });

  test('standard input, and LLVM IR', async () => {
    const run = await fencewright(['check', '-', '--from', 'c'], { input: storeBuffering });
    expect(run.code).toBe(10);
    const bad = await fencewright(['check', '-', '--from', 'c'], {
      input: 'int main(void) { x; }',
    });
    expect(bad.code).toBe(65);
    expect(bad.stderr).toContain("use of undeclared identifier 'x'");
    const cwd = await folderWith({ 'a.ll': 'this is no IR\n', 'b.ll': '' });
    for (const file of ['a.ll', 'b.ll'])
      expect((await fencewright(['check', file], { cwd })).code).toBe(65);
  });

  test('all errors of clang are told, as it words them, each at its place', async () => {
    const cwd = await folderWith({
      'a.c': '#include "b.h"\nint main(void) {\n  /* \u00e9 */ x;\n  int a = ;\n}\n',
      'b.h': 'int broken(;\n',
    });
    const run = await fencewright(['check', '--json', 'a.c'], { cwd });
    expect(run.code).toBe(65);
    const { verdict, diagnostics } = told(run.stdout);
    expect(verdict).toBe('error');
    const at = (line: number) => diagnostics.filter((each) => each.line === line);
    expect(at(3)).toMatchObject([
      { code: 'FW5001', column: 11, message: "use of undeclared identifier 'x'" },
    ]);
    expect(at(4)).toMatchObject([{ code: 'FW5001', message: 'expected expression' }]);
    const text = await fencewright(['check', 'a.c'], { cwd });
    expect(text.stderr).toContain('b.h:1:12');
    expect(text.stdout).toBe('');
  });

  test('settings reach clang', async () => {
    const cwd = await folderWith({
      'a.c': `#include <mine.h>\n#ifndef WANTED\n#error not wanted\n#endif\n${storeBuffering}`,
      'compile_commands.json': '',
    });
    const include = path.join(cwd, 'include');
    spawnSync('mkdir', [include]);
    writeFileSync(path.join(include, 'mine.h'), '\n');
    expect((await fencewright(['check', 'a.c'], { cwd })).code).toBe(65);
    const given = ['--', '-Iinclude', '-DWANTED', '-std=c17'];
    expect((await fencewright(['check', 'a.c', ...given], { cwd })).code).toBe(10);
    const old = [
      '--include',
      'include',
      '--define',
      'WANTED=1',
      '--std',
      'c17',
      '--cc-arg',
      '-Wall',
    ];
    const told = await fencewright(['check', 'a.c', ...old], { cwd });
    expect(told.code).toBe(10);
    expect(told.stderr).toContain('fencewright: --include is an old spelling: write -- -IFOLDER\n');
    const command = 'cc -DWANTED -I include -o /tmp/x -c a.c';
    writeFileSync(
      path.join(cwd, 'compile_commands.json'),
      JSON.stringify([{ directory: cwd, file: 'a.c', command }]),
    );
    const database = ['--compile-commands', 'compile_commands.json'];
    expect((await fencewright(['check', 'a.c', ...database], { cwd })).code).toBe(10);
    const broken = await fencewright(['check', 'a.c', '--compile-commands', 'a.c'], { cwd });
    expect(broken.code).toBe(65);
    const forbidden = await fencewright(['check', 'a.c', '--', '-O2'], { cwd });
    expect(forbidden).toMatchObject({ code: 64, stdout: '' });
    expect(forbidden.stderr).toContain(
      '-O2 for clang is refused: the analysed code must not be optimised or instrumented',
    );
    for (const argument of ['-finstrument-functions', '-fproc-stat-report=x', '-Wp,-MD,x', 'b.c']) {
      const run = await fencewright(['check', 'a.c', '--', '-Wall', argument], { cwd });
      expect(run).toMatchObject({ code: 64, stdout: '' });
      expect(run.stderr).toContain(`the argument ${argument} for clang is refused: `);
    }
    const entry = { directory: '.', file: 'a.c', arguments: ['cc', '-DWANTED', '-ftrapv'] };
    writeFileSync(path.join(cwd, 'other.json'), JSON.stringify([entry]));
    const trapping = await fencewright(['check', 'a.c', '--compile-commands', 'other.json'], {
      cwd,
    });
    expect(trapping).toMatchObject({ code: 65, stdout: '' });
    expect(trapping.stderr).toContain('the argument -ftrapv for clang is refused: ');
    const no = await fencewright(['check', 'a.c', '--clang', './no'], { cwd });
    expect(no).toMatchObject({ code: 65, stdout: '' });
    expect(no.stderr).toContain('there is no such program');
  });

  test('files are linked by name', async () => {
    const cwd = await folderWith({
      'a.c': storeBuffering.replace(/void \*right.*\n/, 'void *right(void *a);\n'),
      'b.c': `#include <stdatomic.h>\nextern atomic_int x, y;\n${/void \*right.*\n/.exec(storeBuffering)![0]}`,
    });
    expect((await fencewright(['check', 'a.c', '--link', 'b.c'], { cwd })).code).toBe(10);
    expect((await fencewright(['check', 'a.c'], { cwd })).code).toBe(65);
  });

  test('names of files may be strange', async () => {
    for (const name of [
      'a b.c',
      "it's.c",
      '-o.c',
      '@x.c',
      '\u00e4 "q".c',
      '$(x).c',
      '%s.c',
      'a\nb.c',
    ]) {
      const cwd = await folderWith({ [name]: storeBuffering });
      const run = await fencewright(['check', '--', name], { cwd });
      expect([name, run.code, run.stderr]).toEqual([name, 10, expect.any(String)]);
    }
  });

  test('--threads says how many threads run a function, or that there are any number', async () => {
    const folder = path.join(root, 'packages/languages/test/fixtures/c/counted');
    const run = (...args: string[]) => fencewright(['check', ...args], { cwd: folder });
    expect(await run('pool.c', '--threads', 'worker=*')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('robust for any number of copies of worker') as string,
    });
    const some = await run('naive-lock.c', '--threads', 'worker=1..2', '--json');
    const { results } = JSON.parse(some.stdout) as { results: Told[] };
    expect(results.map(({ verdict }) => verdict)).toEqual(['robust', 'not-robust']);
    const native = await run('../../../../../../examples/peterson.fw', '--threads', 't0=*');
    expect(native).toMatchObject({ code: 65 });
    expect(native.stderr).toContain('is for programs in C');
  });

  test('a pipe is read once', async () => {
    const cwd = await folderWith({ 'a.c': storeBuffering });
    const binary = path.join(root, 'packages/cli/bin/fencewright.js');
    const command = `"${process.execPath}" "${binary}" check --from c <(cat a.c)`;
    const { status } = spawnSync('bash', ['-c', command], { cwd, timeout: 20_000 });
    expect(status).toBe(10);
  });

  test('limits hold for clang, too', async () => {
    const cwd = await folderWith({ 'a.c': storeBuffering });
    const slow = path.join(cwd, 'slow');
    writeFileSync(
      slow,
      '#!/bin/sh\ncase "$*" in *--version*) echo clang version 16.0.6;; *) touch "$(dirname "$0")/began"; sleep 900;; esac\n',
      { mode: 0o755 },
    );
    const run = await fencewright(['check', 'a.c', '--clang', slow, '--timeout', '1'], { cwd });
    expect(run.code).toBe(5);
    const began = path.join(cwd, 'began');
    rmSync(began, { force: true });
    const stopped = await fencewright(['check', 'a.c', '--clang', slow], {
      cwd,
      during: (kill) =>
        void vi.waitUntil(() => existsSync(began), 60_000).then(() => kill('SIGINT')),
    });
    expect(stopped.code).toBe(5);
  });

  test('texts that are broken are refused or decided, never our fault', async () => {
    const pieces = ['{', ')', ';', '"', '*', 'int ', '#', '\u0001', '0', 'x', '->', 'goto y;'];
    let state = 1;
    const below = (bound: number) => (state = (state * 48271) % 2147483647) % bound;
    const files: Record<string, string> = {};
    for (let i = 0; i < 24; i++) {
      const at = below(storeBuffering.length);
      const piece = pieces[below(pieces.length)]!;
      files[`${i}.c`] = storeBuffering.slice(0, at) + piece + storeBuffering.slice(at + below(4));
    }
    const cwd = await folderWith(files);
    const run = await fencewright(['check', '--json', '--timeout', '120', ...Object.keys(files)], {
      cwd,
    });
    const { results } = JSON.parse(run.stdout) as { results: Told[] };
    expect(results).toHaveLength(24);
    expect([65, 10]).toContain(run.code);
    expect(new Set(results.map(({ verdict }) => verdict)).has('error')).toBe(true);
  });
});
