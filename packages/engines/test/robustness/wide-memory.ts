import {
  binary,
  constant,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program, Thread, Transition } from '@fencewright/model/program/program.js';
import type { RmwOperation } from '@fencewright/model/program/rmw.js';
import { valueOfInteger } from '@fencewright/model/program/wide-values.js';

/**
 * The offset added to all values in memory. Its last 40 bits are 0, so that sums of small values
 * never carry into the other bits.
 */
export const offsetInteger = BigInt.asIntN(64, 0x9e37_7900_0000_0000n);
const offset = constant(valueOfInteger(offsetInteger)!);

const hidden = (value: Expression): Expression => binary('+:%', value, offset);
const shown = (value: Expression): Expression => binary('-:%', value, offset);

/**
 * Returns the operation on cells whose values are increased by the offset; for values from 0 to
 * 2^40.
 */
function ofHidden({ name, operands }: RmwOperation): RmwOperation {
  switch (name) {
    case 'fetch_add':
      return { name: 'fetch_add64', operands };
    case 'fetch_sub':
      return { name: 'fetch_sub64', operands };
    case 'fetch_xor':
      return { name, operands };
    default:
      return { name, operands: operands.map(hidden) };
  }
}

function ofHiddenMemory(instruction: Instruction): Instruction {
  switch (instruction.kind) {
    case 'store':
      return { ...instruction, value: hidden(instruction.value) };
    case 'rmw':
      return { ...instruction, operation: ofHidden(instruction.operation) };
    default:
      return instruction;
  }
}

/** Whether the offset must be subtracted from the value that the instruction loads. */
function reads(instruction: Instruction): instruction is Instruction & { readonly into: number } {
  if (instruction.kind === 'load') return true;
  return (
    instruction.kind === 'rmw' &&
    instruction.into !== undefined &&
    instruction.operation.name !== 'cas'
  );
}

function ofThread(thread: Thread): Thread {
  const locations = [...thread.locations];
  const added: Transition[] = [];
  const transitions = thread.transitions.map((transition): Transition => {
    const instruction = ofHiddenMemory(transition.instruction);
    if (!reads(instruction)) return { ...transition, instruction };
    const between = locations.push({ name: `read${locations.length}`, hidden: true }) - 1;
    const value = shown(registerValue(instruction.into));
    added.push({
      ...transition,
      from: between,
      instruction: { kind: 'assign', into: instruction.into, value },
    });
    return { ...transition, instruction, to: between };
  });
  return { ...thread, locations, transitions: [...transitions, ...added] };
}

/**
 * Returns an equivalent program with 64-bit values in memory: each stored value is increased by the
 * offset, which is subtracted after each load. Transitions keep their ids.
 */
export function withWideMemory(program: Program, cells: readonly number[]): Program {
  const initial = new Map(
    program.symbols.flatMap(({ base, initial: values }) =>
      values.map((value, i) => [base + i, value] as const),
    ),
  );
  const last = Math.max(...cells);
  return {
    ...program,
    symbols: [
      {
        name: 'memory',
        base: 0,
        length: last + 1,
        isArray: true,
        initial: Array.from({ length: last + 1 }, (_, cell) =>
          valueOfInteger(BigInt(initial.get(cell) ?? 0) + offsetInteger)!,
        ),
      },
    ],
    threads: program.threads.map(ofThread),
    properties: [],
  };
}
