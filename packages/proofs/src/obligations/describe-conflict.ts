import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { rmwMeaning } from '@fencewright/model/program/rmw.js';
import type { InstructionName, MoverConflict } from '@fencewright/model/verdict/prove-result.js';
import { describeState, modelIntegers } from './describe-model.js';
import type { Conflict } from './movers.js';
import type { Step } from '../steps/operation.js';
import type { ProofProgram } from '../steps/proof-program.js';

/**
 * Returns the name of the step that prevents an access from moving: the name of the step's last
 * access.
 */
export function nameOfStep({ thread, edges }: Step): {
  readonly other: InstructionName;
  readonly otherSucceeds?: boolean;
} {
  const last = edges.findLast(({ operation }) => 'address' in operation);
  if (!last) throw new InternalError("a step without an access is in nobody's way");
  const { operation, transition } = last;
  return {
    other: { thread, transition },
    ...(operation.kind === 'rmw' &&
      rmwMeaning(operation.operation).condition && { otherSucceeds: operation.stores }),
  };
}

/**
 * Returns a conflict between two steps as plain data, with the state in which the solver found the
 * conflict.
 */
export function describeConflict(program: ProofProgram, conflict: Conflict): MoverConflict {
  const { mover, thread, transition, otherStep, finding } = conflict;
  const values =
    finding.kind === 'fails' ? modelIntegers(finding.model) : new Map<string, number>();
  const text = (name: string): string | undefined => {
    const value = values.get(name);
    return value === undefined ? undefined : String(value);
  };
  const [ownValue, otherRead, otherWritten] = [
    text('own_value'),
    text('other_read_0'),
    text('other_written_0'),
  ];
  return {
    mover,
    own: { thread, transition },
    ...nameOfStep(otherStep),
    ...(ownValue !== undefined && { ownValue }),
    ...(otherRead !== undefined && { otherRead }),
    ...(otherWritten !== undefined && { otherWritten }),
    state: finding.kind === 'fails' ? describeState(program, finding) : [],
    isUndecided: finding.kind === 'unknown',
  };
}
