import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { parseLlvmIr } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { withRaces } from '../../../src/api/race-findings.js';
import { compileC } from '../../../src/node/compile-c.js';
import { folderOfTests, nativeClang, shipped } from './clangs.js';

const { clang, why } = await nativeClang();
const folder = folderOfTests();

/** Flags that should keep `user` from a block that `freer` frees, without fences. */
const flags = `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct pair { int a; volatile int v; } *p;
atomic_int busy, dead;
void *user(void *arg) {
  atomic_store_explicit(&busy, 1, memory_order_release);
  if (!atomic_load(&dead)) p->v = 1;
  return 0;
}
void *freer(void *arg) {
  atomic_store_explicit(&dead, 1, memory_order_release);
  if (!atomic_load(&busy)) free(p);
  return 0;
}
int main(void) {
  p = malloc(sizeof *p);
  pthread_t a, b;
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, freer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
`;

async function programOf(text: string): Promise<Program> {
  writeFileSync(path.join(folder, 'main.c'), text);
  const compiled = await compileC(clang!, [{ file: 'main.c' }], { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
  const { model, diagnostics } = parseLlvmIr(compiled.modules, { main: 'main.c' });
  const program = model && finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

describe.skipIf(!clang)(`uses of freed memory in answers${why}`, () => {
  test('name the cell, the access and the free', async () => {
    const none: readonly Diagnostic[] = [];
    const open = { verdict: { kind: 'not-robust' }, diagnostics: none };
    const { races, diagnostics } = await withRaces(await programOf(flags), open, {});
    expect(races?.freedUses).toMatchObject([{ model: 'TSO' }]);
    const [warning] = diagnostics;
    expect([warning?.code, warning?.span?.start.line]).toEqual(['FW3011', 7]);
    expect(warning?.message).toMatch(
      /^use of freed memory: this store in 'user' accesses '.+\+4' after 'freer' at 13:28 has freed/,
    );
  });

  test('are those without store buffers where fences were found that make it robust', async () => {
    const program = await programOf(flags);
    const usesAfter = async (kind: string, happensBefore?: 'standard'): Promise<number> => {
      const result = { verdict: { kind }, happensBefore, diagnostics: [] };
      return (await withRaces(program, result, {})).races!.freedUses.length;
    };
    expect(await usesAfter('robust', 'standard')).toBe(0);
    expect(await usesAfter('found', 'standard')).toBe(0);
    // Fences for a property need not prevent the use, nor fences that were not found.
    expect(await usesAfter('found')).toBe(1);
    expect(await usesAfter('unknown', 'standard')).toBe(1);
    expect(await usesAfter('impossible', 'standard')).toBe(1);
  });
});
