import type { MemoryOrder } from '../program/memory-order.js';
import type { Program, Transition } from '../program/program.js';
import { defaultRmwOrder, failureOrderOf } from './default-orders.js';

const acquiring: readonly (MemoryOrder | undefined)[] = ['acquire', 'acq_rel', 'seq_cst'];
const releasing: readonly (MemoryOrder | undefined)[] = ['release', 'acq_rel', 'seq_cst'];

function isOrdered({ instruction, origin: { access } }: Transition): boolean {
  if ('address' in instruction && access !== 'atomic') return false;
  switch (instruction.kind) {
    case 'load':
      return acquiring.includes(instruction.order);
    case 'store':
      return releasing.includes(instruction.order);
    case 'rmw': {
      const { order = defaultRmwOrder, failureOrder = failureOrderOf(order) } = instruction;
      if (instruction.isStore) return releasing.includes(order);
      return (
        [acquiring, releasing].every((orders) => orders.includes(order)) &&
        acquiring.includes(failureOrder)
      );
    }
    default:
      return true;
  }
}

/**
 * Whether C itself forbids compilers every change of the order of accesses that TSO does not make
 * as well: all accesses to shared memory are atomic, loads acquire and stores release. Compilers
 * may still move a load before an earlier store, as store buffers do ([CPP20] [intro.races]).
 */
export function isOrderedByLanguage({ threads, symbols }: Program): boolean {
  return threads.every(({ transitions }) =>
    transitions.every((one) => {
      const { instruction } = one;
      const address = 'address' in instruction ? instruction.address : undefined;
      // Accesses to cells of a front end's own are no code of the program.
      const isOwn = address?.kind === 'address' && symbols[address.symbol]?.isInternal === true;
      return isOwn || isOrdered(one);
    }),
  );
}
