import { at } from '@fencewright/ground/base/at.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import type { ReachResult } from '@fencewright/model/verdict/reach-result.js';
import { cellValueText, registerValueText } from '../words/pointer-values.js';

/** A part of a final state that users can see: a memory cell or a register. */
export interface Observable {
  readonly name: string;
  readonly of: (state: MachineState) => number;
  /** Returns a value of the cell or register as text for users, with addresses by their names. */
  readonly show: (value: number) => string;
}

/**
 * The values of a final state that users can see, and the models (SC, TSO) under which the state is
 * reached.
 */
export interface FinalState {
  /**
   * The values of the visible cells and registers in the final state, in the order of the list of
   * `Observable`.
   */
  readonly values: readonly number[];
  readonly sc: boolean;
  readonly tso: boolean;
}

function addressesOf(program: Program, states: readonly MachineState[]): number[] {
  const addresses = new Set<number>();
  for (const { base, length } of program.symbols)
    for (let cell = 0; cell < length; cell++) addresses.add(base + cell);
  for (const state of states) for (const address of state.memory.keys()) addresses.add(address);
  return [...addresses].sort((a, b) => a - b);
}

/**
 * Returns the addresses of those cells added by a front end whose values are equal in all states.
 */
function idleCells(program: Program, states: readonly MachineState[]): ReadonlySet<number> {
  const own = program.symbols.filter(({ isInternal }) => isInternal).map(({ base }) => base);
  const valuesOf = (address: number) => new Set(states.map(({ memory }) => memory.get(address)));
  return new Set(own.filter((address) => valuesOf(address).size <= 1));
}

/**
 * Returns the parts of a final state visible to users: the memory cells named by the program or
 * used by the final states, by address, then the registers written by the user's text, by thread. A
 * front end's own cells, such as the cell telling whether a thread has ended, are left out if all
 * states agree on the value.
 */
export function observablesOf(program: Program, result: ReachResult): Observable[] {
  const states = [...result.sc.finalStates, ...result.tso.finalStates];
  const idle = idleCells(program, states);
  const shown = addressesOf(program, states).filter((address) => !idle.has(address));
  const cells = shown.map((address) => ({
    name: formatAddress(program, address),
    of: (state: MachineState) => state.memory.get(address) ?? 0,
    show: (value: number) => cellValueText(program, address, value),
  }));
  const registers = program.threads.flatMap((thread, t) =>
    thread.registers.flatMap(({ name, hidden, shown }, r) =>
      hidden
        ? []
        : [
            {
              name: shown ?? `${thread.name}.${name}`,
              of: (state: MachineState) => at(at(state.registers, t), r),
              show: (value: number) => registerValueText(program, t, r, value),
            },
          ],
    ),
  );
  return [...cells, ...registers];
}

/** Returns the final states of both models, each once; states of a single model come first. */
export function mergeFinalStates(
  observables: readonly Observable[],
  result: ReachResult,
): FinalState[] {
  const merged = new Map<string, { values: number[]; sc: boolean; tso: boolean }>();
  for (const model of ['sc', 'tso'] as const)
    for (const state of result[model].finalStates) {
      const values = observables.map((observable) => observable.of(state));
      const key = values.join(' ');
      const known = merged.get(key) ?? { values, sc: false, tso: false };
      known[model] = true;
      merged.set(key, known);
    }
  const isCommon = (state: FinalState): number => (state.sc && state.tso ? 1 : 0);
  return [...merged.values()].sort((a, b) => isCommon(a) - isCommon(b));
}
