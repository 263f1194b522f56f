import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { parseNative } from '../../src/native/parse-native.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import {
  allOf,
  foundCells,
  printBlocksInC,
  printBlocksNatively,
  randomBlocks,
} from './random-blocks-c.js';
import { programIn, saidOf } from './said-in-statements.js';

const runs = randomRuns(40, 5000, 20);
const first = randomSeed(0);

const { clang, why } = await nativeClang();
const folder = folderOfTests();

describe.skipIf(!clang)(`blocks given back${why}`, () => {
  test('are given out again as allocators may', async () => {
    const counts = new Map<string, number>();
    const count = (what: string, is = true): void => {
      counts.set(what, (counts.get(what) ?? 0) + (is ? 1 : 0));
    };
    const disagreements: unknown[] = [];
    const chunk = 100;
    for (let from = 0; from < runs; from += chunk) {
      const seeds = Array.from(
        { length: Math.min(chunk, runs - from) },
        (_, i) => first + from + i,
      );
      const units = seeds.map((seed) => {
        const file = `seed${seed}.c`;
        writeFileSync(join(folder, file), printBlocksInC(randomBlocks(seed)).text);
        return { file, ccArgs: ['-w'] };
      });
      const compiled = await compileC(clang!, units, { folder, shipped });
      if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
      const library = compiled.modules.at(-1)!;
      for (const seed of seeds) {
        const each = randomBlocks(seed);
        const main = `seed${seed}.c`;
        const module = compiled.modules.find(({ file }) => file === main)!;
        const program = programIn(parseLlvmIr([module, library], { main }));
        const twin = printBlocksNatively(each);
        const native = programIn(parseNative(twin.text));
        // Values known before the program runs are no cells.
        const names = [...foundCells, 'x', 'y'].filter((name) =>
          program.symbols.some((one) => one.name === name),
        );
        const { statements } = printBlocksInC(each);
        const said = await saidOf(program, program, statements, names);
        const own = await saidOf(native, native, twin.statements, names);
        if (!said || !own) {
          count('not known');
          continue;
        }
        if (JSON.stringify(said) !== JSON.stringify(own)) disagreements.push({ seed, said, own });
        count(own.verdict);
        count(each.early);
        const kinds = each.threads.map((body) => new Set(allOf(body).map(({ kind }) => kind)));
        for (const kind of new Set(kinds.flatMap((all) => [...all]))) count(kind);
        count(
          'gets and gives back',
          kinds.some((all) => all.has('get') && all.has('give')),
        );
        count(
          'one gets, the other gives back',
          kinds.some((all, t) => all.has('get') && kinds[1 - t]!.has('give')),
        );
        const text = twin.text.replaceAll(
          /(?:kept\d+_\d+|left\d+) = 1;|xchg\(left\d+, 1\);/g,
          'skip;',
        );
        const once = programIn(parseNative(text.replaceAll(/^var (left\d+) = 1$/gm, 'var $1 = 0')));
        const without = await saidOf(once, once, twin.statements, names);
        count(
          'reuse shows',
          without !== undefined &&
            (without.verdict !== own.verdict ||
              JSON.stringify(without.sc) !== JSON.stringify(own.sc)),
        );
      }
    }
    console.log(Object.fromEntries(counts));
    expect(disagreements).toEqual([]);
    for (const [what, times] of counts)
      if (what !== 'not known') expect(times, what).toBeGreaterThan(runs / 50);
    expect(counts.get('not known') ?? 0).toBeLessThan(runs / 10);
  });

  // The thread and `main` take blocks by calls that give one block each.
  test.each([
    ['a thread', true, 'free(p); int *q = malloc(4); assert(p != q);', ''],
    ['main while the thread runs', true, '', 'free(p); int *q = malloc(4); assert(p != q);'],
    ['a thread, and keeps it', false, 'int *q = malloc(4); assert(p != q); free(p);', ''],
  ])('%s gives a block back and takes one', async (who, expected, ofThread, ofMain) => {
    const file = `${who.replaceAll(/\W/g, '-')}.c`;
    const text = `#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void *thread(void *argument) { int *p = malloc(4); ${ofThread} return 0; }
int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, thread, 0);
  int *p = malloc(4);
  ${ofMain}
  pthread_join(handle, 0);
  return 0;
}
`;
    writeFileSync(join(folder, file), text);
    const compiled = await compileC(clang!, [{ file, ccArgs: ['-w'] }], { folder, shipped });
    if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
    const program = programIn(parseLlvmIr(compiled.modules, { main: file }));
    const said = await saidOf(program, program, new Map(), []);
    expect(said?.wrong[0]).toBe(expected);
  });
});
