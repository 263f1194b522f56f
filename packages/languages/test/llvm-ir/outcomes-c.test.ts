import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compileC } from '../../../core/src/node/compile-c.js';
import { saidByTool } from '../ir-machine/said-by-tool.js';
import { freshFolder, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';

const { clang, why } = await nativeClang();
const folder = freshFolder();
type Said = Extract<Awaited<ReturnType<typeof saidByTool>>, { readonly kind: 'said' }>;
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/**
 * Returns the answer about a program with a thread, statements of `main` beside the thread, and
 * statements of `main` after the thread's end.
 */
async function saidOf(thread: string, beside: string, main: string): Promise<Said> {
  const text = `#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int r0, r1, got;
volatile int x, y;
void *run(void *a) { ${thread} return (void *)1; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  x = 2;
  ${beside}
  void *given;
  pthread_join(t, &given);
  got = (int)(long)given;
  ${main}
  return 0;
}
`;
  writeFileSync(path.join(folder, 'program.c'), text);
  const compiled = await compileC(clang!, [{ file: 'program.c' }], { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
  const said = await saidByTool(compiled.modules, 'program.c', 100_000);
  if (said.kind !== 'said') throw new Error(said.why);
  return said;
}

/**
 * Returns the final values of `cell` under SC and under TSO; the program has a thread with this
 * body, and `main` executes the other statements after the thread's end.
 */
async function finalValues(cell: string, thread: string, main = ''): Promise<readonly number[][]> {
  const said = await saidOf(thread, '', main);
  return [said.sc, said.tso].map(({ finals, knowsEnds }) => {
    expect(knowsEnds).toBe(true);
    return [...new Set(finals.map((final) => final.get(cell) ?? NaN))].toSorted((a, b) => a - b);
  });
}

const twice = (values: readonly number[]): readonly (readonly number[])[] => [values, values];

describe.runIf(clang)(`final states of what one thread alone has${why}`, () => {
  it('have both results of a function that may fail, whoever else looks at them or not', async () => {
    expect(await finalValues('r0', 'r0 = sleep(1) != 0;')).toEqual(twice([0, 1]));
  });

  it('have all remainders of a number by chance', async () => {
    expect(await finalValues('r0', 'r0 = rand() % 3;')).toEqual(twice([0, 1, 2]));
  });

  it('have all remainders where something else is told apart by the same number', async () => {
    const body = 'int v = rand(); r0 = v % 3; if (v == 7) x = 1;';
    expect(await finalValues('r0', body)).toEqual(twice([0, 1, 2]));
  });

  it.each(['0', 'x == 3'])(
    'have nothing of an execution that a failed assertion ends: %s',
    async (condition) => {
      // The last store to x is of main, or of the thread: then main has stored 6, and fails.
      const main = `r0 = rand() % 2; if (x == 1) { r0 = 6; assert(${condition}); }`;
      expect(await finalValues('r0', 'x = 1;', main)).toEqual(twice([0, 1]));
    },
  );

  it.each([
    ['a global', 'r0 = y;', '', 'r0', 0],
    ['a global that it changes behind its joins', 'r0 = y;', 'r0 += 3;', 'r0', 3],
    ['what it returns', 'int v = y;', 'return v;', 'return of main', 0],
    ['what it prints', 'int v = y;', 'printf("%d", v);', 'printed by main #1', 0],
  ])('have what main has read beside its threads: %s', async (_, beside, main, cell, more) => {
    const said = await saidOf('y = 1; r1 = x;', beside, main);
    const finalsOf = ({ finals }: Said['sc']): ReadonlySet<string> =>
      new Set(finals.map((final) => `${final.get(cell)! - more} ${final.get('r1')!}`));
    // Store buffering, with 2 stored by main.
    const sc = ['0 2', '1 0', '1 2'];
    expect(finalsOf(said.sc)).toEqual(new Set(sc));
    expect(finalsOf(said.tso)).toEqual(new Set(['0 0', ...sc]));
  });

  it('have what main shows as far as it follows from memory, where the rest is refused', async () => {
    const rest = 'printf("%f", got / 2.0);';
    const { assumptions, verdict } = await saidOf('y = 1; r1 = x;', 'r0 = y;', rest);
    expect(assumptions).toEqual([
      'main ends without a fault after its last join, and its outputs there follow from the final memory',
    ]);
    expect(verdict).toBe('not-robust');
    const idle = await saidOf('y = 1; r1 = x;', '', rest);
    expect(idle.assumptions).toEqual([]);
  });

  it('follow what exit functions do that main registers behind its last join', async () => {
    const last = (body: string): string =>
      `x = 1; return 0; } static void last(void) { ${body} } static void *more(void *a) { return 0;`;
    for (const beside of ['', 'r0 = x;']) {
      const { sc } = await saidOf(last('assert(x != 2);'), beside, 'atexit(last);');
      expect(sc.assertions.size).toBe(1);
      const { assumptions } = await saidOf(last('x = 5;'), beside, 'atexit(last);');
      expect(assumptions).toEqual([]);
    }
  });

  it('have what main knows where an assertion of it fails: what was joined is not undone', async () => {
    // Whatever execution is looked at, 3 or 5 was joined before the assertion.
    const [sc, tso] = await finalValues(
      'got',
      'return (void *)(long)(x + 3);',
      'assert(got != 5);',
    );
    for (const values of [sc!, tso!])
      expect(values.filter((value) => value !== 3 && value !== 5)).toEqual([]);
  });
});
