import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { fence } from '../../../src/api/fence.js';
import { check } from '../../../src/api/check.js';
import type { Program } from '@fencewright/model/program/program.js';
import { printC } from '@fencewright/languages/printers/c/print-c.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { FenceVerdict } from '@fencewright/model/verdict/fence-result.js';
import { nativeClang } from './clangs.js';
import { readC, readMarked } from './marked-c.js';

const runs = randomRuns(25, 300, 12);
const seed = randomSeed(20130705);

const { clang, why } = await nativeClang();

function costOf(verdict: FenceVerdict): string {
  return verdict.kind === 'found' ? `cost ${verdict.cost}` : verdict.kind;
}

/** Returns random programs that need fences, each with the number of fences. */
async function needy() {
  const arbitrary = fc.oneof(
    randomProgram({ maxItems: 4, maxThreads: 2 }),
    randomProgram({ maxItems: 3 }),
  );
  const found: { readonly program: Program; readonly verdict: FenceVerdict }[] = [];
  for (let i = 0; found.length < runs; i++)
    for (const program of fc.sample(arbitrary, { numRuns: 100, seed: seed + i })) {
      const { verdict } = await fence(program);
      if (costOf(verdict) !== 'cost 0') found.push({ program, verdict });
    }
  return found.slice(0, runs);
}

describe.runIf(clang)(`a program and its text in C${why}`, () => {
  test(`need equally many fences: ${runs} random ones that need some`, async () => {
    const costs = new Map<string, number>();
    for (const { program, verdict } of await needy()) {
      const { text = '' } = printC(program);
      const { program: marked, editor } = await readMarked(clang!, 'program.c', text);
      const inC = (await fence(marked, { repairs: editor.repairs!('fence') })).verdict;
      expect(costOf(inC), text).toBe(costOf(verdict));
      costs.set(costOf(inC), (costs.get(costOf(inC)) ?? 0) + 1);
      if (inC.kind !== 'found') continue;
      const fences = inC.repairs.flatMap((one) => (one.kind === 'fence' ? [one] : []));
      const repaired = editor.repair(fences, () => undefined).text ?? '';
      const read = await readC(clang!, 'program.c', repaired);
      expect((await check(read)).verdict.kind, repaired).toBe('robust');
    }
    console.info(Object.fromEntries(costs));
    for (const cost of ['cost 1', 'cost 2'])
      expect(costs.get(cost) ?? 0).toBeGreaterThan(runs / 10);
  });
});
