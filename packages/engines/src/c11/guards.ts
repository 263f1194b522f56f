import { at } from '@fencewright/ground/base/at.js';
import { isSame } from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Transition } from '@fencewright/model/program/program.js';
import type { CodeTransition } from '@fencewright/model/semantics/thread-code.js';

/** Whether the instruction always divides by zero: this is how front ends write a fault. */
function alwaysFaults(instruction: Instruction): boolean {
  if (instruction.kind !== 'assign') return false;
  const { value } = instruction;
  if (value.kind !== 'binary' || value.operator !== '/') return false;
  const { right } = value;
  return right.kind === 'binary' && right.operator === '!=' && isSame(right.left, right.right);
}

/** Whether the instruction is an assertion that fails. */
function alwaysFails(instruction: Instruction): boolean {
  if (instruction.kind !== 'assert') return false;
  const { condition } = instruction;
  return condition.kind === 'constant' && condition.value === 0;
}

/**
 * Returns the guards of a thread: conditions for which compiled code has no branch, so that no
 * later store waits for the loads read by the condition. A condition is a guard if all other
 * transitions from the condition's location lead at once to a fault or a failing assertion. Front
 * ends add such conditions, for example before a division, and release builds leave out assertions.
 * A condition that ends the thread after a failed assertion is a guard as well.
 */
export function guardTransitions(
  leaving: readonly (readonly CodeTransition[])[],
): ReadonlySet<Transition> {
  const endsAtOnce = ({ transition }: CodeTransition): boolean => {
    const next = at(leaving, transition.to);
    const isEnd = ({ transition: { instruction } }: CodeTransition): boolean =>
      alwaysFaults(instruction) || alwaysFails(instruction);
    return next.length > 0 && next.every(isEnd);
  };
  const guards = new Set<Transition>();
  for (const ways of leaving) {
    for (const { transition } of ways)
      if (transition.instruction.kind === 'assume' && transition.instruction.cutsOff)
        guards.add(transition);
    const [kept, ...more] = ways.filter((way) => !endsAtOnce(way));
    const isGuard = kept?.transition.instruction.kind === 'assume';
    if (isGuard && more.length === 0 && ways.length > 1) guards.add(kept.transition);
  }
  return guards;
}
