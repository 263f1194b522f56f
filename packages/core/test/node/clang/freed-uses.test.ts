import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { parseLlvmIr } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { racesToJson } from '@fencewright/reports/json/json-parts.js';
import { toldSteps } from '@fencewright/reports/words/told-steps.js';
import { becomesRobust, withRaces } from '../../../src/api/race-findings.js';
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
    const { races, diagnostics } = await withRaces(
      await programOf(flags),
      { diagnostics: none },
      {},
      false,
    );
    expect(races?.freedUses).toMatchObject([{ model: 'TSO' }]);
    expect(races).not.toHaveProperty('freedIncomplete');
    const [warning] = diagnostics;
    expect([warning?.code, warning?.span?.start.line]).toEqual(['FW3011', 7]);
    expect(warning?.message).toMatch(
      /^use of freed memory: this store in 'user' accesses '.+ byte 4' after 'freer' at 13:28 has freed/,
    );
  });

  test('are those without store buffers where the program is, or becomes, robust', async () => {
    const program = await programOf(flags);
    const usesIf = async (isRobust: boolean): Promise<number> =>
      (await withRaces(program, { diagnostics: [] }, {}, isRobust)).races!.freedUses.length;
    expect(await usesIf(true)).toBe(0);
    expect(await usesIf(false)).toBe(1);
  });

  test('are prevented by fences for robustness that were found, not by others', () => {
    const becomes = (kind: string, happensBefore?: 'standard'): boolean =>
      becomesRobust({ verdict: { kind }, ...(happensBefore && { happensBefore }) });
    expect(becomes('found', 'standard')).toBe(true);
    expect(becomes('found')).toBe(false);
    expect(becomes('unknown', 'standard')).toBe(false);
    expect(becomes('impossible', 'standard')).toBe(false);
  });

  test('are told as steps: the free, and at last the use', async () => {
    const program = await programOf(flags);
    const { races } = await withRaces(program, { diagnostics: [] }, {}, false);
    const { computation } = races!.freedUses[0]!;
    const told = toldSteps(program, computation!).map(({ sentence }) => sentence);
    expect(told.filter((sentence) => sentence.includes('frees'))).toHaveLength(1);
    expect(told.at(-1)).toMatch(/^user writes block main:17 byte 4$/);
    // The cells by which blocks count as freed belong to nobody's text.
    expect(told.join()).not.toContain('freed(');
  });

  test('may be more where the search ends early', async () => {
    const program = await programOf(flags);
    const { races } = await withRaces(program, { diagnostics: [] }, { maxStates: 3 }, false);
    expect(races).toMatchObject({ freedUses: [], freedIncomplete: 'states' });
    expect(racesToJson(program, races!)).toMatchObject({
      freedUsesComplete: false,
      freedUsesReason: 'states',
    });
  });
});
