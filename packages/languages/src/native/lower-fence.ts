import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { ProblemList } from './problem-list.js';
import { orderNamed } from './read-order.js';
import type { Name } from './syntax-node.js';

/**
 * Returns the instruction of `fence(order)`; a plain `skip` after a reported error. A fence that is
 * weaker than `seq_cst` is a `skip` for TSO.
 */
export function lowerFence({ text, span }: Name, problems: ProblemList): Instruction {
  const order = orderNamed(text, 'fence', span, problems);
  switch (order) {
    case 'acquire':
    case 'release':
    case 'acq_rel':
      return { kind: 'skip', fence: order };
    case 'seq_cst':
      return { kind: 'fence' };
    default:
      return { kind: 'skip' };
  }
}
