import { ExecutionFault } from '@fencewright/model/program/evaluate.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { AtomicBlock } from './atomic-block.js';
import { type C11Code, type C11Step, leavesWait, targetsOf, withResult } from './c11-steps.js';

/**
 * A possible effect of a step on the registers and on the cell, given the value of the accessed
 * cell.
 */
export interface StepEffect {
  readonly kind: 'read' | 'write' | 'update';
  readonly written?: number;
  readonly registers: readonly number[];
  readonly targets: readonly LocationId[];
}

/** Whether the read-modify-write stores only with some values. */
export function isConditional({ code, block }: C11Step): boolean {
  const { instruction } = code.transition;
  if (block) return true;
  return instruction.kind === 'rmw' && instruction.operation.name === 'cas';
}

/**
 * Returns the results of a lock block; with `mayFail`, also the results without the store, as of a
 * weak `cas` that fails.
 */
function outcomesOf(
  block: AtomicBlock,
  registers: readonly number[],
  old: number,
  mayFail = false,
): ReturnType<AtomicBlock['outcomes']> {
  const outcomes = block.outcomes(registers, old);
  const stores = outcomes.every(({ written }) => written !== undefined);
  return mayFail && stores ? [...outcomes, ...block.failures(registers, old)] : outcomes;
}

/**
 * Returns the possible effects of a step if the step's cell holds `old`; empty if the step has to
 * wait. Throws `ExecutionFault`, `SeveralCells`.
 */
export function effectsOf(
  { program: { domain } }: C11Code,
  step: C11Step,
  registers: readonly number[],
  old: number,
): readonly StepEffect[] {
  const checked = (value: number): number => {
    if (domain && (value < domain.low || value > domain.high)) throw new ExecutionFault('domain');
    return value;
  };
  const done = (effect: Omit<StepEffect, 'targets'>): readonly StepEffect[] =>
    leavesWait(step, effect.registers)
      ? [{ ...effect, targets: targetsOf(step, effect.registers) }]
      : [];
  switch (step.kind) {
    case 'store':
      return done({ kind: 'write', written: checked(step.code.value(registers, 0)), registers });
    case 'load':
      return done({ kind: 'read', registers: withResult(step, registers, old) });
    case 'rmw': {
      if (step.block)
        return outcomesOf(step.block, registers, old, step.mayFail).map(
          ({ written, registers: after, to }) => ({
            ...(written === undefined
              ? { kind: 'read' as const }
              : { kind: 'update' as const, written: checked(written) }),
            ...{ registers: after, targets: [to] },
          }),
        );
      const { rmw } = step.code;
      const behind = (isStored: boolean): readonly number[] =>
        withResult(step, registers, rmw.result(isStored, old, registers, 0));
      const written = rmw.written(old, registers, 0);
      const failure =
        written === undefined || step.mayFail
          ? done({ kind: 'read', registers: behind(false) })
          : [];
      const after = behind(true);
      return written === undefined || !leavesWait(step, after)
        ? failure
        : [...done({ kind: 'update', written: checked(written), registers: after }), ...failure];
    }
    case 'fence':
      return [];
  }
}
