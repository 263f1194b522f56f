import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { ProblemList } from './problem-list.js';
import { orderNamed } from './read-order.js';
import type { PlainKeyword } from './syntax-instructions.js';
import type { Name } from './syntax-node.js';

/** Returns the instruction of a word that is an instruction by itself. */
export function plainInstruction(keyword: PlainKeyword): Instruction {
  switch (keyword) {
    case 'mfence':
      return { kind: 'fence' };
    case 'heavy_fence':
      return { kind: 'heavy-fence' };
    // An order to the compiler: no instruction.
    case 'light_fence':
      return { kind: 'skip' };
    default:
      return { kind: keyword };
  }
}

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
