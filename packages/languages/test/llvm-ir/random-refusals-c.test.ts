import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import {
  executionsOf,
  kindsWithoutModel,
  printRefusalsInC,
  randomRefusals,
} from './random-refusals-c.js';

const runs = randomRuns(100, 5000, 40);
const first = randomSeed(0);
const together = 50;

const { clang, why } = await nativeClang();
const folder = folderOfTests();

describe.skipIf(!clang)(`statements without a model${why}`, () => {
  test('matter exactly where an execution reaches them', async () => {
    const counts = new Map<string, number>();
    const count = (what: string): void => {
      counts.set(what, (counts.get(what) ?? 0) + 1);
    };
    for (let from = first; from < first + runs; from += together) {
      const seeds = Array.from(
        { length: Math.min(together, first + runs - from) },
        (_, i) => from + i,
      );
      for (const seed of seeds)
        writeFileSync(join(folder, `seed${seed}.c`), printRefusalsInC(randomRefusals(seed)));
      const modulesOf = async (define: readonly string[]) => {
        const units = seeds.map((seed) => ({ file: `seed${seed}.c`, define, ccArgs: ['-w'] }));
        const compiled = await compileC(clang!, units, { folder, shipped });
        if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
        return compiled.modules;
      };
      const [whole, leftOut] = [await modulesOf([]), await modulesOf(['LEFT_OUT'])];
      for (const [i, seed] of seeds.entries()) {
        const answer = async (modules: typeof whole): Promise<CheckResult | undefined> => {
          const { model } = parseLlvmIr([modules[i]!, modules.at(-1)!], { main: `seed${seed}.c` });
          const program = finiteProgram(model);
          return program && check(program, { limits: { maxStates: 100_000 } });
        };
        const threads = randomRefusals(seed);
        const [said, without] = [await answer(whole), await answer(leftOut)];
        if (!without) throw new Error(`seed ${seed} is refused`);
        const traps = threads.flat().filter((each) => each.kind === 'trap');
        const { reach: isReached, avoid } = executionsOf(threads, false);
        if (!said) {
          // Each execution gets there.
          expect({ seed, avoid }).toEqual({ seed, avoid: false });
          count('refused');
          continue;
        }
        const [verdict, expected] = [said.verdict.kind, without.verdict.kind];
        const isReachedByBuffers = !isReached && executionsOf(threads, true).reach;
        count(
          `${isReached ? 'reached' : isReachedByBuffers ? 'reached by buffers' : 'never'}: ${verdict}`,
        );
        if (!isReached) expect({ seed, verdict }).toEqual({ seed, verdict: expected });
        else if (verdict === 'not-robust')
          expect({ seed, expected }).toEqual({ seed, expected: verdict });
        else {
          expect({ seed, verdict }).toEqual({ seed, verdict: 'unknown' });
          expect(said.diagnostics.map(({ code }) => code)).toContain('FW3009');
        }
        for (const { of } of traps) count(of);
      }
    }
    console.log(Object.fromEntries([...counts].toSorted()));
    const seen = ['never: robust', 'never: not-robust', 'reached: unknown', 'reached: not-robust'];
    for (const each of [...seen, 'reached by buffers: not-robust', 'refused', ...kindsWithoutModel])
      expect([each, counts.get(each) ?? 0]).not.toEqual([each, 0]);
  });
});
