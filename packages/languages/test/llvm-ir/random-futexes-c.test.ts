import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { reach } from '../../../core/src/api/reach.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { asleepByDefinition, printFutexes, randomFutexes } from './random-futexes-c.js';

const runs = randomRuns(60, 2000, 20);
const first = randomSeed(0);

const { clang, why } = await nativeClang();
const folder = folderOfTests();

/** Whether a set of bits has some bits, and not all. */
const isPartial = (bits: number | undefined): boolean => bits !== undefined && bits !== 0;

describe.skipIf(!clang)(`threads that sleep at a futex with sets of bits${why}`, () => {
  test('sleep for ever as they do by definition', { timeout: 1_200_000 }, async () => {
    const counts = { sleep: 0, end: 0, someOnly: 0, sets: 0, sleepers: 0 };
    const programs = Array.from({ length: runs }, (_, i) => randomFutexes(first + i));
    const units = programs.map((program, i) => {
      const file = `seed${first + i}.c`;
      writeFileSync(path.join(folder, file), printFutexes(program));
      return { file, ccArgs: ['-w'] };
    });
    const compiled = await compileC(clang!, units, { folder, shipped });
    if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
    const library = compiled.modules.at(-1)!;
    for (const [i, program] of programs.entries()) {
      const module = compiled.modules[i]!;
      const { model, diagnostics } = parseLlvmIr([module, library], { main: module.file });
      const text = printFutexes(program);
      const found = finiteProgram(model);
      if (!found) throw new Error(`${JSON.stringify(diagnostics)}\n${text}`);
      const { hangs } = await reach(found, { limits: { maxStates: 200_000 } });
      if (!('deadlocked' in hangs)) throw new Error(`${JSON.stringify(hangs)}\n${text}`);
      const asleep = hangs.deadlocked.map(({ thread }) => found.threads[thread]!.name).toSorted();
      const wanted = asleepByDefinition(program);
      const names = wanted.map((thread) => `t${thread}`);
      expect({ text, asleep }).toEqual({ text, asleep: names });
      const all = program.flat();
      const waits = all.filter(({ kind }) => kind === 'wait');
      const wakes = all.filter(({ kind }) => kind === 'wake');
      counts[wanted.length > 0 ? 'sleep' : 'end'] += 1;
      if (wanted.length > 0 && wanted.length < 3) counts.someOnly += 1;
      const areSets = [waits, wakes].every((each) =>
        each.some((one) => 'bits' in one && isPartial(one.bits)),
      );
      if (areSets) counts.sets += 1;
      if (waits.length > 1) counts.sleepers += 1;
    }
    console.log(counts);
    expect(counts.sleep).toBeGreaterThan(0.2 * runs);
    expect(counts.end).toBeGreaterThan(0.1 * runs);
    expect(counts.sets).toBeGreaterThan(0.4 * runs);
    expect(counts.sleepers).toBeGreaterThan(0.3 * runs);
  });
});
