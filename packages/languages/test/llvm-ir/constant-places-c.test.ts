import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileC } from '../../../core/src/node/compile-c.js';
import { saidByTool } from '../ir-machine/said-by-tool.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';

const { clang, why } = await nativeClang();
const folder = folderOfTests();

/**
 * Returns the tool's answer about a program of two threads and `main` in which `place` selects a
 * cell, or the refusal of the program.
 */
async function saidOf(place: string): Promise<string> {
  const text = `#include <pthread.h>
#include <stdint.h>
struct slot { int value; int more; } slots[2], others[2];
volatile int stripes[4];
static void *run(void *a) { stripes[${place}] = 2; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  stripes[${place}] = 1;
  pthread_join(t, 0);
  return 0;
}
`;
  writeFileSync(path.join(folder, 'program.c'), text);
  const compiled = await compileC(clang!, [{ file: 'program.c' }], { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
  const said = await saidByTool(compiled.modules, 'program.c', 100_000);
  return said.kind === 'said' ? said.verdict : said.why;
}

// Clang evaluates expressions over addresses of globals to constants.
describe.runIf(clang)(`constants made of addresses${why}`, () => {
  it.each([
    '((uintptr_t)&slots[0] >> 4) % 2',
    '(uintptr_t)&slots[1] / 8 % 4',
    '((uintptr_t)slots & 32) >> 5',
    '(unsigned char)(uintptr_t)&slots[0] & 3',
    '((uintptr_t)slots - (uintptr_t)others) & 3',
  ])('are refused where they depend on where objects lie: %s', async (place) => {
    expect(await saidOf(place)).toMatch(/^the result depends on the addresses of objects/);
  });

  it.each([
    ['(uintptr_t)&slots[1] % 4', 'the alignment of int'],
    ['((uintptr_t)&slots[1] - (uintptr_t)slots) / sizeof slots[0]', 'a distance within an object'],
    ['(uintptr_t)slots == (uintptr_t)others', 'objects lie apart'],
  ])('are taken where they do not: %s, %s', async (place) => {
    // Both threads store to one cell and load nothing, so no load can overtake a store.
    expect(await saidOf(place)).toBe('robust');
  });
});
