import type { Program } from '@fencewright/model/program/program.js';
import { initialState, isFinal, successors } from '@fencewright/model/semantics/machine.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import { evaluateStateExpression } from '@fencewright/model/semantics/state-expression.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';

/** The behaviour of all executions, by exploring the machine state by state. */
export interface BruteForce {
  /** The executed transitions of all executions, as `thread.transition`. */
  readonly ran: ReadonlySet<string>;
  /** The transitions at which some execution faults, as `thread.transition`. */
  readonly faults: ReadonlySet<string>;
  /** The threads that reach their end in some execution. */
  readonly ended: ReadonlySet<number>;
  readonly failedAssertions: ReadonlySet<string>;
  /** The registers and the memory in each final state, as text. */
  readonly finals: ReadonlySet<string>;
  /**
   * By index of `Program.properties`: whether some state decides the property, which means that it
   * violates a `never` or `finally`, or satisfies an `exists` or `stuck`.
   */
  readonly decided: readonly boolean[];
}

function keyOf({ locations, registers, memory, buffers, lockHolder }: MachineState): string {
  const cells = [...memory].sort(([a], [b]) => a - b);
  const pending = buffers.map((one) => one.map(({ address, value }) => [address, value]));
  return JSON.stringify([locations, registers, cells, pending, lockHolder]);
}

/**
 * Explores the program under a memory model completely; `undefined` if there are more than `most`
 * states.
 */
export function bruteForce(
  model: MemoryModel,
  program: Program,
  most: number,
): BruteForce | undefined {
  const code = compileProgram(program);
  const start = initialState(program);
  const seen = new Map([[keyOf(start), start]]);
  const found = {
    ran: new Set<string>(),
    faults: new Set<string>(),
    ended: new Set<number>(),
    failedAssertions: new Set<string>(),
    finals: new Set<string>(),
    decided: program.properties.map(() => false),
  };
  for (const state of seen.values()) {
    const { steps, faults } = successors(model, code, state);
    for (const { thread, transition } of faults) found.faults.add(`${thread}.${transition}`);
    for (const { actions, state: next, assertionFailed } of steps) {
      const [action] = actions;
      if (!action) continue;
      if (action.kind !== 'store') found.ran.add(`${action.thread}.${action.transition}`);
      if (assertionFailed) found.failedAssertions.add(`${action.thread}.${action.transition}`);
      const key = keyOf(next);
      if (!seen.has(key)) seen.set(key, next);
      if (seen.size > most) return undefined;
    }
    const final = isFinal(code, state);
    const isEmpty = state.buffers.every((one) => one.length === 0);
    const isStuck = isEmpty && !final && steps.length === 0 && faults.length === 0;
    if (final) found.finals.add(keyOf({ ...state, locations: [] }));
    program.threads.forEach(({ transitions }, t) => {
      if (!transitions.some(({ from }) => from === state.locations[t])) found.ended.add(t);
    });
    program.properties.forEach(({ kind, condition }, p) => {
      const holds = evaluateStateExpression(program, condition, state) !== 0;
      const matters = kind === 'never' || (kind === 'stuck' ? isStuck : final);
      if (matters && holds === (kind !== 'finally')) found.decided[p] = true;
    });
  }
  return found;
}
