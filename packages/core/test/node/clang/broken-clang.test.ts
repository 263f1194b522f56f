import { describe, expect, test } from 'vitest';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { refusedArgument } from '../../../src/node/cc-arguments.js';
import { compileC, type CompileLimits } from '../../../src/node/compile-c.js';
import { isRunning } from '../../../src/node/is-running.js';
import { fakeCompiler, freshFolder, shipped } from './clangs.js';

const ir = 'printf "; ModuleID = 1\\ntarget triple = \\"x86_64-unknown-linux-gnu\\"\\n"';

function compile(body: string, limits: CompileLimits = {}, folder = freshFolder()) {
  writeFileSync(path.join(folder, 'a.c'), 'int main(void) { return 0; }\n');
  const clang = fakeCompiler(freshFolder(), body);
  return compileC(clang, [{ file: 'a.c' }], { folder, shipped, ...limits });
}

describe('a clang that', () => {
  test('does as it should gives modules, and the library last', async () => {
    const compiled = await compile(ir);
    expect(compiled.kind === 'compiled' && compiled.modules.map(({ file }) => file)).toEqual([
      'a.c',
      path.join(shipped, 'library.c'),
    ]);
  });

  test('does as it should compiles the library once', async () => {
    const folders = [freshFolder(), freshFolder()];
    for (const folder of folders)
      writeFileSync(path.join(folder, 'a.c'), 'int main(void) { return 0; }\n');
    // The run may create empty files, but must not write into files.
    const log = freshFolder();
    const body = `for a; do :; done; mkdir '${log}'/"$(basename "$a").$$"; ${ir}`;
    const clang = fakeCompiler(freshFolder(), body);
    const units = [{ file: 'a.c' }];
    const one = await compileC(clang, units, { folder: folders[0]!, shipped });
    expect(await compileC(clang, units, { folder: folders[1]!, shipped })).toEqual(one);
    const compiled = readdirSync(log).map((name) => path.parse(name).name);
    expect(compiled.sort()).toEqual(['a.c', 'a.c', 'library.c']);
  });

  test.each([
    ['15.0.6', 'exit 1', ir],
    ['16.0.6', ir, 'exit 1'],
    ['22.1.8', ir, 'exit 1'],
  ])('is version %s is told to leave files of the machine alone if it has them', async (...row) => {
    const [version, told, untold] = row;
    const body = `case " $* " in *" --no-default-config "*) ${told} ;; *) ${untold} ;; esac`;
    const folder = freshFolder();
    writeFileSync(path.join(folder, 'a.c'), 'int main(void) { return 0; }\n');
    const clang = { ...fakeCompiler(freshFolder(), body), version };
    const compiled = await compileC(clang, [{ file: 'a.c' }], { folder, shipped });
    expect(compiled.kind).toBe('compiled');
  });

  test('hangs is ended when the time is up', async () => {
    expect(await compile('exec sleep 1000', { timeout: 200 })).toEqual({
      kind: 'stopped',
      reason: 'time',
    });
  });

  test('hangs in a child is ended with it on Ctrl-C', async () => {
    const notes = freshFolder();
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 500);
    const body = `sleep 1000 & mkdir '${notes}'/$!; wait`;
    const compiled = await compile(body, { signal: abort.signal, timeout: 60_000 });
    expect(compiled).toEqual({ kind: 'stopped', reason: 'cancelled' });
    const pid = Number(readdirSync(notes)[0]);
    expect(pid).toBeGreaterThan(1);
    // The system may take a moment to remove the ended process.
    await expect.poll(() => isRunning(pid), { timeout: 600_000 }).toBe(false);
  });

  test.each([
    ['is killed', 'kill -SEGV $$', 'clang was ended by a signal'],
    ['crashes', 'echo "PLEASE submit a bug report" >&2; exit 139', 'code 139: PLEASE submit'],
    ['fails without a word', 'exit 1', 'clang ended with code 1'],
    ['prints nothing', 'exit 0', 'clang did not print LLVM IR'],
    ['prints nonsense', 'echo hello', 'clang did not print LLVM IR'],
    ['prints half of it', `printf "; ModuleID = 1\\ntarget trip"`, 'clang did not print LLVM IR'],
    ['prints bytes', 'head -c 1000 /dev/urandom', 'clang did not print LLVM IR'],
  ])('%s has failed', async (_, body, why) => {
    const compiled = await compile(body);
    expect(compiled.kind === 'failed' && compiled.why).toContain(why);
  });

  test.each(['while :; do echo endless; done', 'while :; do echo endless >&2; done'])(
    'prints without end is ended: %s',
    async (body) => {
      expect(await compile(body, { maxOutput: 1_000_000 })).toMatchObject({
        kind: 'failed',
        why: 'the output of clang is too large',
      });
    },
  );

  test.runIf(process.platform === 'linux')('takes too much memory is ended', async () => {
    // The script doubles a variable.
    const body = 'x=xxxxxxxxxxxxxxxx; while :; do x="$x$x"; done';
    const limits = { maxMemory: 64 * 2 ** 20, timeout: 60_000 };
    expect(await compile(body, limits)).toEqual({ kind: 'stopped', reason: 'memory' });
  });

  test('has messages gives them with their places, counted from zero', async () => {
    const body = [
      'echo "a b:7.c:3:9: warning: old style [-Wold]" >&2',
      'echo "a.c:4:1: error: no" >&2',
      'echo "clang: error: unknown argument: -x" >&2',
      'echo "2 errors generated." >&2',
      'exit 1',
    ].join('\n');
    const compiled = await compile(body);
    expect(compiled.kind === 'rejected' && compiled.messages.slice(0, 3)).toEqual([
      {
        severity: 'warning',
        place: { file: 'a b:7.c', line: 2, column: 8 },
        message: 'old style [-Wold]',
      },
      { severity: 'error', place: { file: 'a.c', line: 3, column: 0 }, message: 'no' },
      { severity: 'error', message: 'unknown argument: -x' },
    ]);
  });

  test('runs in the folder of the user leaves nothing there', async () => {
    const folder = freshFolder();
    await compile(ir, {}, folder);
    await compile('exec sleep 1000', { timeout: 100 }, folder);
    expect(readdirSync(folder)).toEqual(['a.c']);
  });
});

