import { at } from '@fencewright/ground/base/at.js';
import type { Expression } from '../program/expression.js';
import type { ThreadId, TransitionId } from '../program/ids.js';
import { computeLockStatus } from '../program/lock-status.js';
import type { MemoryOrder } from '../program/memory-order.js';
import { isPlainInText } from '../program/plain-in-text.js';
import type { Program, Transition } from '../program/program.js';
import { defaultAccessOrder, defaultRmwOrder, failureOrderOf } from './default-orders.js';
import type { EventOrder } from './execution-graph.js';

/** An access or a fence of a thread, with its memory order in C11. */
export interface OrderedAccess {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  readonly kind: 'load' | 'store' | 'rmw' | 'fence';
  readonly order: EventOrder;
  /** The memory order of a failing compare-exchange; absent for all other accesses. */
  readonly failureOrder?: MemoryOrder;
}

/**
 * Whether an access to the address is an access to a variable that is declared as plain (not
 * atomic).
 */
function isOfPlainVariable({ symbols }: Program, address: Expression): boolean {
  return (
    (address.kind === 'address' || address.kind === 'element') &&
    at(symbols, address.symbol).isPlain === true
  );
}

/**
 * Returns the access of an instruction outside of sections under the bus lock; `undefined` for
 * other instructions.
 */
function accessOf(
  program: Program,
  { instruction, origin }: Transition,
): Omit<OrderedAccess, 'thread' | 'transition'> | undefined {
  switch (instruction.kind) {
    case 'load':
    case 'store': {
      const { kind, address, order } = instruction;
      const isPlain =
        isOfPlainVariable(program, address) || (order === undefined && isPlainInText(origin));
      return { kind, order: isPlain ? 'plain' : (order ?? defaultAccessOrder) };
    }
    case 'rmw': {
      const { order = defaultRmwOrder, failureOrder, isStore, operation } = instruction;
      if (isStore) return { kind: 'store', order };
      if (operation.name !== 'cas') return { kind: 'rmw', order };
      return { kind: 'rmw', order, failureOrder: failureOrder ?? failureOrderOf(order) };
    }
    case 'lock': {
      const { order = defaultRmwOrder, failureOrder } = instruction;
      return { kind: 'rmw', order, failureOrder: failureOrder ?? failureOrderOf(order) };
    }
    case 'fence':
      return { kind: 'fence', order: 'seq_cst' };
    case 'skip':
      return instruction.fence && { kind: 'fence', order: instruction.fence };
    default:
      return undefined;
  }
}

/**
 * Returns all accesses and fences of the program with their orders, thread by thread. A section
 * under the bus lock is one read-modify-write.
 */
export function accessOrders(program: Program): readonly OrderedAccess[] {
  return program.threads.flatMap((code, thread) => {
    const status = computeLockStatus(code);
    return code.transitions.flatMap((one, transition): readonly OrderedAccess[] => {
      const access = at(status, one.from) === 'held' ? undefined : accessOf(program, one);
      return access ? [{ thread, transition, ...access }] : [];
    });
  });
}
