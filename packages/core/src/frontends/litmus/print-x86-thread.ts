import { forEachRegister, type Expression } from '../../program/expression.js';
import type { LocationId, RegisterId } from '../../program/ids.js';
import type { Instruction } from '../../program/instruction.js';
import type { SharedSymbol, Thread, Transition } from '../../program/program.js';
import { isReadBeforeWritten, operandsOf } from '../../program/read-before-written.js';
import type { PrintReport } from '../../source/print-report.js';
import { X86Writer } from './x86-writer.js';

/** What the threads of one program share while it is printed. */
export interface LitmusPrinter {
  readonly symbols: readonly SharedSymbol[];
  /** The name of a cell, by its address; absent where no variable lies. */
  readonly cellNames: ReadonlyMap<number, string>;
  readonly report: PrintReport;
  readonly freshLabel: () => string;
}

/** A thread as a column of instructions, and the names that its registers got. */
export interface PrintedThread {
  readonly lines: readonly string[];
  readonly registerName: (register: RegisterId) => string;
}

const negated: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

function isSame(a: Expression, b: Expression): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether exactly one of the conditions holds, whatever the registers are. */
function areOpposite(a: Expression, b: Expression): boolean {
  if (a.kind === 'unary' && a.operator === '!' && isSame(a.operand, b)) return true;
  if (b.kind === 'unary' && b.operator === '!' && isSame(b.operand, a)) return true;
  if (a.kind !== 'binary' || b.kind !== 'binary') return false;
  return negated[a.operator] === b.operator && isSame(a.left, b.left) && isSame(a.right, b.right);
}

class ThreadPrinter {
  readonly #printer: LitmusPrinter;
  readonly #thread: Thread;
  readonly #writer: X86Writer;
  readonly #labels = new Map<LocationId, string>();
  readonly #written = new Set<LocationId>();
  /** The label of the end, once something jumps there. */
  #end: string | undefined;

