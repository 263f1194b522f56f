import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compileC } from '../../../core/src/node/compile-c.js';
import { saidByTool } from '../ir-machine/said-by-tool.js';
import { allClangs, freshFolder, shipped } from '../../../core/test/node/clang/clangs.js';

const clang = (await allClangs()).find(({ kind }) => kind === 'native');
const why = clang ? '' : ' (skipped: there is no clang of version 15 or later)';
const folder = freshFolder();
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The final values of `cell` under SC and TSO, of a thread with this body and `main` behind it. */
async function finalValues(cell: string, thread: string, main = ''): Promise<readonly number[][]> {
  const text = `#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int r0, got;
volatile int x;
void *run(void *a) { ${thread} return (void *)1; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  x = 2;
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
