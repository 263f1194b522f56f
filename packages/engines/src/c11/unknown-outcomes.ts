import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import { operandsOf } from '@fencewright/model/program/rewrite.js';
import type { C11Code, C11Step } from './c11-steps.js';
import { needsUnknown, type PartlyKnown, readsUnknown } from './settle-unknown.js';
import { effectsOf } from './step-effects.js';

/** Returns the registers that the step sets. */
export function registersOf({ into, block }: C11Step): readonly RegisterId[] {
  return block ? [...block.sets] : into === undefined ? [] : [into];
}

/**
 * Whether an operand of the step, or a test on leaving the loop that the step waits in (`exits`),
 * reads a register without a known value. Tests may read the value that the step loads.
 */
export function dependsOnUnknown({ program }: C11Code, step: C11Step, place: PartlyKnown): boolean {
  const { exits = [], into, code, block } = step;
  const { unknown } = place;
  if (block) return [...block.uses].some((register) => unknown.has(register));
  const operands = operandsOf(code.transition.instruction);
  if (operands.some((operand) => needsUnknown(operand, place, program.symbols))) return true;
  const others = new Set([...unknown].filter((register) => register !== into));
  return exits.some(({ transition }) => readsUnknown(transition.instruction, others));
}

/**
 * Whether the result of a read-modify-write that loads `old` depends on a register without a known
 * value. The stored value does not count as a part of the result. A lock block is evaluated with 0,
 * 1 and `old` as the values of all unknown registers, and the results are compared.
 */
export function outcomeDependsOnUnknown(
  code: C11Code,
  step: C11Step,
  place: PartlyKnown,
  old: number,
): boolean {
  if (!dependsOnUnknown(code, step, place)) return false;
  const { instruction } = step.code.transition;
  const { registers, unknown } = place;
  if (!step.block) {
    const { operation } = instruction.kind === 'rmw' ? instruction : {};
    const expected = operation?.name === 'cas' && operation.operands[0];
    return expected ? needsUnknown(expected, place, code.program.symbols) : false;
  }
  const outcomes = [0, 1, old].map((value) => {
    const tried = registers.map((known, register) => (unknown.has(register) ? value : known));
    const effects = effectsOf(code, step, tried, old);
    return JSON.stringify(
      effects.map(({ kind, targets, registers: after }) => [
        ...[kind, targets],
        registersOf(step).map((register) => after[register]),
      ]),
    );
  });
  return new Set(outcomes).size > 1;
}

/** Whether a read-modify-write that loads the value stores; `undefined` if not known. */
export function storesOn(
  code: C11Code,
  step: C11Step,
  place: PartlyKnown,
  value: number,
): boolean | undefined {
  if (outcomeDependsOnUnknown(code, step, place, value)) return undefined;
  try {
    return effectsOf(code, step, place.registers, value).some(({ kind }) => kind === 'update');
  } catch (error) {
    if (error instanceof ExecutionFault && dependsOnUnknown(code, step, place)) return undefined;
    throw error;
  }
}
