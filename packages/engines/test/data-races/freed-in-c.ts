import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Budget } from '@fencewright/ground/base/budget.js';
import { parseLlvmIr } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import { programIn } from '../../../languages/test/llvm-ir/said-in-statements.js';
import { findFreedUses } from '../../src/data-races/find-freed-uses.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';

export const { clang, why } = await nativeClang();
const folder = folderOfTests();

/** The programs of texts in C, in order. */
export async function compiled(
  texts: readonly string[],
  prefix: string,
): Promise<readonly Program[]> {
  const units = texts.map((text, i) => {
    const file = `${prefix}${i}.c`;
    writeFileSync(join(folder, file), text);
    return { file, ccArgs: ['-w'] };
  });
  const result = await compileC(clang!, units, { folder, shipped });
  if (result.kind !== 'compiled') throw new Error(JSON.stringify(result));
  const library = result.modules.at(-1)!;
  return units.map(({ file: main }) => {
    const module = result.modules.find(({ file }) => file === main)!;
    return programIn(parseLlvmIr([module, library], { main }));
  });
}

/** The lines of the uses of freed memory that are found, in order. */
export async function linesOf(program: Program, model: MemoryModel): Promise<readonly number[]> {
  const uses = await findFreedUses(program, model, new Budget());
  const lines = uses.map(
    ({ use }) =>
      program.threads[use.thread]!.transitions[use.transition]!.origin.span!.start.line + 1,
  );
  return [...new Set(lines)].sort((a, b) => a - b);
}
