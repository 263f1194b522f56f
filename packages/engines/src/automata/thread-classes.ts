import { addressOf } from '@fencewright/model/analysis/address-sets.js';
import { guessesOf } from '@fencewright/model/analysis/guesses.js';
import { constantValue } from '@fencewright/model/program/evaluate.js';
import { keyOf } from '@fencewright/model/program/expression.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { CellOwnership } from './cell-ownership.js';
import { initialMemory } from './local-closure.js';

/**
 * Classes of threads with equal code. The threads of a class are ascending, and the classes are in
 * the order of their first threads.
 */
export type ThreadClasses = readonly (readonly ThreadId[])[];

/**
 * Returns the instruction with the constant address of a cell that only this thread uses replaced
 * by the cell's slot.
 */
function withoutOwnAddresses(
  program: Program,
  instruction: Instruction,
  owned: ReadonlyMap<number, number>,
): unknown {
  const address = addressOf(instruction);
  const constant = address && constantValue(address, program.symbols);
  const slot = constant === undefined ? undefined : owned.get(constant);
  return slot === undefined ? instruction : { ...instruction, address: { slot } };
}

/**
 * Returns a key of a thread's code, equal for threads whose code is equal up to the addresses of
 * the cells that only the thread uses.
 */
function codeOf(
  program: Program,
  thread: Thread,
  own: ReadonlyMap<number, number>,
  memory: MachineState['memory'],
): string {
  return keyOf([
    thread.registers.length,
    thread.locations.length,
    thread.initial,
    thread.transitions.map(({ from, to, instruction }) => [
      from,
      to,
      withoutOwnAddresses(program, instruction, own),
    ]),
    [...own.keys()].map((address) => memory.get(address) ?? 0),
    // The loads that are read abstractions: these depend on which steps other threads can see.
    [...guessesOf(thread).keys()],
  ]);
}

/**
 * Whether the thread also accesses one of its own cells by a computed address, so that the cell's
 * address matters.
 */
function hasComputedOwn(
  { symbols }: Program,
  { transitions }: Thread,
  own: ReadonlyMap<number, number>,
): boolean {
  if (own.size === 0) return false;
  return transitions.some(({ instruction }) => {
    const address = addressOf(instruction);
    return address !== undefined && constantValue(address, symbols) === undefined;
  });
}

/** Groups threads with equal code; without `symmetry` every thread is in a group of its own. */
export function threadClasses(
  program: Program,
  symmetry: boolean,
  { owned }: CellOwnership,
): ThreadClasses {
  const memory = initialMemory(program);
  const classes = new Map<string, ThreadId[]>();
  program.threads.forEach((thread, t) => {
    const own = owned[t]!;
    const alone = !symmetry || hasComputedOwn(program, thread, own);
    const key = alone ? `${t}` : codeOf(program, thread, own, memory);
    const known = classes.get(key);
    if (known) known.push(t);
    else classes.set(key, [t]);
  });
  return [...classes.values()];
}
