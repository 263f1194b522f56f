import type { Instruction } from '../program/instruction.js';
import type { MemoryOrder } from '../program/memory-order.js';
import type { Program, Transition } from '../program/program.js';
import { defaultRmwOrder, failureOrderOf } from './default-orders.js';

/**
 * The memory orders of loads that no later access can pass, and of stores that can pass no earlier
 * access.
 */
interface KeptOrders {
  readonly loads: readonly MemoryOrder[];
  readonly stores: readonly MemoryOrder[];
}

const acquireAndRelease: KeptOrders = {
  loads: ['acquire', 'acq_rel', 'seq_cst'],
  stores: ['release', 'acq_rel', 'seq_cst'],
};
const sequential: KeptOrders = { loads: ['seq_cst'], stores: ['seq_cst'] };

function isOrdered(
  { instruction, origin: { access } }: Transition,
  { loads, stores }: KeptOrders,
): boolean {
  if ('address' in instruction && access !== 'atomic') return false;
  switch (instruction.kind) {
    case 'load':
      return instruction.order !== undefined && loads.includes(instruction.order);
    case 'store':
      return instruction.order !== undefined && stores.includes(instruction.order);
    case 'rmw': {
      const { order = defaultRmwOrder, failureOrder = failureOrderOf(order) } = instruction;
      if (instruction.isStore) return stores.includes(order);
      return loads.includes(order) && stores.includes(order) && loads.includes(failureOrder);
    }
    default:
      return true;
  }
}

/**
 * Whether x86 drains the store buffer at the instruction although C lets a later load pass an
 * earlier store there.
 */
function drainsBeyondLanguage({ kind }: Instruction): boolean {
  return kind === 'rmw' || kind === 'lock' || kind === 'unlock';
}

/**
 * Whether C itself forbids compilers every change of the order of a thread's accesses that TSO does
 * not make as well ([CPP20] [intro.races], [atomics.order]). All accesses to shared memory are
 * atomic. Loads acquire and stores release, so that compilers may only move a load before an
 * earlier store, as store buffers do. In a thread with a locked instruction, which drains the
 * buffer, all accesses are seq_cst: C lets an acquire load pass even a seq_cst store to another
 * cell.
 */
export function isOrderedByLanguage({ threads, symbols }: Program): boolean {
  return threads.every(({ transitions }) => {
    const isDraining = transitions.some(({ instruction }) => drainsBeyondLanguage(instruction));
    const kept = isDraining ? sequential : acquireAndRelease;
    return transitions.every((one) => {
      const { instruction } = one;
      const address = 'address' in instruction ? instruction.address : undefined;
      // Accesses to cells of a front end's own are no code of the program.
      const isOwn = address?.kind === 'address' && symbols[address.symbol]?.isInternal === true;
      return isOwn || isOrdered(one, kept);
    });
  });
}
