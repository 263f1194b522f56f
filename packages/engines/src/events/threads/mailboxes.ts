import { constant, type Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId, SymbolId } from '@fencewright/model/program/ids.js';
import type { HandOver, Instruction } from '@fencewright/model/program/instruction.js';
import type { SharedSymbol } from '@fencewright/model/program/program.js';
import type { RmwOperation } from '@fencewright/model/program/rmw.js';

/**
 * The address of the first mailbox, greater than every value of an expression, so that no computed
 * address leads to a mailbox.
 */
const firstAddress = 2 ** 32;

/** Adds mailboxes to a program: cells, after the shared variables, by which a task is posted. */
export class Mailboxes {
  readonly symbols: SharedSymbol[] = [];

  constructor(readonly first: SymbolId) {}

  /** Adds an empty mailbox; returns its symbol. */
  add(): SymbolId {
    const number = this.symbols.length;
    this.symbols.push({
      name: `mailbox${number}`,
      base: firstAddress + number,
      length: 1,
      isArray: false,
      initial: [0],
    });
    return this.first + number;
  }
}

function handOver(
  kind: HandOver,
  symbol: SymbolId,
  operation: RmwOperation,
  into?: RegisterId,
): Instruction {
  const address: Expression = { kind: 'address', symbol };
  return {
    kind: 'rmw',
    address,
    operation,
    handOver: kind,
    ...(into !== undefined && { into }),
  };
}

/** Returns an instruction that puts an argument into a mailbox. */
export function giveArgument(symbol: SymbolId, value: Expression): Instruction {
  return handOver('argument', symbol, { name: 'xchg', operands: [value] });
}

/** Returns an instruction that takes an argument out of a mailbox. */
export function takeArgument(symbol: SymbolId, into: RegisterId): Instruction {
  return handOver('argument', symbol, { name: 'xchg', operands: [constant(0)] }, into);
}

/** Returns an instruction that posts the task of a mailbox. */
export function post(symbol: SymbolId): Instruction {
  return handOver('post', symbol, { name: 'xchg', operands: [constant(1)] });
}

/** Returns an instruction that begins the task of a mailbox, and waits until the task is posted. */
export function beginTask(symbol: SymbolId): Instruction {
  return handOver('begin', symbol, { name: 'cas', operands: [constant(1), constant(0)] });
}
