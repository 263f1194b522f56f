import { at } from '@fencewright/ground/base/at.js';
import { isSame } from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Transition } from '@fencewright/model/program/program.js';
import type { CodeTransition } from '@fencewright/model/semantics/thread-code.js';

/** Whether every execution of the instruction divides by zero, as front ends write a fault. */
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
 * Returns the guards of a thread: conditions beside which every other way from their place ends at
 * once in a fault or a failing assertion, and conditions that end a thread behind an assertion that
 * fails. Front ends add the former, for example before a division; release builds leave out
 * assertions. Compiled code has no branch there, so a guard keeps no later store behind the loads
 * that its condition reads.
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
