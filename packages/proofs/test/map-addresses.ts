import type { Expression } from '@fencewright/model/program/expression.js';
import type { Thread } from '@fencewright/model/program/program.js';

/** Returns the thread with changed addresses in loads, stores and rmws. */
export function mapAddresses(thread: Thread, change: (address: Expression) => Expression): Thread {
  return {
    ...thread,
    transitions: thread.transitions.map((transition) => {
      const { instruction } = transition;
      if (!('address' in instruction)) return transition;
      return {
        ...transition,
        instruction: { ...instruction, address: change(instruction.address) },
      };
    }),
  };
}
