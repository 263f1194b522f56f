import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import { outputs, randomThreadC } from './random-thread-c.js';

const runs = randomRuns(20, 2000, 10);
const first = randomSeed(0);
/** The number of programs compiled at a time. */
const together = 50;

const { clang, why } = await nativeClang();
const folder = folderOfTests();

/** Compiles the program with clang, and returns the printed numbers. */
function printed(name: string): readonly number[] {
  const [source, program] = [join(folder, `${name}.c`), join(folder, name)];
  execFileSync(clang!.command, ['-O0', '-w', '-std=gnu11', '-DMAIN', source, '-o', program]);
  return execFileSync(program, { encoding: 'utf8' }).trim().split('\n').map(Number);
}

describe.skipIf(!clang)(`a thread${why}`, () => {
  test('ends with what the compiled program prints', async () => {
    const refusals = new Map<string, number>();
    let compared = 0;
    for (let from = first; from < first + runs; from += together) {
      const count = Math.min(together, first + runs - from);
      const names = Array.from({ length: count }, (_, i) => `seed${from + i}`);
      for (const [i, name] of names.entries())
        writeFileSync(join(folder, `${name}.c`), randomThreadC(from + i));
      const units = names.map((name) => ({
        file: `${name}.c`,
        define: ['THREAD'],
        ccArgs: ['-w'],
      }));
      const compiled = await compileC(clang!, units, { folder, shipped });
      if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
      const library = compiled.modules.at(-1)!;
      for (const [i, name] of names.entries()) {
        const module = compiled.modules[i]!;
        const { model, diagnostics } = parseLlvmIr([module, library], { main: module.file });
        const program = finiteProgram(model);
        if (!program) {
          for (const { message } of diagnostics)
            refusals.set(message, (refusals.get(message) ?? 0) + 1);
          continue;
        }
        const { tso } = await reach(program, { limits: { maxStates: 100_000 } });
        const ends = tso.finalStates.map(({ memory }) =>
          Array.from({ length: outputs }, (_, cell) => {
            const { base } = program.symbols.find((symbol) => symbol.name === `out[${cell}]`)!;
            return memory.get(base) ?? 0;
          }),
        );
        expect({ name, ends }).toEqual({ name, ends: [printed(name)] });
        compared += 1;
      }
    }
    console.log(`${compared} compared`, Object.fromEntries(refusals));
    expect(compared).toBeGreaterThan(runs * 0.7);
    expect([...refusals.keys()].filter((each) => !each.includes('too long'))).toEqual([]);
  });
});
