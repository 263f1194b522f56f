import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import { saidByTool } from '../ir-machine/said-by-tool.js';
import {
  failingAssertions,
  printAddressProgram,
  randomAddressProgram,
  randomPlacement,
} from './random-addresses-c.js';

/*
 * The judge runs each program with several placements of its objects. An assertion that fails with
 * one placement only must be refused; what the tool decides must hold with all placements.
 */

const runs = randomRuns(60, 20_000, 30);
const first = randomSeed(0);
const placements = 8;

const { clang, why } = await nativeClang();
const folder = folderOfTests();

describe.runIf(clang)(`answers about computations with addresses${why}`, () => {
  test('are those of every placement of the objects', async () => {
    const counts = new Map<string, number>();
    const count = (what: string): void => {
      counts.set(what, (counts.get(what) ?? 0) + 1);
    };
    const wrong: string[] = [];
    for (let seed = first; seed < first + runs; seed++) {
      const program = randomAddressProgram(seed);
      const { text, lines } = printAddressProgram(program);
      writeFileSync(path.join(folder, 'program.c'), text);
      const compiled = await compileC(clang!, [{ file: 'program.c' }], { folder, shipped });
      if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
      const said = await saidByTool(compiled.modules, 'program.c', 100_000);
      const found = Array.from({ length: placements }, (_, i) =>
        [...failingAssertions(program, randomPlacement(seed * placements + i))]
          .map((index) => lines[index]!)
          .sort((a, b) => a - b)
          .join(' '),
      );
      const differs = new Set(found).size > 1;
      count(differs ? 'depends on places' : 'is the same in all places');
      if (said.kind === 'refused') {
        if (!said.why.includes('addresses of objects')) wrong.push(`${seed}: ${said.why}\n${text}`);
        count(differs ? 'refused rightly' : 'refused, as its parts depend on places');
        continue;
      }
      if (said.assumptions.some((each) => /integer|one object/.test(each))) {
        count('decided under an assumption');
        continue;
      }
      if (said.hasFaults || !said.sc.knowsAssertions) {
        count(differs ? 'ended rightly' : 'ended, as its parts depend on places');
        continue;
      }
      count('decided');
      const told = [...said.sc.assertions].sort((a, b) => a - b).join(' ');
      if (found.some((each) => each !== told))
        wrong.push(`${seed}: told ${told}, is ${found.join(' | ')}\n${text}`);
      for (const { kind } of [...program.main, ...program.thread]) count(`decided with ${kind}`);
    }
    console.log(Object.fromEntries(counts));
    expect(wrong).toEqual([]);
    expect(counts.get('decided') ?? 0).toBeGreaterThan(runs / 20);
    expect(counts.get('refused rightly') ?? 0).toBeGreaterThan(runs / 20);
  });
});
