import { isSame, type Expression } from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId } from '@fencewright/model/program/ids.js';
import { onlyNext } from '@fencewright/model/program/joints.js';
import type { Thread, Transition } from '@fencewright/model/program/program.js';
import { isReadBeforeWritten } from '@fencewright/model/program/read-before-written.js';

/**
 * A load of a cell, and a store of the loaded value combined with an operand, for example by
 * addition.
 */
export interface Update {
  readonly word: 'ADD' | 'SUB' | 'AND' | 'OR' | 'XOR';
  readonly address: Expression;
  /** The operand: a number, or a register other than the register filled by the load. */
  readonly operand: Expression;
  /**
   * The register into which the load puts the value of the cell. Absent if the register is hidden
   * and no later instruction reads the loaded value.
   */
  readonly into?: RegisterId;
  readonly to: LocationId;
}

const words: Readonly<Record<string, Update['word']>> = {
  '+': 'ADD',
  '-': 'SUB',
  '&': 'AND',
  '|': 'OR',
  '^': 'XOR',
};

/**
 * Returns the update of a cell by a load and the store that follows; `done` is the last transition
 * of the update. `undefined` if the transitions are no such update.
 */
function updateOf(thread: Thread, load: Transition, done: Transition): Update | undefined {
  const store = onlyNext(thread, load);
  if (load.instruction.kind !== 'load' || store?.instruction.kind !== 'store') return undefined;
  const { into, address } = load.instruction;
  const { value, address: target } = store.instruction;
  if (value.kind !== 'binary' || !isSame(address, target)) return undefined;
  const isTurned = value.operator !== '-' && isRegister(value.right, into);
  const [left, right] = isTurned ? [value.right, value.left] : [value.left, value.right];
  const word = words[value.operator];
  if (word === undefined || !isRegister(left, into)) return undefined;
  const isSimple = right.kind === 'constant' || right.kind === 'register';
  if (!isSimple || isRegister(right, into)) return undefined;
  const isDropped =
    thread.registers[into]?.hidden === true && !isReadBeforeWritten(thread, into, done.to);
  return { word, address, operand: right, to: done.to, ...(!isDropped && { into }) };
}

function isRegister(value: Expression, register: RegisterId): boolean {
  return value.kind === 'register' && value.register === register;
}

/**
 * Returns the load and store that one instruction without LOCK can do: `ADD [x],$1`; `undefined` if
 * none can.
 */
export function plainUpdate(thread: Thread, load: Transition): Update | undefined {
  const store = onlyNext(thread, load);
  const update = store && updateOf(thread, load, store);
  return update?.into === undefined ? update : undefined;
}

/**
 * Returns the block under the bus lock that one instruction can do: `LOCK ADD [x],$1`, or `LOCK
 * XADD [x],EAX` if the value found is used; `undefined` if none can.
 */
export function lockedUpdate(thread: Thread, lock: Transition): Update | undefined {
  if (lock.instruction.kind !== 'lock') return undefined;
  const load = onlyNext(thread, lock);
  const store = load && onlyNext(thread, load);
  const unlock = store && onlyNext(thread, store);
  if (unlock?.instruction.kind !== 'unlock') return undefined;
  const update = updateOf(thread, load!, unlock);
  const isExchange = update?.into !== undefined;
  return isExchange && update.word !== 'ADD' && update.word !== 'SUB' ? undefined : update;
}
