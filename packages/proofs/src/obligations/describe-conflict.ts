import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { rmwMeaning } from '@fencewright/model/program/rmw.js';
import type { MoverConflict } from '@fencewright/model/verdict/prove-result.js';
import { describeState, modelIntegers } from './describe-model.js';
import type { Conflict } from './movers.js';
import type { ProofProgram } from '../steps/proof-program.js';

/**
 * Returns a conflict between two steps as plain data, with the state in which the solver found the
 * conflict.
 */
export function describeConflict(program: ProofProgram, conflict: Conflict): MoverConflict {
  const { mover, thread, transition, otherThread, otherStep, finding } = conflict;
  const last = otherStep.edges.findLast(({ operation }) => 'address' in operation);
  if (!last) throw new InternalError("a step without an access is in nobody's way");
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
    other: { thread: otherThread, transition: last.transition },
    ...(last.operation.kind === 'rmw' &&
      rmwMeaning(last.operation.operation).condition && { otherSucceeds: last.operation.stores }),
    ...(ownValue !== undefined && { ownValue }),
    ...(otherRead !== undefined && { otherRead }),
    ...(otherWritten !== undefined && { otherWritten }),
    state: finding.kind === 'fails' ? describeState(program, finding) : [],
    isUndecided: finding.kind === 'unknown',
  };
}
