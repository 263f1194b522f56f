import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import {
  deadlockedByDefinition,
  names,
  printWaits,
  randomUnion,
  type RandomWaits,
  randomWaits,
} from './random-waits-c.js';

const runs = randomRuns(60, 3000, 20);
const first = randomSeed(0);
/** The number of programs that are compiled together, and whose IR is in memory at one time. */
const together = 50;

const { clang, why } = await nativeClang();
const folder = folderOfTests();

/**
 * Whether one of `threads` waits, by spinning or sleeping as `kind` says, for a flag that nobody
 * sets.
 */
function waitsForNobody(program: RandomWaits, kind: 'spin' | 'sleep', threads: readonly number[]) {
  const all = program.flat();
  const isSet = (flag: number): boolean =>
    all.some((each) => each.kind === 'set' && each.flag === flag);
  return threads.some((thread) =>
    program[thread]!.some((each) => each.kind === kind && !isSet(each.flag)),
  );
}

describe.skipIf(!clang)(`threads that wait for flags${why}`, () => {
  test('deadlock as they do by definition', { timeout: 1_200_000 }, async () => {
    const counts = { compared: 0, deadlocks: 0, sleeps: 0, spins: 0, main: 0, open: 0 };
    for (let from = first; from < first + runs; from += together) {
      const count = Math.min(together, first + runs - from);
      const programs = Array.from({ length: count }, (_, i) => randomWaits(from + i));
      const units = programs.map((program, i) => {
        const file = `seed${from + i}.c`;
        writeFileSync(join(folder, file), printWaits(program));
        return { file, ccArgs: ['-w'] };
      });
      const compiled = await compileC(clang!, units, { folder, shipped });
      if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
      const library = compiled.modules.at(-1)!;
      for (const [i, program] of programs.entries()) {
        const module = compiled.modules[i]!;
        const { model, diagnostics } = parseLlvmIr([module, library], { main: module.file });
        const text = printWaits(program);
        const found = finiteProgram(model);
        if (!found) throw new Error(`${JSON.stringify(diagnostics)}\n${text}`);
        const { hangs } = await reach(found, { limits: { maxStates: 100_000 } });
        if (!hangs || !('deadlocked' in hangs)) {
          counts.open += 1;
          continue;
        }
        const waiting = hangs.deadlocked.map(({ thread }) => found.threads[thread]!.name);
        const wanted = deadlockedByDefinition(program);
        const seed = from + i;
        expect({ seed, text, waiting: waiting.toSorted() }).toEqual({
          seed,
          text,
          waiting: wanted,
        });
        counts.compared += 1;
        if (wanted.length > 0) counts.deadlocks += 1;
        if (waitsForNobody(program, 'sleep', [1, 2])) counts.sleeps += 1;
        if (waitsForNobody(program, 'spin', [1, 2])) counts.spins += 1;
        if (wanted.includes(names[0]!)) counts.main += 1;
      }
    }
    console.log(counts);
    expect(counts.compared).toBeGreaterThan(0.9 * runs);
    expect(counts.deadlocks).toBeGreaterThan(0.3 * runs);
    expect(counts.compared - counts.deadlocks).toBeGreaterThan(0.1 * runs);
    for (const kind of ['sleeps', 'spins', 'main'] as const)
      expect(counts[kind]).toBeGreaterThan(0.1 * runs);
  });

  test('of a union of several sizes wait as its bytes say', { timeout: 1_200_000 }, async () => {
    const counts = { waits: 0, assumed: 0, goesOn: 0, refused: 0, main: 0 };
    for (let from = first; from < first + runs; from += together) {
      const count = Math.min(together, first + runs - from);
      const programs = Array.from({ length: count }, (_, i) => randomUnion(from + i));
      const units = programs.map(({ text }, i) => {
        const file = `union${from + i}.c`;
        writeFileSync(join(folder, file), text);
        return { file, ccArgs: ['-w'] };
      });
      const compiled = await compileC(clang!, units, { folder, shipped });
      if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
      const library = compiled.modules.at(-1)!;
      for (const [i, { text, waits, thread }] of programs.entries()) {
        const module = compiled.modules[i]!;
        const { model } = parseLlvmIr([module, library], { main: module.file });
        const program = finiteProgram(model);
        if (!program) {
          counts.refused += 1;
          continue;
        }
        const { hangs } = await reach(program, { limits: { maxStates: 100_000 } });
        const found = 'deadlocked' in hangs ? hangs.deadlocked : undefined;
        const told = found?.map((each) => program.threads[each.thread]!.name);
        // If the sizes are not supported, the answer states that such waits are left out.
        const isAssumed = program.assumptions?.some(({ name }) => name === 'waits') === true;
        const wanted = waits && !isAssumed ? [thread] : [];
        const seed = from + i;
        expect({ seed, text, told }).toEqual({ seed, text, told: wanted });
        if (!waits) counts.goesOn += 1;
        else if (isAssumed) counts.assumed += 1;
        else counts.waits += 1;
        if (waits && !isAssumed && thread === 'main') counts.main += 1;
      }
    }
    console.log(counts);
    for (const kind of ['waits', 'goesOn'] as const)
      expect(counts[kind]).toBeGreaterThan(0.15 * runs);
    expect(counts.main).toBeGreaterThan(0);
  });
});
