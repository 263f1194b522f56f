import { isSame } from '@fencewright/model/program/expression.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { Program, Thread, Transition } from '@fencewright/model/program/program.js';
import { findWeakRmws } from '@fencewright/model/program/weak-rmw.js';
import type { C11Refusal } from '@fencewright/model/verdict/c11-result.js';
import { addressesOf, type C11Cells } from './cells.js';
import type { C11Code } from './c11-steps.js';
import { accessesMemory, withoutEmptyBlocks } from './empty-blocks.js';

/** Returns a limit with the place of an instruction in the text. */
export function refusal(limit: C11Refusal['limit'], { origin }: Transition): C11Refusal {
  return { ...(limit && { limit }), ...(origin.span && { at: origin.span }) };
}

/** Whether the step ends the thread after a failed assertion. */
function isEndOfAssertion({ transitions }: Thread, { from, instruction }: Transition): boolean {
  return transitions.some(
    (one) =>
      one.to === from &&
      one.instruction.kind === 'assert' &&
      instruction.kind === 'assume' &&
      isSame(one.instruction.condition, instruction.condition),
  );
}

function refusalOf(thread: Thread, transition: Transition): C11Refusal | undefined {
  const { instruction, origin, to } = transition;
  switch (instruction.kind) {
    case 'lock': {
      // A thread that keeps the lock and does nothing more stands for the end of the process.
      const isEnd = thread.transitions.every(({ from }) => from !== to);
      const hasMeaning = instruction.order && accessesMemory(thread, transition);
      return hasMeaning || isEnd ? undefined : refusal('lock-blocks', transition);
    }
    case 'rmw':
      return origin.access && !instruction.order ? refusal('assembly', transition) : undefined;
    case 'assume':
      return instruction.cutsOff && !isEndOfAssertion(thread, transition)
        ? refusal('excluded-executions', transition)
        : undefined;
    default:
      return undefined;
  }
}

/**
 * Returns the first unsupported feature of the program; `undefined` if the check supports the
 * program.
 */
export function unsupportedIn(program: Program): C11Refusal | undefined {
  const { threads } = withoutEmptyBlocks(program);
  if (hasHeavyFences(program)) return { limit: 'heavy-fences' };
  if (threads.some((thread) => findWeakRmws(thread).length > 0)) return { limit: 'weak-rmws' };
  for (const thread of threads)
    for (const transition of thread.transitions) {
      const found = refusalOf(thread, transition);
      if (found) return found;
    }
  return undefined;
}

/**
 * Returns the refusal of a program with a `volatile` access of a watched cell, with the place of
 * the access in the text; `undefined` if there is none.
 */
export function volatileIn(code: C11Code, cells: C11Cells): C11Refusal | undefined {
  const isShared = (address: number): boolean =>
    (cells.watchedAt[cells.indexOf.get(address) ?? -1] ?? -1) >= 0;
  for (const [thread, locations] of code.steps.entries())
    for (const step of locations.flat()) {
      const { transition } = step.code;
      if (transition.origin.access === 'volatile' && addressesOf(code, thread, step).some(isShared))
        return refusal('volatile', transition);
    }
  return undefined;
}
