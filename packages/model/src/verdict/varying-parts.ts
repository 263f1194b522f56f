import type { RegisterId, ThreadId } from '../program/ids.js';
import type { MachineState } from '../trace/machine-state.js';

/** The cells and registers whose values differ between some of the compared states. */
export interface VaryingParts {
  /** The addresses of the memory cells with different values, in increasing order. */
  readonly cells: readonly number[];
  readonly registers: readonly (readonly [ThreadId, RegisterId])[];
}

/** Returns the cells and registers in which some of the states differ. */
export function varyingParts(states: readonly MachineState[]): VaryingParts {
  const [first, ...others] = states;
  if (!first) return { cells: [], registers: [] };
  const addresses = new Set(states.flatMap(({ memory }) => [...memory.keys()]));
  const cells = [...addresses].filter((address) =>
    others.some(({ memory }) => (memory.get(address) ?? 0) !== (first.memory.get(address) ?? 0)),
  );
  const registers = first.registers.flatMap((own, thread) =>
    own.flatMap((value, register) =>
      others.some((state) => state.registers[thread]?.[register] !== value)
        ? [[thread, register] as const]
        : [],
    ),
  );
  return { cells: cells.sort((a, b) => a - b), registers };
}
