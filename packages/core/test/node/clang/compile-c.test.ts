import { describe, expect, test } from 'vitest';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type CUnit, compileC } from '../../../src/node/compile-c.js';
import { knownFunction } from '../../../../languages/src/llvm-ir/known-functions.js';
import { allClangs, freshFolder, shipped } from './clangs.js';
import { usualCases } from '../../../../../tools/usual-cases.js';

const clangs = await allClangs();
const include = path.join(shipped, 'include');

function headersIn(folder: string): readonly string[] {
  return readdirSync(path.join(include, folder), { withFileTypes: true }).flatMap((each) =>
    each.isFile() ? [path.posix.join(folder, each.name)] : [],
  );
}

const forC = ['.', 'linux', 'asm'].flatMap(headersIn);
const forCxx = headersIn('c++').map((name) => path.posix.basename(name));

if (clangs.length === 0)
  describe.skip('headers (skipped: there is no clang, and no @yowasp/clang)', () => {
    test('are compiled', () => undefined);
  });

describe.each(clangs.map((clang) => [`${clang.kind} clang ${clang.version}`, clang] as const))(
  '%s',
  (_, clang) => {
    async function compile(files: Readonly<Record<string, string>>, units?: readonly CUnit[]) {
      const folder = freshFolder();
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        writeFileSync(path.join(folder, name), text);
      }
      const list = units ?? Object.keys(files).map((file) => ({ file }));
      const options = { folder, shipped, timeout: 250_000 };
      return { folder, compiled: await compileC(clang, list, options) };
    }

    test('compiles each header alone, and all together, without a word', async () => {
      const everything = [...forC, 'stdatomic.h', 'stdint.h'];
      // stdatomic.h and the kernel's headers declare equal names, so each is included without the
      // other.
      const alone = everything.map((name, i) => [`h${i}.c`, `#include <${name}>\n`] as const);
      const posix = everything.filter((name) => !/\/|lkmm/.test(name));
      const kernel = everything.filter((name) => !/atomic\.h$|threads\.h/.test(name));
      const all = (names: readonly string[]) =>
        names.map((name) => `#include <${name}>\n`).join('');
      const cxx = forCxx.map((name, i) => [`x${i}.cpp`, `#include <${name}>\n`] as const);
      const sources = [
        ...(clang.kind === 'wasm' ? alone.slice(0, 3) : usualCases(alone, (_, i) => i % 4 !== 0)),
        ...(clang.kind === 'wasm' ? [] : usualCases(cxx, (_, i) => i % 4 !== 0)),
        ['posix.c', all(posix)] as const,
        ['kernel.c', all(kernel)] as const,
        ['all.cpp', all([...forCxx, 'pthread.h', 'assert.h', 'verifier.h'])] as const,
      ];
      const ccArgs = ['-Wall', '-Wextra', '-Werror', '-Wno-unused-function'];
      const units = sources.map(([file]) => ({ file, ccArgs }));
      const { compiled } = await compile(Object.fromEntries(sources), units);
      expect(forC.length).toBeGreaterThan(30);
      expect(compiled).toMatchObject({ kind: 'compiled', messages: [] });
    });

    test('a text in the place of a file is compiled as the file would be', async () => {
      const file = 'some "where"/a b.c';
      const text = '#include "own.h"\nint f(void) {\n  return OWN + missing;\n}\n';
      const files = { [file]: 'int nothing;\n', 'some "where"/own.h': '#define OWN 1\n' };
      const { compiled } = await compile(files, [{ file, text }]);
      expect(compiled).toMatchObject({
        kind: 'rejected',
        messages: [{ severity: 'error', place: { file, line: 2, column: 15 } }],
      });
      const good = text.replace(' + missing', '');
      const there = await compile({ ...files, [file]: good }, [{ file }, { file, text: good }]);
      expect(there.compiled.kind).toBe('compiled');
      if (there.compiled.kind !== 'compiled') return;
      const [plain, given] = there.compiled.modules.map(({ text: ir }) => [
        /^define[^]*?^\}/m.exec(ir)?.[0].replaceAll(/!\d+/g, '!'),
        [...ir.matchAll(/DILocation\(line: \d+, column: \d+/g)].map(([each]) => each),
      ]);
      expect(given).toEqual(plain);
    });

    test('the library defines what the headers declare, and needs only what the reader knows', async () => {
      const { compiled } = await compile({ 'a.c': 'int main(void) { return 0; }\n' });
      const library = compiled.kind === 'compiled' ? compiled.modules.at(-1)!.text : '';
      const names = (how: string) =>
        new Set(
          [...library.matchAll(new RegExp(`^${how} .*?@([\\w.]+)\\(`, 'gm'))].map(([, n]) => n!),
        );
      const headers = headersIn('.').filter((name) => !/lkmm|fencewright/.test(name));
      const declared = headers.flatMap((name) =>
        [
          ...readFileSync(path.join(include, name), 'utf8').matchAll(
            /^(?!typedef|#|static)[a-z_A-Z][\w ]*[ *](\w+)\((?!\*)/gm,
          ),
        ].map(([, n]) => n!),
      );
      expect(declared.length).toBeGreaterThan(100);
      // The reader itself computes the texts written by `snprintf` and `sprintf`.
      const isDefined = (name: string): boolean =>
        names('define').has(name) || knownFunction(name) !== undefined;
      expect(declared.filter((name) => !isDefined(name))).toEqual([]);
      const table = readFileSync(path.join(include, 'fencewright.h'), 'utf8');
      const known = new Set([...table.matchAll(/(__fencewright_\w+)\(/g)].map(([, n]) => n!));
      const open = [...names('declare')].filter((name) => !name.startsWith('llvm.'));
      expect(open.length).toBeGreaterThan(5);
      // The reader knows the runtime of exceptions, and ignores personality functions.
      const isKnown = (name: string): boolean =>
        known.has(name) || knownFunction(name) !== undefined || name.endsWith('_personality_v0');
      expect(open.filter((name) => !isKnown(name))).toEqual([]);
    });

    test('a small program fits into what an editor allows', async () => {
      const folder = freshFolder();
      writeFileSync(path.join(folder, 'a.c'), 'int x;\n');
      const options = { folder, shipped, maxMemory: 640 * 2 ** 20 };
      expect(await compileC(clang, [{ file: 'a.c' }], options)).toMatchObject({ kind: 'compiled' });
    });

    test('takes names with spaces, quotes, dashes and signs as they are', async () => {
      const names = ['a b.c', "it's.c", '-o.c', '@list.c', '$(touch x).c', 'ü.c'];
      const files = Object.fromEntries(names.map((name) => [name, 'int main(void){return 0;}\n']));
      const { compiled, folder } = await compile(files);
      expect(compiled.kind === 'compiled' && compiled.modules.length).toBe(names.length + 1);
      expect(readdirSync(folder).sort()).toEqual([...names].sort());
    });

    test('heeds definitions, folders, the language and arguments', async () => {
      const text = '#include <mine.h>\n#include "sub/near.h"\nint x = A + B + MINE + NEAR;\n';
      const files = {
        'a.c': text,
        'inc/mine.h': '#define MINE 4\n',
        'sub/near.h': '#define NEAR 8\n',
      };
      const settings = { define: ['A=1'], include: ['inc'], std: 'gnu99', ccArgs: ['-DB=2'] };
      const { compiled } = await compile(files, [{ file: 'a.c', ...settings }]);
      expect(compiled.kind === 'compiled' && compiled.modules[0]!.text).toContain(
        '@x = dso_local global i32 15',
      );
    });

    test('a program may give its own meaning to always_inline', async () => {
      const { compiled } = await compile({
        'a.c': `#define always_inline static inline __attribute__((__always_inline__))
#define fast static inline
always_inline int one(void) { return 1; }
fast int two(void) { return 2; }
int main(void) { return one() + two(); }
`,
      });
      expect(compiled.kind === 'compiled' && compiled.messages).toEqual([]);
      expect(compiled.kind === 'compiled' && compiled.modules[0]!.text).toContain('@two()');
    });

    test('casts as operands of assembly and other types of pointers are warnings, as of GCC', async () => {
      const { compiled } = await compile({
        'a.c': `long cell;
int *other = &cell;
void *swap(void *x) {
  __asm__ volatile("xchgq %0,%1" : "=r"((unsigned long)x)
                   : "m"(cell), "0"((unsigned long)x) : "memory");
  return x;
}
`,
      });
      const messages = compiled.kind === 'compiled' ? compiled.messages : [];
      expect(messages.map(({ severity, place }) => [severity, place?.line])).toEqual([
        ['warning', 1],
        ['warning', 3],
      ]);
    });

    test('errors of all files come with their places; old style is a warning', async () => {
      const { compiled } = await compile({
        'a.c': 'int main(void) {\n  return nothing;\n}\n',
        'b.c': 'int f(void) { return g(); }\n',
        'c.c': '#include <sys/mman.h>\n',
      });
      expect(compiled.kind).toBe('rejected');
      const messages = compiled.kind === 'rejected' ? compiled.messages : [];
      expect(messages).toContainEqual({
        severity: 'error',
        place: { file: 'a.c', line: 1, column: 9 },
        message: "use of undeclared identifier 'nothing'",
      });
      const b = messages.find(({ place }) => place?.file === 'b.c');
      expect(b).toMatchObject({ severity: 'warning', place: { line: 0, column: 21 } });
      // The headers of the machine are not looked at.
      const c = messages.find(({ place }) => place?.file === 'c.c');
      expect(c).toMatchObject({ severity: 'error', message: "'sys/mman.h' file not found" });
    });

    test('a file that is not there is an error of clang, not a fault', async () => {
      const { compiled } = await compile({}, [{ file: 'none.c' }]);
      expect(compiled).toMatchObject({ kind: 'rejected' });
    });

    test('the accesses of the source are there, in their order, with their lines', async () => {
      const text =
        '#include <stdatomic.h>\natomic_int x, y;\nint f(void) {\n  x = 1;\n  return y;\n}\n';
      const { compiled } = await compile({ 'a.c': text });
      const lines = compiled.kind === 'compiled' ? compiled.modules[0]!.text.split('\n') : [];
      const store = lines.findIndex((l) => /store atomic i32 1, ptr @x seq_cst.*!dbg/.test(l));
      const load = lines.findIndex((l) => /load atomic i32, ptr @y seq_cst.*!dbg/.test(l));
      expect(store).toBeGreaterThan(0);
      expect(load).toBeGreaterThan(store);
    });
  },
);
