import { describe, expect, test } from 'vitest';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
    const folder = freshFolder();
    writeFileSync(path.join(folder, 'a.c'), 'int main(void) { return 0; }\n');
    const log = path.join(freshFolder(), 'log');
    const clang = fakeCompiler(freshFolder(), `for a; do :; done; echo "$a" >> '${log}'; ${ir}`);
    const units = [{ file: 'a.c' }];
    const one = await compileC(clang, units, { folder, shipped });
    expect(await compileC(clang, units, { folder, shipped })).toEqual(one);
    const library = path.join(shipped, 'library.c');
    expect(readFileSync(log, 'utf8').split('\n')).toEqual(['a.c', library, 'a.c', '']);
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
    const body = `sleep 1000 & echo $! > '${notes}/pid'; wait`;
    const compiled = await compile(body, { signal: abort.signal, timeout: 60_000 });
    expect(compiled).toEqual({ kind: 'stopped', reason: 'cancelled' });
    const pid = Number(readFileSync(path.join(notes, 'pid'), 'utf8'));
    expect(pid).toBeGreaterThan(1);
    // The system may take a moment to bury it.
    await expect.poll(() => isRunning(pid), { timeout: 5000 }).toBe(false);
  });

  test.each([
    ['is killed', 'kill -SEGV $$', 'clang was ended by a signal'],
    ['crashes', 'echo "PLEASE submit a bug report" >&2; exit 139', 'code 139: PLEASE submit'],
    ['fails without a word', 'exit 1', 'clang ended with code 1'],
    ['prints nothing', 'exit 0', 'something else than LLVM IR'],
    ['prints nonsense', 'echo hello', 'something else than LLVM IR'],
    ['prints half of it', `printf "; ModuleID = 1\\ntarget trip"`, 'something else than LLVM IR'],
    ['prints bytes', 'head -c 1000 /dev/urandom', 'something else than LLVM IR'],
  ])('%s has failed', async (_, body, why) => {
    const compiled = await compile(body);
    expect(compiled.kind === 'failed' && compiled.why).toContain(why);
  });

  test.each(['while :; do echo endless; done', 'while :; do echo endless >&2; done'])(
    'prints without end is ended: %s',
    async (body) => {
      expect(await compile(body, { maxOutput: 1_000_000 })).toMatchObject({
        kind: 'failed',
        why: 'clang wrote more than any program needs',
      });
    },
  );

  test.runIf(process.platform === 'linux')('takes too much memory is ended', async () => {
    // A variable that doubles.
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

test.each(['-o', '-oout.ll', '-save-temps', '-MD', '-c', '-O2', '-Xclang', '@list', '-fplugin=x'])(
  'the argument %s is not the user’s to give',
  async (argument) => {
    const clang = fakeCompiler(freshFolder(), 'echo started >&2; exit 1');
    const units = [{ file: 'a.c', ccArgs: [argument, 'x'] }];
    const compiled = await compileC(clang, units, { folder: '/', shipped });
    expect(compiled).toEqual({ kind: 'forbidden', argument });
  },
);