const writes = 'clang must not write files';
const hands = 'an argument that passes on other arguments is not allowed';
const runs = 'clang must not run other programs or plugins';
const changes = 'the analysed code must not be optimised or instrumented';

test.each([
  ...['-o', '-oout.ll', '-save-temps', '-MD', '-MF', '-fproc-stat-report=x'].map((each) => [
    each,
    writes,
  ]),
  ...['--coverage', '-fprofile-arcs', '-fmodules'].map((each) => [each, writes]),
  ...['-Xclang', '-Xclang=-load', '-Wp,-MD,x', '-Wa,x', '-Wl,x', '-mllvm', '--config=x'].map(
    (each) => [each, hands],
  ),
  ...['-fplugin=x', '-fpass-plugin=x', '-load', '-Bx', '-specs=x', '-wrapper'].map((each) => [
    each,
    runs,
  ]),
  ...['-O2', '-ftrapv', '-pg', '-fsanitize=thread', '-finstrument-functions', '-fopenmp'].map(
    (each) => [each, changes],
  ),
  ['-finstrument-functions-after-inlining', changes],
  ['-c', 'the kind of output is fixed'],
  ['-m32', 'programs are compiled for x86-64 with 64 bits'],
  ['-march=native', 'results must not depend on the machine'],
  ['@list', 'a file of arguments is not allowed'],
  ['other.c', 'name further files to compile by --link'],
  ['--', 'name further files to compile by --link'],
  ['-fwhatever-comes', 'the allowed arguments are'],
  ['-fwrapv=1', 'the allowed arguments are'],
])('the argument %s is not the user’s to give', async (argument, why) => {
  const clang = fakeCompiler(freshFolder(), 'echo started >&2; exit 1');
  const units = [{ file: 'a.c', ccArgs: ['-Wall', '-D', '-pg', argument, '-Wextra'] }];
  const compiled = await compileC(clang, units, { folder: '/', shipped });
  expect(compiled).toEqual({
    kind: 'forbidden',
    argument,
    why: expect.stringContaining(why) as string,
  });
});

test('an option that lacks its value would swallow the next argument', async () => {
  const clang = fakeCompiler(freshFolder(), 'echo started >&2; exit 1');
  const units = [{ file: 'a.c', ccArgs: ['-I'] }];
  const compiled = await compileC(clang, units, { folder: '/', shipped });
  expect(compiled).toEqual({ kind: 'forbidden', argument: '-I', why: 'the value is missing' });
});

test('a list of arguments is none, in the place of a value neither', () => {
  expect(refusedArgument(['-include', '@list'])).toMatchObject({ argument: '-include' });
});

test('arguments about the language, warnings, headers and processors may be given', () => {
  const allowed = [
    ...[
      '-Wall',
      '-Wno-unused',
      '-Werror=return-type',
      '-Wframe-larger-than=1024',
      '-w',
      '-pedantic',
    ],
    ...[
      '-std=c11',
      '-D',
      'A=1',
      '-DB',
      '-UC',
      '-I',
      'x',
      '-isystemx',
      '-iquote',
      'x',
      '-idirafterx',
    ],
    ...[
      '-include',
      'x.h',
      '-imacrosx.h',
      '-pthread',
      '-fno-exceptions',
      '-fexceptions',
      '-fno-rtti',
      '-fms-extensions',
    ],
    ...['-fcommon', '-fno-common', '-fsigned-char', '-funsigned-char', '-fshort-enums', '-fwrapv'],
    ...['-ffreestanding', '-fno-strict-aliasing', '-fPIC', '-fvisibility=hidden', '-O0', '-g'],
    ...['-mcx16', '-mno-sse4.2', '-mavx2', '-march=x86-64-v3', '-mno-red-zone', '-m64'],
  ];
  expect(refusedArgument(allowed)).toBeUndefined();
});

test('clang writes no file with anything in it, and no variable has a say', async () => {
  const folder = freshFolder();
  const writing = await compile(`echo x > '${folder}/x' || exit 153`);
  expect(writing).toEqual({ kind: 'failed', file: 'a.c', why: 'clang wanted to write a file' });
  process.env.CC_PRINT_PROC_STAT_FILE = 'x';
  try {
    const seen = await compile(`[ -z "$CC_PRINT_PROC_STAT_FILE" ] && ${ir}`);
    expect(seen.kind).toBe('compiled');
  } finally {
    delete process.env.CC_PRINT_PROC_STAT_FILE;
  }
});
