import { areOpposite } from '@fencewright/model/program/expression.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import { transitionsFrom } from '@fencewright/model/program/leaving.js';
import type { FaultMeaning, Program, Thread } from '@fencewright/model/program/program.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import { findTransition } from './action-words.js';

/** The faults to which a statement of the text leads by itself, without a front end's check. */
const ofStatements: readonly FaultMeaning[] = [
  ...(['trap', 'terminated', 'unknown-function', 'unsupported'] as const),
];

/** Whether all transitions of a thread from a location are faults that a front end has added. */
function isAtFault(thread: Thread, location: LocationId): boolean {
  const next = transitionsFrom(thread, location);
  return (
    next.length > 0 &&
    next.every(({ origin: { fault } }) => fault !== undefined && !ofStatements.includes(fault))
  );
}

/**
 * Whether an action passes a check that a front end has added, such as whether an index lies within
 * its array: the only alternative to the condition is a fault. The text of the program has no
 * statement for the check.
 */
export function passesCheck(program: Program, { kind, thread, transition }: Action): boolean {
  if (kind !== 'local') return false;
  const found = findTransition(program, thread, transition);
  if (found?.transition.instruction.kind !== 'assume') return false;
  const { owner } = found;
  const { from, instruction } = found.transition;
  const [one, other, ...more] = transitionsFrom(owner, from);
  if (!one || !other || more.length > 0) return false;
  const alternative = one === found.transition ? other : one;
  return (
    alternative.instruction.kind === 'assume' &&
    areOpposite(instruction.condition, alternative.instruction.condition) &&
    isAtFault(owner, alternative.to)
  );
}
