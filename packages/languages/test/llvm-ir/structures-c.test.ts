import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import { type Feature, features, outputs, randomStructureC } from './random-structure-c.js';

const runs = randomRuns(20, 2000, 10);
const first = randomSeed(1) * 100_000;
/** The number of programs compiled at a time. */
const together = 20;
const limits = { maxStates: 300_000 };

const { clang, why } = await nativeClang();
const folder = folderOfTests();

/** Returns the verdict, the feasible attacks by lines, and the final results under SC and TSO. */
async function saidOf(program: Program): Promise<unknown> {
  const { verdict, attacks } = await check(program, { engine: 'search', allAttacks: true, limits });
  const lineOf = (thread: number, transition: number): number | undefined =>
    program.threads[thread]!.transitions[transition]!.origin.span?.start.line;
  const feasible = attacks
    .filter((each) => each.verdict === 'feasible')
    .map(({ attack: { thread, store, load } }) =>
      [thread, lineOf(thread, store), lineOf(thread, load)].join(' '),
    );
  const { sc, tso } = await reach(program, { limits });
  const bases = Array.from({ length: outputs }, (_, i) =>
    program.symbols.find(({ name }) => name === `out[${i}]`),
  );
  const results = [sc, tso].map(({ finalStates, incomplete }) => ({
    incomplete,
    ends: [
      ...new Set(
        finalStates.map(({ memory }) =>
          bases.map((symbol) => (symbol ? (memory.get(symbol.base) ?? 0) : '-')).join(' '),
        ),
      ),
    ].sort(),
  }));
  return { verdict: verdict.kind, attacks: [...new Set(feasible)].sort(), results };
}

describe.skipIf(!clang)(`structures${why}`, () => {
  test('are what plain integers are in their place', async () => {
    const counts = new Map<Feature, number>();
    const verdicts = new Map<string, number>();
    for (let from = first; from < first + runs; from += together) {
      const seeds = Array.from(
        { length: Math.min(together, first + runs - from) },
        (_, i) => from + i,
      );
      const units = seeds.flatMap((seed) => {
        const { text, used } = randomStructureC(seed);
        for (const feature of used) counts.set(feature, (counts.get(feature) ?? 0) + 1);
        const file = `seed${seed}.c`;
        writeFileSync(path.join(folder, file), text);
        const inLine = seed % 2 === 0 ? ['-mcx16'] : [];
        return [
          { file, ccArgs: ['-w', ...inLine] },
          { file, define: ['TWIN'], ccArgs: ['-w'] },
        ];
      });
      const compiled = await compileC(clang!, units, { folder, shipped });
      if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
      const library = compiled.modules.at(-1)!;
      for (const [i, seed] of seeds.entries()) {
        const said = [];
        for (const module of compiled.modules.slice(2 * i, 2 * i + 2)) {
          const { model, diagnostics } = parseLlvmIr([module, library], { main: module.file });
          const program = finiteProgram(model);
          if (!program)
            throw new Error(`${seed}: ${diagnostics.map((each) => each.message).join()}`);
          said.push(await saidOf(program));
        }
        expect({ seed, said: said[0] }).toEqual({ seed, said: said[1] });
        const { verdict } = said[0] as { readonly verdict: string };
        verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
      }
    }
    console.log(Object.fromEntries(verdicts), Object.fromEntries(counts));
    for (const kind of ['robust', 'not-robust']) expect(verdicts.get(kind)).toBeGreaterThan(0);
    for (const feature of features) expect(counts.get(feature) ?? 0).toBeGreaterThan(runs / 20);
  });
});
