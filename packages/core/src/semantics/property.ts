import type { Program, Property } from '../program/program.js';
import type { MachineState } from '../trace/machine-state.js';
import { evaluateStateExpression } from './state-expression.js';

/**
 * Whether a state decides the property: violates a `never` or a `finally`, or is the final state that an `exists` asks for. `final`
 * tells whether all threads have ended and all buffers are empty.
 */
export function decidesProperty(
  program: Program,
  { kind, condition }: Property,
  state: MachineState,
  final: boolean,
): boolean {
  if (kind !== 'never' && !final) return false;
  const holds = evaluateStateExpression(program, condition, state) !== 0;
  return kind === 'finally' ? !holds : holds;
}
