import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { integerOfValue, isWord } from '@fencewright/model/program/wide-values.js';
import { allClangs, folderOfTests, shipped } from '../../../core/test/node/clang/clangs.js';
import { randomWideC } from './random-wide-c.js';

const runs = randomRuns(14, 100, 7);
const seed = randomSeed(1);

const clang = (await allClangs()).find(({ kind }) => kind === 'native');
const folder = folderOfTests();

async function programOf(text: string): Promise<Program> {
  writeFileSync(path.join(folder, 'p.c'), text);
  const units = [{ file: 'p.c', ccArgs: ['-fwrapv', '-w'] }];
  const compiled = await compileC(clang!, units, { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
  const { model, diagnostics } = parseLlvmIr(compiled.modules, { main: 'p.c' });
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

/** Compiles and runs a program; returns its output. */
function printed(text: string): string {
  writeFileSync(path.join(folder, 'native.c'), text);
  const options = ['-O0', '-w', '-fwrapv', '-DNATIVE', '-pthread', 'native.c', '-o', 'native'];
  if (clang?.kind !== 'native') throw new Error('no compiler');
  execFileSync(clang.command, options, { cwd: folder });
  return execFileSync(path.join(folder, 'native'), { encoding: 'utf8' }).trim();
}

describe.skipIf(!clang)('C programs with numbers of 64 bits', () => {
  it('end as they do when they are compiled and run', async () => {
    let [compared, wide, holes] = [0, 0, 0];
    for (let turn = 0; turn < runs; turn++) {
      const { text, outs } = randomWideC(seed * 1000 + turn);
      const program = await programOf(text);
      const { sc, tso } = await reach(program, { limits: { maxStates: 100_000 } });
      if (sc.incomplete === 'unsupported') {
        // The program computed a number without a code.
        holes += 1;
        continue;
      }
      for (const { finalStates } of [sc, tso]) {
        expect(finalStates).toHaveLength(1);
        // A variable that never changes is no variable of the program.
        const cells = new Map(program.symbols.map(({ name, base }) => [name, base]));
        const results = printed(text).split(' ');
        const found = outs.map((name, i) => {
          const base = cells.get(name);
          if (base === undefined) return results[i];
          const value = finalStates[0]!.memory.get(base) ?? 0;
          if (!isWord(value)) wide += 1;
          return `${name}=${integerOfValue(value)}`;
        });
        expect({ turn, found }).toEqual({ turn, found: results });
      }
      compared += 1;
    }
    expect(holes).toBeLessThan(1 + runs / 20);
    expect(compared).toBeGreaterThan(runs / 2);
    expect(wide).toBeGreaterThan(runs);
  });

  /**
   * Returns store buffering in C whose second load is executed only if a word has a certain value.
   */
  const buffering = (type: string, before: string, change: string, after: string): string => `
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
static _Atomic ${type} word = ${before};
static _Atomic int x, y;
static int r, s;
static void *one(void *p) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  ${type} w = atomic_load_explicit(&word, memory_order_relaxed);
  if (w == (${type})(${before}) || w == (${type})(${after}))
    r = atomic_load_explicit(&y, memory_order_relaxed);
  return p;
}
static void *two(void *p) {
  ${change};
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  if (atomic_load_explicit(&word, memory_order_relaxed) == (${type})(${after}))
    s = atomic_load_explicit(&x, memory_order_relaxed);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}`;

  it.each([
    ['uint64_t', '0xffffffffu', 'atomic_fetch_add(&word, 1)', '0x100000000u', '0'],
    ['uint64_t', '~0ul', 'atomic_fetch_add(&word, 2)', '1', '0x100000001u'],
    ['int64_t', '-0x80000000l', 'atomic_fetch_sub(&word, 1)', '-0x80000001l', '0x7fffffff'],
    ['uint32_t', '0xffffffffu', 'atomic_fetch_add(&word, 1)', '0', '1'],
    ['int32_t', '2147483647', 'atomic_fetch_add(&word, 1)', '(-2147483647 - 1)', '-1'],
    [
      'uint64_t',
      '7ul << 32 | 5',
      'atomic_store(&word, (word >> 32) + 1 << 32 | (uint32_t)word)',
      '8ul << 32 | 5',
      '8ul << 33 | 5',
    ],
    [
      'uint64_t',
      '0xcbf29ce484222325ul',
      'atomic_store(&word, (word ^ 97) * 0x100000001b3ul)',
      '0xaf63dc4c8601ec8cul',
      '0x8601ec8cul',
    ],
    [
      'uint64_t',
      '1ul << 63',
      'uint64_t w = word; atomic_compare_exchange_strong(&word, &w, w >> 62)',
      '2',
      '-2',
    ],
  ] as const)('%s from %s by %s: an attack hangs on the value', async (...row) => {
    const [type, before, change, after, wrong] = row;
    const right = await check(await programOf(buffering(type, before, change, after)));
    expect(right.verdict.kind).toBe('not-robust');
    const other = await check(await programOf(buffering(type, before, change, wrong)));
    expect(other.verdict.kind).toBe('robust');
    expect(other.faults?.kind).toBe('none');
  });

  it('have operators of 32 bits where these are enough', async () => {
    const text = (last: string): string => `
#include <pthread.h>
#include <stddef.h>
static volatile size_t head; static volatile int ring[4];
static void *f(void *p) {
  for (size_t i = 0; i < ${last}; i++) { ring[head % 4] = (int)i; head = (head + 1) % 4; }
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);
  pthread_join(a, 0); pthread_join(b, 0);
}`;
    expect(usesWideValues(await programOf(text('3')))).toBe(false);
    expect(usesWideValues(await programOf(text('0x100000000ul')))).toBe(true);
  });
});
