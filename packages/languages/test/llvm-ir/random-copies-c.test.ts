import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import { printCopies, randomCopies } from './random-copies-c.js';
import { programIn, type Said, saidOf } from './said-in-statements.js';

const runs = randomRuns(100, 3000, 25);
const first = randomSeed(0);

const { clang, why } = await nativeClang();
const folder = folderOfTests();

/** The kinds of statements that copy or set a whole block. */
const copying: ReadonlySet<string> = new Set(['assign', 'memcpy', 'memmove', 'memset']);

/**
 * The part of the answers that depends on cycles of happens-before: the verdict and the attacks.
 */
const cycles = ({ verdict, attacks }: Said): Pick<Said, 'verdict' | 'attacks'> => ({
  verdict,
  attacks,
});

/** Returns the answers about the programs in files, by the names of the files. */
async function answersOf(files: readonly string[]) {
  const units = files.map((file) => ({ file, ccArgs: ['-w'] }));
  const compiled = await compileC(clang!, units, { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
  const library = compiled.modules.at(-1)!;
  return async (main: string) => {
    const module = compiled.modules.find(({ file }) => file === main)!;
    const program = programIn(parseLlvmIr([module, library], { main }));
    const said = await saidOf(program, program, new Map(), []);
    const areLeftOut = (program.assumptions ?? []).some(({ text }) => text.includes('only copied'));
    return { said, areLeftOut };
  };
}

describe.skipIf(!clang)(`blocks that main copies${why}`, () => {
  test('hold what variables in their place hold', async () => {
    const seeds = Array.from({ length: runs }, (_, i) => first + i);
    const kinds = ['blocks', 'variables'] as const;
    const nameOf = (seed: number, as: (typeof kinds)[number]): string => `seed${seed}.${as}.c`;
    for (const seed of seeds)
      for (const as of kinds)
        writeFileSync(join(folder, nameOf(seed, as)), printCopies(randomCopies(seed), as));
    const said = await answersOf(seeds.flatMap((seed) => kinds.map((as) => nameOf(seed, as))));
    const counts = new Map<string, number>();
    const count = (what: string, is = true): void => {
      counts.set(what, (counts.get(what) ?? 0) + (is ? 1 : 0));
    };
    for (const seed of seeds) {
      const { main, shared, thread } = randomCopies(seed);
      const { said: ofBlocks, areLeftOut } = await said(nameOf(seed, 'blocks'));
      const { said: ofVariables } = await said(nameOf(seed, 'variables'));
      // A cycle of the variables may consist of copies that the answer about the blocks leaves out.
      const expected =
        areLeftOut && ofBlocks && ofVariables
          ? { ...ofVariables, ...cycles(ofBlocks) }
          : ofVariables;
      expect({ seed, said: ofBlocks }).toEqual({ seed, said: expected });
      if (areLeftOut)
        expect(ofVariables?.attacks).toEqual(
          expect.arrayContaining([...(ofBlocks?.attacks ?? [])]),
        );
      count('bytes are left out', areLeftOut);
      count(ofVariables?.verdict ?? 'not known');
      count('asserts wrongly', ofVariables?.wrong[0]);
      count('the thread looks', shared >= 0);
      count(
        'the thread copies',
        thread.some(({ kind }) => copying.has(kind)),
      );
      const behind = main.slice(main.findIndex(({ kind }) => kind === 'create'));
      for (const kind of new Set(behind.map((each) => each.kind))) count(kind);
    }
    console.log(Object.fromEntries(counts));
    for (const [what, times] of counts)
      if (what !== 'not known') expect(times, what).toBeGreaterThan(runs / 50);
    expect(counts.get('not known') ?? 0).toBeLessThan(runs / 10);
  });

  // `p` holds 5 behind the copy, so `main` stores to `y` and loads `x`: store buffering.
  test('are copied where nobody else sees it', async () => {
    const text = `#include <pthread.h>
#include <stdlib.h>
struct s { long t; };
int x, y, r, s;
void *thread(void *argument) { x = 1; r = y; return 0; }
int main(void) {
  pthread_t handle;
  pthread_create(&handle, 0, thread, 0);
  struct s *o = malloc(sizeof(struct s)), *p = malloc(sizeof(struct s));
  o->t = 5;
  p->t = 1;
  *p = *o;
  if (p->t == 5) { y = 1; s = x; }
  pthread_join(handle, 0);
  return 0;
}
`;
    writeFileSync(join(folder, 'copied.c'), text);
    const said = await answersOf(['copied.c']);
    expect((await said('copied.c')).said).toMatchObject({ verdict: 'not-robust' });
  });

  // The copier stores to `p->a` before it loads `o->b`, and the writer the other way: store
  // buffering. A copy in the order in which the accesses are found, `b` first, has no cycle.
  test('are copied in the order of their bytes', async () => {
    const text = `#include <pthread.h>
#include <stdlib.h>
struct s { int a, b; } *o, *p;
int r, s;
void *writer(void *argument) { o->b = 1; r = p->a; return 0; }
void *copier(void *argument) { *p = *o; s = p->b; return 0; }
int main(void) {
  pthread_t handles[2];
  o = calloc(1, sizeof(struct s));
  p = calloc(1, sizeof(struct s));
  pthread_create(&handles[0], 0, writer, 0);
  pthread_create(&handles[1], 0, copier, 0);
  pthread_join(handles[0], 0);
  pthread_join(handles[1], 0);
  return 0;
}
`;
    writeFileSync(join(folder, 'ordered.c'), text);
    const said = await answersOf(['ordered.c']);
    expect((await said('ordered.c')).said).toMatchObject({ verdict: 'not-robust' });
  });
});
