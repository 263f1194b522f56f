import { at } from '@fencewright/ground/base/at.js';
import { InternalError, unreachable } from '@fencewright/ground/base/unreachable.js';
import { transitionsFrom } from '@fencewright/model/program/leaving.js';
import { fixedAddress } from '@fencewright/model/program/cells.js';
import {
  areOpposite,
  forEachRegister,
  unary,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId } from '@fencewright/model/program/ids.js';
import {
  isOnlyNative,
  onlyNative,
  type Instruction,
} from '@fencewright/model/program/instruction.js';
import { isJoint } from '@fencewright/model/program/joints.js';
import type { SharedSymbol, Thread, Transition } from '@fencewright/model/program/program.js';
import type { RmwName } from '@fencewright/model/program/rmw.js';
import { operandsOf } from '@fencewright/model/program/rewrite.js';
import type { PrintReport } from '@fencewright/ground/source/print-report.js';
import { lockedUpdate, plainUpdate, type Update } from './x86-idioms.js';
import { X86Writer } from './x86-writer.js';

/** Data shared by the threads of one program while the program is printed. */
export interface LitmusPrinter {
  readonly symbols: readonly SharedSymbol[];
  /** The name of a cell by its address; addresses that belong to no variable are absent. */
  readonly cellNames: ReadonlyMap<number, string>;
  readonly report: PrintReport;
  readonly freshLabel: () => string;
}

/** A thread as a column of instructions, and the printed names of its registers. */
export interface PrintedThread {
  readonly lines: readonly string[];
  readonly registerName: (register: RegisterId) => string;
}

class ThreadPrinter {
  readonly #printer: LitmusPrinter;
  readonly #thread: Thread;
  readonly #writer: X86Writer;
  readonly #labels = new Map<LocationId, string>();
  readonly #written = new Set<LocationId>();
  /** The label at the end of the thread; `undefined` until some jump to the end was written. */
  #end: string | undefined;

  constructor(printer: LitmusPrinter, thread: Thread) {
    this.#printer = printer;
    this.#thread = thread;
    const { transitions, registers } = thread;
    const used = new Set<RegisterId>();
    // Unused visible registers are printed, too, since the condition may refer to such registers.
    registers.forEach(({ hidden }, id) => {
      if (!hidden) used.add(id);
    });
    for (const transition of transitions) {
      if (plainUpdate(thread, transition)) continue;
      const { instruction } = transition;
      for (const operand of operandsOf(instruction)) forEachRegister(operand, (id) => used.add(id));
      if ('into' in instruction && instruction.into !== undefined) used.add(instruction.into);
    }
    const wanted = [...used]
      .sort((a, b) => a - b)
      .map((register) => ({ register, name: at(registers, register).name }));
    const hasCas = transitions.some(
      ({ instruction }) => instruction.kind === 'rmw' && instruction.operation.name === 'cas',
    );
    this.#writer = new X86Writer(wanted, hasCas, printer.report, printer.freshLabel);
  }

