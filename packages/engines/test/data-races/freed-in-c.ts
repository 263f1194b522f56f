import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Budget } from '@fencewright/ground/base/budget.js';
import { parseLlvmIr } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { freshFolder, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import { programIn } from '../../../languages/test/llvm-ir/said-in-statements.js';
import { findFreedUses } from '../../src/data-races/find-freed-uses.js';
import type { Program } from '@fencewright/model/program/program.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import type { FreedUse } from '@fencewright/model/verdict/data-race.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';

export const { clang, why } = await nativeClang();
// Files of tests may share this module, so the folder stays until the run ends.
const folder = freshFolder();

/** Compiles programs in C, and returns the programs in the order of their texts. */
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

/** Counts the executions of uses of freed memory that `judgeRun` has judged. */
export const judged = { runs: 0 };

/**
 * Judges the execution of a use by the machine: it is one of the program, its last action is the
 * use, and the block was freed before by the instruction that is named, and not allocated again.
 */
function judgeRun(program: Program, { use, free, address, computation }: FreedUse): void {
  if (!computation) return;
  judged.runs++;
  const states = replayStates(program, computation)!;
  const { address: base } = program.freedBlocks!.find(
    (each) => address >= each.address && address < each.address + Math.max(1, each.size),
  )!;
  const changes = computation.slice(0, -1).flatMap(({ thread, transition }, i) => {
    const { instruction, origin } = program.threads[thread]!.transitions[transition]!;
    if (instruction.kind !== 'assign' || (origin.block !== 'freed' && origin.block !== 'again'))
      return [];
    const block = states[i + 1]!.registers[thread]![instruction.into];
    return block === base ? [{ thread, transition, step: origin.block }] : [];
  });
  expect(changes.at(-1)).toEqual({ ...free, step: 'freed' });
  const last = computation.at(-1)!;
  expect(last).toMatchObject(use);
  const { instruction } = program.threads[use.thread]!.transitions[use.transition]!;
  const reached =
    instruction.kind === 'assign'
      ? states.at(-1)!.registers[use.thread]![instruction.into]!
      : 'address' in last && last.address;
  expect(reached).toBe(address);
}

/** The lines of the uses of freed memory that are found, in order. */
export async function linesOf(program: Program, model: MemoryModel): Promise<readonly number[]> {
  const { uses } = await findFreedUses(program, model, new Budget());
  for (const use of uses) judgeRun(program, use);
  const lines = uses.map(
    ({ use }) =>
      program.threads[use.thread]!.transitions[use.transition]!.origin.span!.start.line + 1,
  );
  return [...new Set(lines)].sort((a, b) => a - b);
}
