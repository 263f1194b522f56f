import { applyBinary, applyUnary } from '../program/evaluate.js';
import type { Program, StateExpression } from '../program/program.js';
import type { MachineState } from '../trace/machine-state.js';
import { memoryValue } from './machine.js';

/** The value of a condition in a state; `t @ label`, `ended(t)` and `drained(t)` are 0 or 1. Throws `ExecutionFault` like other evaluators. */
export function evaluateStateExpression(
  program: Program,
  expression: StateExpression,
  state: MachineState,
): number {
  const evaluate = (operand: StateExpression): number =>
    evaluateStateExpression(program, operand, state);
  switch (expression.kind) {
    case 'constant':
      return expression.value;
    case 'at':
      return state.locations[expression.thread] === expression.location ? 1 : 0;
    case 'ended': {
      const { thread } = expression;
      const at = state.locations[thread];
      return program.threads[thread]?.transitions.some(({ from }) => from === at) ? 0 : 1;
    }
    case 'drained':
      return state.buffers[expression.thread]?.length === 0 ? 1 : 0;
    case 'register':
      return state.registers[expression.thread]?.[expression.register] ?? 0;
    case 'memory':
      return memoryValue(state, expression.address);
    case 'unary':
      return applyUnary(expression.operator, evaluate(expression.operand));
    case 'binary': {
      const left = evaluate(expression.left);
      if (expression.operator === '&&' && left === 0) return 0;
      if (expression.operator === '||' && left !== 0) return 1;
      return applyBinary(expression.operator, left, evaluate(expression.right));
    }
  }
}
