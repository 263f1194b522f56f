import { at } from '@fencewright/ground/base/at.js';
import { evaluateExpression } from '../program/evaluate.js';
import type { Program, StateExpression } from '../program/program.js';
import type { MachineState } from '../trace/machine-state.js';
import { memoryValue } from './machine.js';

/**
 * Evaluates a condition in a state; `t @ label`, `ended(t)` and `drained(t)` are 0 or 1. Throws
 * `ExecutionFault` if the evaluation faults.
 */
export function evaluateStateExpression(
  program: Program,
  expression: StateExpression,
  state: MachineState,
): number {
  return evaluateExpression(expression, (leaf) => {
    switch (leaf.kind) {
      case 'at':
        return state.locations[leaf.thread] === leaf.location ? 1 : 0;
      case 'ended': {
        const at = state.locations[leaf.thread];
        return program.threads[leaf.thread]?.transitions.some(({ from }) => from === at) ? 0 : 1;
      }
      case 'drained':
        return state.buffers[leaf.thread]?.length === 0 ? 1 : 0;
      case 'register':
        return at(at(state.registers, leaf.thread), leaf.register);
      case 'memory':
        return memoryValue(state, leaf.address);
    }
  });
}
