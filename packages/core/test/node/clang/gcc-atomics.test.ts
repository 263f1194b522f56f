import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { parseLlvmIr } from '../../../../languages/src/llvm-ir/parse-llvm-ir.js';
import { check } from '../../../src/api/check.js';
import { reach } from '../../../src/api/reach.js';
import { compileC } from '../../../src/node/compile-c.js';
import { allClangs, folderOfTests, shipped } from './clangs.js';

const clangs = (await allClangs()).filter(({ kind }) => kind === 'native');
const folder = folderOfTests();

/** Operations on objects without `_Atomic`, and the results that GCC documents for its builtins. */
const operations: readonly (readonly [statement: string, result: string, value: number])[] = [
  ['', 'atomic_load(&number)', 5],
  ['int e = 5;', 'atomic_compare_exchange_strong(&number, &e, 9)', 1],
  ['int e = 6; atomic_compare_exchange_strong(&number, &e, 9);', 'e', 5],
  ['int e = 6;', 'atomic_compare_exchange_strong(&number, &e, 9)', 0],
  ['atomic_fetch_add(&byte, 10);', 'byte', 4],
  ['', 'atomic_fetch_add(&byte, 10)', 250],
  ['', 'atomic_fetch_sub_explicit(&number, 7, memory_order_relaxed)', 5],
  ['atomic_fetch_sub(&number, 7);', 'number', -2],
  ['', 'atomic_exchange(&number, 3)', 5],
  ['atomic_exchange_explicit(&number, 3, memory_order_acq_rel);', 'number', 3],
  ['atomic_exchange(&truth, 7);', 'truth', 1],
  ['atomic_fetch_or(&number, 10);', 'number', 15],
  ['atomic_fetch_xor(&number, 6);', 'number', 3],
  ['atomic_fetch_and(&number, 6);', 'number', 4],
  ['atomic_store(&number, 8);', 'number', 8],
  ['atomic_init(&number, 2);', 'number', 2],
  // GCC adds bytes to pointers.
  ['atomic_fetch_add(&pointer, 4);', 'pointer - list', 1],
  ['pair two = {1, 2}; atomic_store(&both, two);', 'both.b', 2],
];

const headers = ['assert', 'pthread', 'stdatomic', 'stdint'].map((name) => `#include <${name}.h>`);

function textOf(statement: string, result: string, value: number): string {
  return [
    ...headers,
    'typedef struct { int a, b; } pair;',
    'static int number = 5, list[2], *pointer = list;',
    'static uint8_t byte = 250;',
    'static _Bool truth;',
    'static pair both;',
    'static void *thread(void *unused) {',
    `  ${statement}`,
    `  assert((int)(${result}) == ${value});`,
    '  return unused;',
    '}',
    'int main(void) {',
    '  pthread_t handle;',
    '  pthread_create(&handle, 0, thread, 0);',
    '  pthread_join(handle, 0);',
    '}',
  ].join('\n');
}

/** Store buffering with objects without `_Atomic`. */
const buffering = (order: string): string =>
  [
    ...headers,
    'static int x, y, a, b;',
    `#define ORDER memory_order_${order}`,
    'static void *one(void *unused) {',
    '  atomic_store_explicit(&x, 1, ORDER);',
    '  a = atomic_load_explicit(&y, ORDER);',
    '  return unused;',
    '}',
    'static void *other(void *unused) {',
    '  atomic_store_explicit(&y, 1, ORDER);',
    '  b = atomic_load_explicit(&x, ORDER);',
    '  return unused;',
    '}',
    'int main(void) {',
    '  pthread_t first, second;',
    '  pthread_create(&first, 0, one, 0);',
    '  pthread_create(&second, 0, other, 0);',
    '  pthread_join(first, 0);',
    '  pthread_join(second, 0);',
    '}',
  ].join('\n');

describe.each(clangs.map((clang) => [`${clang.kind} clang ${clang.version}`, clang] as const))(
  'functions of stdatomic.h on plain objects, %s',
  (_, clang) => {
    const programs = async (texts: readonly string[]) => {
      const units = texts.map((text, i) => {
        const file = `plain${i}.c`;
        writeFileSync(join(folder, file), text);
        return { file, ccArgs: ['-w'] };
      });
      const compiled = await compileC(clang, units, { folder, shipped });
      if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
      const library = compiled.modules.at(-1)!;
      return compiled.modules.slice(0, texts.length).map((module) => {
        const { model, diagnostics } = parseLlvmIr([module, library], { main: module.file });
        const program = finiteProgram(model);
        if (!program) throw new Error(JSON.stringify(diagnostics));
        return program;
      });
    };

    test('have the results that GCC documents', async () => {
      const right = operations.map((each) => textOf(...each));
      const wrong = operations.map(([statement, result, value]) =>
        textOf(statement, result, value + 1),
      );
      const failed = async (texts: readonly string[]): Promise<readonly boolean[]> =>
        Promise.all(
          (await programs(texts)).map(
            async (program) => (await reach(program)).tso.failedAssertions.length > 0,
          ),
        );
      expect(await failed(right)).toEqual(right.map(() => false));
      expect(await failed(wrong)).toEqual(wrong.map(() => true));
    });

    test('are atomic accesses with their orders', async () => {
      const all = await programs([buffering('relaxed'), buffering('seq_cst')]);
      const verdicts = await Promise.all(all.map(async (each) => (await check(each)).verdict.kind));
      expect(verdicts).toEqual(['not-robust', 'robust']);
      const kinds = all[0]!.threads.flatMap(({ transitions }) =>
        transitions.flatMap(({ origin: { access } }) => (access ? [access] : [])),
      );
      expect(kinds.filter((each) => each === 'atomic').length).toBeGreaterThanOrEqual(4);
    });
  },
);