  print(): PrintedThread {
    const writer = this.#writer;
    const pending = [this.#thread.initial];
    for (let next = pending.pop(); next !== undefined; next = pending.pop())
      if (!this.#written.has(next)) this.#path(next, pending);
    if (this.#end !== undefined) writer.label(this.#end);
    writer.finish();
    return { lines: writer.lines, registerName: (register) => writer.nameOf(register) };
  }

  #leaving(location: LocationId): readonly Transition[] {
    return transitionsFrom(this.#thread, location);
  }

  #labelOf(location: LocationId): string {
    if (this.#leaving(location).length === 0) {
      this.#end ??= this.#printer.freshLabel();
      return this.#end;
    }
    const known = this.#labels.get(location) ?? this.#printer.freshLabel();
    this.#labels.set(location, known);
    return known;
  }

  /**
   * Writes the instructions of one path until its end or a location already written; branches are
   * put into `pending`.
   */
  #path(start: LocationId, pending: LocationId[]): void {
    for (let at = start; ;) {
      if (this.#leaving(at).length === 0 || this.#written.has(at)) {
        // The last path may simply end.
        if (pending.every((other) => this.#written.has(other)) && this.#leaving(at).length === 0)
          return;
        this.#writer.emit(`JMP ${this.#labelOf(at)}`);
        return;
      }
      this.#written.add(at);
      if (this.#labels.has(at) || isJoint(this.#thread, at)) this.#writer.label(this.#labelOf(at));
      const next = this.#location(at, pending);
      if (next === undefined) return;
      at = next;
    }
  }

  /**
   * Writes the instructions leaving a location; returns the location at which the text continues,
   * `undefined` if nowhere.
   */
  #location(at: LocationId, pending: LocationId[]): LocationId | undefined {
    const [first, second, ...others] = this.#leaving(at);
    if (!first) return undefined;
    this.#writer.span = first.origin.span;
    this.#writer.release();
    if (!second) {
      if (first.instruction.kind === 'assume') {
        // A thread blocked for ever loops without an access.
        this.#writer.jumpUnless(first.instruction.condition, this.#spin(at));
        return first.to;
      }
      const update = plainUpdate(this.#thread, first);
      if (update) {
        this.#update(update, '');
        return update.to;
      }
      const locked = lockedUpdate(this.#thread, first);
      if (locked) {
        this.#update(locked, 'LOCK ');
        return locked.to;
      }
      this.#instruction(first.instruction);
      return first.to;
    }
    const [a, b] = [first.instruction, second.instruction];
    if (
      others.length > 0 ||
      a.kind !== 'assume' ||
      b.kind !== 'assume' ||
      !areOpposite(a.condition, b.condition)
    ) {
      this.#writer.refuse(
        'the thread has several next steps here, and X86 has no free choice',
        'choose by a condition on registers',
      );
      return undefined;
    }
    // The printed text continues in the order of the program's own text.
    const goesOn = this.#comesFirst(first.to, second.to) ? first.to : second.to;
    const away = goesOn === first.to ? second.to : first.to;
    if (goesOn === first.to) this.#writer.jumpUnless(a.condition, this.#labelOf(away));
    else this.#writer.jumpIf(a.condition, this.#labelOf(away));
    if (this.#leaving(away).length > 0) pending.push(away);
    return goesOn;
  }

  #comesFirst(a: LocationId, b: LocationId): boolean {
    if (this.#written.has(a) !== this.#written.has(b)) return this.#written.has(b);
    const [p, q] = [a, b].map((location) => this.#thread.locations[location]?.span?.start);
    return !p || !q || p.line < q.line || (p.line === q.line && p.column <= q.column);
  }

  /**
   * Returns the label of a location for a jump from the location back to itself; writes the label
   * if it is not written yet.
   */
  #spin(at: LocationId): string {
    if (!this.#labels.has(at)) this.#writer.label(this.#labelOf(at));
    return this.#labelOf(at);
  }

  #update({ word, address, operand, into }: Update, prefix: '' | 'LOCK '): void {
    const writer = this.#writer;
    const cell = this.#cell(address);
    if (into === undefined) {
      writer.emit(`${prefix}${word} ${cell},${writer.operand(operand)}`);
      return;
    }
    const target = writer.nameOf(into);
    writer.compute(word === 'ADD' ? operand : { kind: 'unary', operator: '-', operand }, target);
    writer.emit(`${prefix}XADD ${cell},${target}`);
  }

  #cell(address: Expression): string {
    const { symbols, cellNames } = this.#printer;
    const place = fixedAddress(symbols, address);
    const name = place === undefined ? undefined : cellNames.get(place);
    if (name !== undefined) return `[${name}]`;
    this.#writer.refuse(
      'this address is unknown before the program runs, or belongs to no variable',
      'name the location',
    );
    return '[x]';
  }

  #instruction(instruction: Exclude<Instruction, { kind: 'assume' }>): void {
    const writer = this.#writer;
    if (isOnlyNative(instruction)) {
      writer.refuse(...onlyNative(instruction.kind));
      return;
    }
    switch (instruction.kind) {
      case 'store':
        writer.emit(`MOV ${this.#cell(instruction.address)},${writer.operand(instruction.value)}`);
        return;
      case 'load':
        writer.emit(`MOV ${writer.nameOf(instruction.into)},${this.#cell(instruction.address)}`);
        return;
      case 'fence':
        writer.emit('MFENCE');
        return;
      case 'assign':
        writer.compute(instruction.value, writer.nameOf(instruction.into));
        return;
      case 'rmw':
        this.#rmw(instruction);
        return;
      case 'skip':
        return;
      case 'assert':
        this.#printer.report.note(
          writer.span,
          'assertions do not exist in this format',
          'robustness does not depend on them',
        );
        return;
      case 'lock':
      case 'unlock':
        writer.refuse(
          'X86 holds the bus lock for one instruction only',
          'use one rmw instead of a block',
        );
        return;
      case 'havoc':
        writer.refuse('X86 has no instruction for a free choice', 'give the register a value');
        return;
      default:
        unreachable(instruction);
    }
  }

  #rmw({ into, address, operation }: Extract<Instruction, { kind: 'rmw' }>): void {
    const writer = this.#writer;
    const cell = this.#cell(address);
    const [first, second] = operation.operands;
    if (!first) throw new InternalError(`${operation.name} without an operand`);
    switch (operation.name) {
      case 'cas':
        this.#compareExchange(cell, first, second ?? first, into);
        return;
      case 'xchg': {
        const target = into === undefined ? writer.scratch() : writer.nameOf(into);
        writer.compute(first, target);
        writer.emit(`XCHG ${cell},${target}`);
        return;
      }
      default:
        this.#fetch(operation.name, cell, first, into);
    }
  }

