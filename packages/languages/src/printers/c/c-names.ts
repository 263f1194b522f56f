import { spelt, UniqueNames } from '@fencewright/ground/base/unique-names.js';
import type { Cell } from '@fencewright/model/program/cells.js';
import type { Program } from '@fencewright/model/program/program.js';
import { isReservedInC } from './c-words.js';

/** The names in C of one thread's function, registers, results and labels. */
export interface CThreadNames {
  readonly name: string;
  /** The names of the C local variables for the registers, indexed by `RegisterId`. */
  readonly registers: readonly string[];
  /**
   * The names of the C global variables for the final values of registers, indexed by `RegisterId`.
   */
  readonly results: readonly string[];
  /** The C labels of the locations, indexed by `LocationId`. */
  readonly labels: readonly string[];
}

/** The names of a program in C. */
export interface CNames {
  /** The C names of the shared variables, indexed by `SymbolId`. */
  readonly symbols: readonly string[];
  /** The C variables for cells outside all symbols, in the order of the cells. */
  readonly cells: readonly string[];
  /** The C names of each thread and its parts, indexed by `ThreadId`. */
  readonly threads: readonly CThreadNames[];
}

function repair(name: string): string {
  const copy = name.replace(/\[(\d+)\]$/, '_$1');
  const word = spelt(copy, { prefix: 'v' });
  return isReservedInC(word) ? `v_${word}` : word;
}

/** Returns names spelt as C allows and without further meaning in C; usable names are unchanged. */
export function namesInC({ symbols, threads }: Program, cells: readonly Cell[]): CNames {
  const wanted = [...symbols, ...cells, ...threads].map(({ name }) => name);
  const globals = new UniqueNames(wanted, { repair });
  const part = (start: number, length: number): readonly string[] =>
    globals.names.slice(start, start + length);
  const functions = part(symbols.length + cells.length, threads.length);
  const results = threads.map(({ registers }, id) =>
    registers.map(({ name }) => globals.fresh(repair(`${functions[id]!}_${name}`))),
  );
  const taken = [...globals.names, ...results.flat()];
  return {
    symbols: part(0, symbols.length),
    cells: part(symbols.length, cells.length),
    threads: threads.map(({ registers, locations }, id) => ({
      name: functions[id]!,
      registers: namesOf(registers, taken),
      results: results[id]!,
      labels: namesOf(locations, ['end']),
    })),
  };
}

function namesOf(
  parts: readonly { readonly name: string }[],
  taken: readonly string[],
): readonly string[] {
  return new UniqueNames(
    parts.map(({ name }) => name),
    { repair, taken },
  ).names;
}
