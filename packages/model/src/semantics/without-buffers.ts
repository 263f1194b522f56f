import type { Program } from '../program/program.js';
import type { Action, Computation } from '../trace/computation.js';
import type { Counterpart, CounterpartStep } from '../trace/counterpart.js';
import { initialState, successors, type Successor } from './machine.js';
import { compileProgram } from './thread-code.js';

/** Whether two actions choose equal values for the register of a `havoc`. */
function choosesAlike(a: Action, b: Action | undefined): boolean {
  return (
    (a.kind === 'local' ? a.choice : undefined) === (b?.kind === 'local' ? b.choice : undefined)
  );
}

/**
 * Executes the instructions of a TSO computation in their original order under SC, as if every
 * store reached memory at once, as far as possible.
 */
export function withoutBuffers(program: Program, computation: Computation): Counterpart {
  const code = compileProgram(program);
  const steps: CounterpartStep[] = [];
  let state = initialState(program);
  for (const [step, action] of computation.entries()) {
    if (action.kind === 'store') continue;
    const same = successors('SC', code, state).steps.filter(
      ({ actions: [first] }) =>
        first?.thread === action.thread && first.transition === action.transition,
    );
    const next: Successor | undefined =
      same.find(({ actions }) => choosesAlike(action, actions[0])) ?? same[0];
    const [taken] = next?.actions ?? [];
    if (!next || !taken) return { steps, memory: state.memory, partsAt: step };
    steps.push({ step, action: taken });
    ({ state } = next);
  }
  return { steps, memory: state.memory };
}
