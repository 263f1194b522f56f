import { formatAddress } from '../../src/program/format.js';
import type { Program } from '../../src/program/program.js';
import { initialState, successors, type Successor } from '../../src/semantics/machine.js';
import type { MemoryModel } from '../../src/trace/memory-model.js';
import { compileProgram } from '../../src/semantics/thread-code.js';
import type { Action } from '../../src/trace/computation.js';
import type { MachineState } from '../../src/trace/machine-state.js';

/**
 * Returns a short text of an action: `a issue x 1`, `a load x 0`, `a load x 1 early`, `a rmw x
 * 0>1`, `a rmw x 0`, `a local`, `a havoc 3`, `a lock`.
 */
export function actionName(program: Program, action: Action): string {
  const thread = program.threads[action.thread]?.name ?? '?';
  switch (action.kind) {
    case 'issue':
    case 'store':
      return `${thread} ${action.kind} ${formatAddress(program, action.address)} ${action.value}`;
    case 'load': {
      const early = action.early ? ' early' : '';
      return `${thread} load ${formatAddress(program, action.address)} ${action.value}${early}`;
    }
    case 'rmw': {
      const written = action.written === undefined ? '' : `>${action.written}`;
      return `${thread} rmw ${formatAddress(program, action.address)} ${action.value}${written}`;
    }
    case 'local':
      return action.choice === undefined ? `${thread} local` : `${thread} havoc ${action.choice}`;
    case 'fence':
    case 'heavy-fence':
    case 'lock':
    case 'unlock':
      return `${thread} ${action.kind}`;
  }
}

function stepName(program: Program, { actions }: Successor): string {
  return actions.map((action) => actionName(program, action)).join(', ');
}

/**
 * The point that a walk of the machine has reached: the state, the names of the next steps, and of
 * the faults (`a: overflow`).
 */
export interface Place {
  readonly state: MachineState;
  readonly next: readonly string[];
  readonly faults: readonly string[];
  readonly failedAssertion: boolean;
}

/** Executes the named steps from the initial state. Throws if a step is not possible. */
export function walk(model: MemoryModel, program: Program, steps: readonly string[] = []): Place {
  const code = compileProgram(program);
  let state = initialState(program);
  let failedAssertion = false;
  for (const wanted of steps) {
    const { steps: possible } = successors(model, code, state);
    const step = possible.find((candidate) => stepName(program, candidate) === wanted);
    if (!step) {
      const names = possible.map((candidate) => stepName(program, candidate)).join(' | ');
      throw new Error(`${wanted} is not possible here, only: ${names}`);
    }
    ({ state } = step);
    failedAssertion = step.assertionFailed === true;
  }
  const { steps: next, faults } = successors(model, code, state);
  return {
    state,
    next: next.map((step) => stepName(program, step)),
    faults: faults.map(({ thread, fault }) => `${program.threads[thread]?.name}: ${fault}`),
    failedAssertion,
  };
}
