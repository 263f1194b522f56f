import type { AutomatonBuilder } from '@fencewright/model/program/automaton-builder.js';
import { constant, type Expression, registerValue } from '@fencewright/model/program/expression.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { SharedNames } from '@fencewright/model/program/shared-names.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { isMemory } from './x86-instruction.js';
import type { X86Operand } from './x86-operand.js';

/** Emits the instructions that read and write the operands of one thread. */
export class X86OperandCode {
  readonly #builder: AutomatonBuilder;
  readonly #shared: SharedNames;

  constructor(builder: AutomatonBuilder, shared: SharedNames) {
    this.#builder = builder;
    this.#shared = shared;
  }

  /** Returns the value of an operand that is a register. */
  register(operand: X86Operand): Expression {
    return registerValue(this.#builder.register(operand.kind === 'register' ? operand.name : ''));
  }

  /** Returns the address of an operand that is a memory cell. */
  addressOf(operand: X86Operand): Expression {
    if (operand.kind === 'indirect') return registerValue(this.#builder.register(operand.register));
    return {
      kind: 'address',
      symbol: this.#shared.symbol(operand.kind === 'cell' ? operand.name : ''),
    };
  }

  /**
   * Returns the value of an operand at `at`; a memory cell is first loaded into a hidden register
   * for `purpose`.
   */
  valueOf(
    at: LocationId,
    operand: X86Operand,
    span: Span,
    purpose: string,
  ): readonly [LocationId, Expression] {
    if (operand.kind === 'immediate') return [at, constant(operand.value)];
    if (operand.kind === 'register') return [at, this.register(operand)];
    const into = this.#builder.hidden(`.${purpose}`);
    const load = { kind: 'load', into, address: this.addressOf(operand) } as const;
    return [this.#builder.step(at, load, span), registerValue(into)];
  }

  /** Returns the instruction that puts a value into a register or a memory cell. */
  write(to: X86Operand, value: Expression): Instruction {
    return isMemory(to)
      ? { kind: 'store', address: this.addressOf(to), value }
      : {
          kind: 'assign',
          into: this.#builder.register(to.kind === 'register' ? to.name : ''),
          value,
        };
  }
}