  constructor(printer: LitmusPrinter, thread: Thread) {
    this.#printer = printer;
    this.#thread = thread;
    const { transitions, registers } = thread;
    const used = new Set<RegisterId>();
    // What is only visible is printed, too, as the condition may ask for it.
    registers.forEach(({ hidden }, id) => {
      if (!hidden) used.add(id);
    });
    for (const transition of transitions) {
      if (this.#updateOf(transition)) continue;
      const { instruction } = transition;
      for (const operand of operandsOf(instruction)) forEachRegister(operand, (id) => used.add(id));
      if ('into' in instruction && instruction.into !== undefined) used.add(instruction.into);
    }
    const wanted = [...used]
      .sort((a, b) => a - b)
      .map((register) => ({ register, name: registers[register]?.name ?? '' }));
    const hasCas = transitions.some(
      ({ instruction }) => instruction.kind === 'rmw' && instruction.operation.kind === 'cas',
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
    return this.#thread.transitions.filter(({ from }) => from === location);
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

  /** Locations that a jump, not only the instruction before, leads to. */
  #isJoint(location: LocationId): boolean {
    const entries = this.#thread.transitions.filter(({ to }) => to === location).length;
    return entries + (location === this.#thread.initial ? 1 : 0) > 1;
  }

  /** Writes one path until it ends or meets what is written; branches are left for later. */
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
      if (this.#labels.has(at) || this.#isJoint(at)) this.#writer.label(this.#labelOf(at));
      const next = this.#location(at, pending);
      if (next === undefined) return;
      at = next;
    }
  }

  /** Writes what leaves a location; gives where the text goes on. */
  #location(at: LocationId, pending: LocationId[]): LocationId | undefined {
    const [first, second, ...others] = this.#leaving(at);
    if (!first) return undefined;
    this.#writer.span = first.origin.span;
    this.#writer.release();
    if (!second) {
      if (first.instruction.kind === 'assume') {
        // What blocks for ever runs in circles without an access.
        this.#writer.jumpUnless(first.instruction.condition, this.#spin(at));
        return first.to;
      }
      const update = this.#updateOf(first);
      if (update) {
        this.#writer.emit(
          `${update.word} ${this.#cell(update.address)},${this.#writer.operand(update.operand)}`,
        );
        return update.to;
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
        'a thread may go several ways here, and instructions of X86 go one',
        'choose by a condition on registers',
      );
      return undefined;
    }
    // The text goes on with what comes next in the program's own text.
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

  /** A label of the location for its own use. */
  #spin(at: LocationId): string {
    if (!this.#labels.has(at)) this.#writer.label(this.#labelOf(at));
    return this.#labelOf(at);
  }

  /** A load and a store of one cell that an instruction without LOCK does: `ADD [x],$1`. */
  #updateOf(load: Transition):
    | {
        readonly word: string;
        readonly address: Expression;
        readonly operand: Expression;
        readonly to: LocationId;
      }
    | undefined {
    if (load.instruction.kind !== 'load') return undefined;
    const { into, address } = load.instruction;
    if (!this.#thread.registers[into]?.hidden || this.#isJoint(load.to)) return undefined;
    const [store, more] = this.#leaving(load.to);
    if (more || store?.instruction.kind !== 'store') return undefined;
    const { value, address: target } = store.instruction;
    const words: Readonly<Record<string, string>> = {
      '+': 'ADD',
      '-': 'SUB',
      '&': 'AND',
      '|': 'OR',
      '^': 'XOR',
    };
    if (value.kind !== 'binary' || !isSame(address, target)) return undefined;
    const { left, right, operator } = value;
    const word = words[operator];
    if (word === undefined || left.kind !== 'register' || left.register !== into) return undefined;
    const isSimple =
      right.kind === 'constant' || (right.kind === 'register' && right.register !== into);
    if (!isSimple || isReadBeforeWritten(this.#thread, into, store.to)) return undefined;
    return { word, address, operand: right, to: store.to };
  }

  #cell(address: Expression): string {
    const { symbols, cellNames } = this.#printer;
    let place: number | undefined;
    if (address.kind === 'constant') place = address.value;
    if (address.kind === 'address') place = symbols[address.symbol]?.base;
    if (address.kind === 'element' && address.index.kind === 'constant')
      place = (symbols[address.symbol]?.base ?? 0) + address.index.value;
    const name = place === undefined ? undefined : cellNames.get(place);
    if (name !== undefined) return `[${name}]`;
    this.#writer.refuse(
      'this address is known only when the program runs, or no variable lies there',
      'name the location',
    );
    return '[x]';
  }

  #instruction(instruction: Exclude<Instruction, { kind: 'assume' }>): void {
    const writer = this.#writer;
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
          'the bus lock can be held for one instruction only in X86',
          'use one rmw instead of a block',
        );
        return;
      case 'havoc':
        writer.refuse('a free choice has no instruction', 'give the register a value');
        return;
    }
  }

  #rmw({ into, address, operation }: Extract<Instruction, { kind: 'rmw' }>): void {
    const writer = this.#writer;
    const cell = this.#cell(address);
    if (operation.kind === 'cas') {
      writer.compute(operation.expected, 'EAX');
      const desired = writer.inRegister(operation.desired);
      writer.emit(`LOCK CMPXCHG ${cell},${desired}`);
      if (into === undefined) return;
      const [no, end] = [this.#printer.freshLabel(), this.#printer.freshLabel()];
      const target = writer.nameOf(into);
      writer.emit(`JNE ${no}`);
      writer.emit(`MOV ${target},$1`);
      writer.emit(`JMP ${end}`);
      writer.label(no);
      writer.emit(`MOV ${target},$0`);
      writer.label(end);
      return;
    }
    if (operation.kind === 'xchg') {
      const target = into === undefined ? writer.scratch() : writer.nameOf(into);
      writer.compute(operation.value, target);
      writer.emit(`XCHG ${cell},${target}`);
      return;
    }
    const { operator, operand } = operation;
    if (into === undefined) {
      writer.emit(`LOCK ${operator.toUpperCase()} ${cell},${writer.operand(operand)}`);
      return;
    }
    const target = writer.nameOf(into);
    if (operator === 'add' || operator === 'sub') {
      writer.compute(
        operator === 'add' ? operand : { kind: 'unary', operator: '-', operand },
        target,
      );
      writer.emit(`LOCK XADD ${cell},${target}`);
      return;
    }
    writer.refuse(
      `no single instruction gives the old value of a fetch_${operator}`,
      'drop its result',
    );
  }
}

/** The code of a thread. What X86 cannot do goes into the report; the lines are of no use then. */
export function printX86Thread(printer: LitmusPrinter, thread: Thread): PrintedThread {
  return new ThreadPrinter(printer, thread).print();
}