  #compareExchange(
    cell: string,
    expected: Expression,
    desired: Expression,
    into: RegisterId | undefined,
  ): void {
    const writer = this.#writer;
    writer.compute(expected, 'EAX');
    writer.emit(`LOCK CMPXCHG ${cell},${writer.inRegister(desired)}`);
    if (into === undefined) return;
    const [no, end] = [this.#printer.freshLabel(), this.#printer.freshLabel()];
    const target = writer.nameOf(into);
    writer.emit(`JNE ${no}`);
    writer.emit(`MOV ${target},$1`);
    writer.emit(`JMP ${end}`);
    writer.label(no);
    writer.emit(`MOV ${target},$0`);
    writer.label(end);
  }

  #fetch(
    name: Exclude<RmwName, 'cas' | 'xchg'>,
    cell: string,
    operand: Expression,
    into: RegisterId | undefined,
  ): void {
    const writer = this.#writer;
    const word = lockedWords[name];
    if (word === undefined) {
      writer.refuse(`there is no instruction for ${name}`, 'write it with cas');
      return;
    }
    if (into === undefined) {
      writer.emit(`LOCK ${word} ${cell},${writer.operand(operand)}`);
      return;
    }
    if (word === 'ADD' || word === 'SUB') {
      const target = writer.nameOf(into);
      writer.compute(word === 'ADD' ? operand : unary('-', operand), target);
      writer.emit(`LOCK XADD ${cell},${target}`);
      return;
    }
    writer.refuse(`no single instruction gives the old value of a ${name}`, 'drop its result');
  }
}

/** Operations that X86 performs in one instruction with LOCK, and the instruction's name. */
const lockedWords: Readonly<Partial<Record<RmwName, string>>> = {
  fetch_add: 'ADD',
  fetch_sub: 'SUB',
  fetch_add32: 'ADD',
  fetch_sub32: 'SUB',
  fetch_and: 'AND',
  fetch_or: 'OR',
  fetch_xor: 'XOR',
};

/**
 * Returns the printed code of a thread. Operations that X86 lacks are reported; the lines are then
 * not valid code.
 */
export function printX86Thread(printer: LitmusPrinter, thread: Thread): PrintedThread {
  return new ThreadPrinter(printer, thread).print();
}
