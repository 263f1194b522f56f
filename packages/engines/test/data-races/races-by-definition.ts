import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import type { Program } from '@fencewright/model/program/program.js';
import { machineStateKey } from '@fencewright/model/semantics/explore-machine.js';
import { initialState, successors } from '@fencewright/model/semantics/machine.js';
import { compileProgram, type CodeTransition } from '@fencewright/model/semantics/thread-code.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';

/** An access that a thread can execute next, with its place in the text and its memory address. */
interface Ahead {
  readonly thread: number;
  readonly line: number;
  readonly address: number;
  readonly stores: boolean;
  readonly plain: boolean;
}

/** The data races of a program, from exploring all states under SC. */
export interface RacesByDefinition {
  /** The races as pairs of lines such as `3 7`, the smaller first. */
  readonly races: ReadonlySet<string>;
  /** The number of races that occur only while a thread is within a lock block. */
  readonly inBlocks: number;
  readonly states: number;
}

function unlessFaulty<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof ExecutionFault) return undefined;
    throw error;
  }
}

function ahead(state: MachineState, thread: number, step: CodeTransition): Ahead | undefined {
  const { instruction, origin } = step.transition;
  const registers = state.registers[thread]!;
  if (instruction.kind !== 'load' && instruction.kind !== 'store' && instruction.kind !== 'rmw')
    return undefined;
  const address = unlessFaulty(() => step.address(registers, 0));
  if (address === undefined) return undefined;
  const stores =
    instruction.kind === 'store'
      ? unlessFaulty(() => step.value(registers, 0)) !== undefined
      : instruction.kind === 'rmw' &&
        unlessFaulty(() => step.rmw.written(state.memory.get(address) ?? 0, registers, 0)) !==
          undefined;
  const plain = origin.access === 'plain' && state.lockHolder !== thread;
  return { thread, line: origin.span!.start.line, address, stores, plain };
}

/**
 * Returns the data races by the definition: explores all states of the SC machine and compares, in
 * each state, the next accesses of each pair of threads. `undefined` if there are more than
 * `mostStates`.
 */
export function racesByDefinition(
  program: Program,
  mostStates: number,
): RacesByDefinition | undefined {
  const code = compileProgram(program);
  const first = initialState(program);
  const seen = new Map([[machineStateKey(first), first]]);
  const races = new Map<string, boolean>();
  for (const state of seen.values()) {
    if (seen.size > mostStates) return undefined;
    const next = code.threads.flatMap((leaving, thread) =>
      leaving[state.locations[thread]!]!.flatMap((step) => ahead(state, thread, step) ?? []),
    );
    for (const one of next)
      for (const other of next) {
        if (one.thread >= other.thread || one.address !== other.address) continue;
        if (!(one.stores || other.stores) || !(one.plain || other.plain)) continue;
        const pair = [one.line, other.line].sort((a, b) => a - b).join(' ');
        const isFree = state.lockHolder !== one.thread && state.lockHolder !== other.thread;
        races.set(pair, isFree || races.get(pair) === true);
      }
    for (const step of successors('SC', code, state).steps) {
      const key = machineStateKey(step.state);
      if (!seen.has(key)) seen.set(key, step.state);
    }
  }
  const inBlocks = [...races.values()].filter((isFree) => !isFree).length;
  return { races: new Set(races.keys()), inBlocks, states: seen.size };
}
