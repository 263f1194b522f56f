import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { AutomatonBuilder } from '@fencewright/model/program/automaton-builder.js';
import { binary, constant, registerValue } from '@fencewright/model/program/expression.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Thread } from '@fencewright/model/program/program.js';
import { misplaced } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import type { InitialRegister } from './initial-state.js';
import type { LitmusReading } from './litmus-reading.js';
import type { X86Code } from './x86-column.js';
import { computed, fetchOf } from './x86-arithmetic.js';
import { computeFlagUses, isUnsigned, losesCarry, setsFlags } from './x86-flags.js';
import { isMemory, type X86Instruction } from './x86-instruction.js';
import { conditionOf, type ComparedValues, negations } from './x86-jump-condition.js';
import { X86OperandCode } from './x86-operand-code.js';

/** The text of a thread in assembler, and its registers. */
interface X86Thread {
  readonly name: string;
  readonly span: Span;
  readonly code: X86Code;
  /** The name of the register that the instruction CMPXCHG compares with its destination. */
  readonly accumulator: string;
  readonly initial: readonly InitialRegister[];
  /** The canonical names of the registers that the file mentions outside the code. */
  readonly mentioned: readonly string[];
}

/** Makes the automaton of one thread. */
class X86Lowering {
  readonly #reading: LitmusReading;
  readonly #thread: X86Thread;
  readonly #builder: AutomatonBuilder;
  readonly #operands: X86OperandCode;
  readonly #starts: readonly LocationId[];
  /**
   * By the line of a jump that directly follows a comparison: the two compared values, which need
   * no registers for the jump.
   */
  readonly #directFlags = new Map<number, ComparedValues>();

  constructor(reading: LitmusReading, thread: X86Thread) {
    this.#reading = reading;
    this.#thread = thread;
    this.#builder = new AutomatonBuilder(thread.name);
    this.#operands = new X86OperandCode(this.#builder, reading.shared);
    const { lines, end } = thread.code;
    this.#starts = [
      ...lines.map(({ span, labels }) => this.#builder.location(span, labels[0]?.name)),
      this.#builder.location(end),
    ];
  }

  build(): Thread {
    const { code, initial, span, mentioned } = this.#thread;
    const start = this.#starts[0]!;
    let at = initial.length > 0 ? this.#builder.location(span) : start;
    const first = at;
    initial.forEach(({ register, value, span: place }, i) => {
      const into = this.#builder.register(register);
      const instruction = { kind: 'assign', into, value: constant(value) } as const;
      if (i < initial.length - 1) at = this.#builder.step(at, instruction, place);
      else this.#builder.emit(at, start, instruction, place);
    });
    this.#refuseUnsetFlags();
    code.lines.forEach(({ instruction, span: place }, line) => {
      this.#lowerLine(line, instruction, place);
    });
    for (const register of mentioned) this.#builder.register(register);
    return this.#builder.build(first);
  }

  #refuseUnsetFlags(): void {
    const { code } = this.#thread;
    for (const line of computeFlagUses(code, 0).jumps)
      this.#reading.errors.error(() =>
        misplaced(
          code.lines[line]!.span,
          'nothing sets the flags before this jump',
          'put a CMP or TEST before the jump',
        ),
      );
  }

  #lowerLine(line: number, instruction: X86Instruction, span: Span): void {
    const at = this.#starts[line]!;
    const next = this.#starts[line + 1]!;
    switch (instruction.kind) {
      case 'nothing':
        this.#builder.join(at, next, span);
        return;
      case 'fence':
        this.#builder.emit(at, next, { kind: 'fence' }, span);
        return;
      case 'jump':
        this.#lowerJump(line, instruction, span);
        return;
      case 'move':
        this.#lowerMove(at, next, instruction, span);
        return;
      case 'exchange':
        this.#lowerExchange(at, next, instruction, span);
        return;
      case 'compare': {
        const [behindLeft, left] = this.#operands.valueOf(at, instruction.left, span, 'left');
        const [behind, right] = this.#operands.valueOf(
          behindLeft,
          instruction.right,
          span,
          'right',
        );
        const flags =
          instruction.operator === 'cmp'
            ? { left, right }
            : { left: binary('&', left, right), right: constant(0) };
        this.#setFlags(line, behind, next, flags, span);
        return;
      }
      case 'arithmetic':
        this.#lowerArithmetic(line, at, next, instruction, span);
        return;
      case 'xadd':
        this.#lowerXadd(line, at, next, instruction, span);
        return;
      case 'cmpxchg':
        this.#lowerCmpxchg(line, at, next, instruction, span);
        return;
      default:
        unreachable(instruction);
    }
  }

  #lowerMove(
    at: LocationId,
    next: LocationId,
    { to, from }: Extract<X86Instruction, { kind: 'move' }>,
    span: Span,
  ): void {
    if (isMemory(from) && to.kind === 'register') {
      const into = this.#builder.register(to.name);
      this.#builder.emit(
        at,
        next,
        { kind: 'load', into, address: this.#operands.addressOf(from) },
        span,
      );
      return;
    }
    const [behind, value] = this.#operands.valueOf(at, from, span, 'moved');
    this.#builder.emit(behind, next, this.#operands.write(to, value), span);
  }

  #lowerExchange(
    at: LocationId,
    next: LocationId,
    { to, from }: Extract<X86Instruction, { kind: 'exchange' }>,
    span: Span,
  ): void {
    const [memory, register] = isMemory(to) ? [to, from] : [from, to];
    if (register.kind !== 'register') return;
    const into = this.#builder.register(register.name);
    if (isMemory(memory)) {
      const operation = { name: 'xchg', operands: [registerValue(into)] } as const;
      const address = this.#operands.addressOf(memory);
      this.#builder.emit(at, next, { kind: 'rmw', into, address, operation }, span);
      return;
    }
    const kept = this.#builder.hidden('.moved');
    const other = this.#operands.register(memory);
    const saved = this.#builder.step(at, { kind: 'assign', into: kept, value: other }, span);
    const moved = this.#builder.step(
      saved,
      this.#operands.write(memory, registerValue(into)),
      span,
    );
    this.#builder.emit(moved, next, this.#operands.write(register, registerValue(kept)), span);
  }

  #lowerArithmetic(
    line: number,
    at: LocationId,
    next: LocationId,
    instruction: Extract<X86Instruction, { kind: 'arithmetic' }>,
    span: Span,
  ): void {
    const { to, from, operator, locked } = instruction;
    const usesFlags = setsFlags(instruction) && this.#usesFlags(line);
    const [start, operand] = from
      ? this.#operands.valueOf(at, from, span, 'right')
      : [at, constant(0)];
    const operation = locked ? fetchOf(operator, operand) : undefined;
    if (operation) {
      const address = this.#operands.addressOf(to);
      if (!usesFlags) {
        this.#builder.emit(start, next, { kind: 'rmw', address, operation }, span);
        return;
      }
      const into = this.#builder.hidden('.left');
      const behind = this.#builder.step(start, { kind: 'rmw', into, address, operation }, span);
      const { flags } = computed(operator, registerValue(into), operand);
      this.#setFlags(line, behind, next, flags, span);
      return;
    }
    const begun = locked ? this.#builder.step(start, { kind: 'lock' }, span) : start;
    const [behind, loaded] = this.#operands.valueOf(begun, to, span, 'left');
    // The flags may depend on the register's old value, which the instruction overwrites.
    const old = usesFlags && !isMemory(to) ? registerValue(this.#builder.hidden('.left')) : loaded;
    const kept =
      old === loaded || old.kind !== 'register'
        ? behind
        : this.#builder.step(behind, { kind: 'assign', into: old.register, value: loaded }, span);
    const sameOperand =
      from?.kind === 'register' && to.kind === 'register' && from.name === to.name;
    const { value, flags } = computed(operator, old, sameOperand ? old : operand);
    const written = this.#builder.step(kept, this.#operands.write(to, value), span);
    const done = locked ? this.#builder.step(written, { kind: 'unlock' }, span) : written;
    if (usesFlags) this.#setFlags(line, done, next, flags, span);
    else this.#builder.join(done, next, span);
  }

  #lowerXadd(
    line: number,
    at: LocationId,
    next: LocationId,
    instruction: Extract<X86Instruction, { kind: 'xadd' }>,
    span: Span,
  ): void {
    const { to, from, locked } = instruction;
    const operand = this.#operands.register(from);
    const old = this.#builder.hidden('.left');
    const sum = binary('+', registerValue(old), operand);
    const address = isMemory(to) ? this.#operands.addressOf(to) : undefined;
    let written: LocationId;
    if (locked && address) {
      const operation = { name: 'fetch_add', operands: [operand] } as const;
      written = this.#builder.step(at, { kind: 'rmw', into: old, address, operation }, span);
    } else {
      const read: Instruction = address
        ? { kind: 'load', into: old, address }
        : { kind: 'assign', into: old, value: this.#operands.register(to) };
      const behind = this.#builder.step(at, read, span);
      written = address
        ? this.#builder.step(behind, { kind: 'store', address, value: sum }, span)
        : behind;
    }
    const total = this.#builder.hidden('.right');
    const summed = this.#builder.step(written, { kind: 'assign', into: total, value: sum }, span);
    const given = this.#builder.step(summed, this.#operands.write(from, registerValue(old)), span);
    const done = address
      ? given
      : this.#builder.step(given, this.#operands.write(to, registerValue(total)), span);
    const flags = { left: registerValue(total), right: constant(0) };
    this.#setFlags(line, done, next, flags, span);
  }

  /**
   * Emits CMPXCHG: compares `EAX` with the destination; if they are equal stores the source,
   * otherwise puts the value found into `EAX`.
   */
  #lowerCmpxchg(
    line: number,
    at: LocationId,
    next: LocationId,
    instruction: Extract<X86Instruction, { kind: 'cmpxchg' }>,
    span: Span,
  ): void {
    const { to, from, locked } = instruction;
    const accumulator = this.#builder.register(this.#thread.accumulator);
    const held = this.#builder.hidden('.left');
    const old = this.#builder.hidden('.right');
    const begun = locked ? this.#builder.step(at, { kind: 'lock' }, span) : at;
    const kept = this.#builder.step(
      begun,
      { kind: 'assign', into: held, value: registerValue(accumulator) },
      span,
    );
    const read: Instruction = isMemory(to)
      ? { kind: 'load', into: old, address: this.#operands.addressOf(to) }
      : { kind: 'assign', into: old, value: this.#operands.register(to) };
    const loaded = this.#builder.step(kept, read, span);
    const merged = locked ? this.#builder.location(span) : undefined;
    const done = this.#builder.location(span);
    const flags = { left: registerValue(held), right: registerValue(old) };
    const compare = (operator: '==' | '!='): Instruction => ({
      kind: 'assume',
      condition: binary(operator, flags.left, flags.right),
    });
    const equal = this.#builder.step(loaded, compare('=='), span);
    const different = this.#builder.step(loaded, compare('!='), span);
    this.#builder.emit(
      equal,
      merged ?? done,
      this.#operands.write(to, this.#operands.register(from)),
      span,
    );
    this.#builder.emit(
      different,
      merged ?? done,
      { kind: 'assign', into: accumulator, value: registerValue(old) },
      span,
    );
    if (merged !== undefined) this.#builder.emit(merged, done, { kind: 'unlock' }, span);
    this.#setFlags(line, done, next, flags, span);
  }

  #usesFlags(line: number): boolean {
    return computeFlagUses(this.#thread.code, line + 1).jumps.length > 0;
  }

  /**
   * Emits the setting of the flags from `at` to `next`: into hidden registers, unless the jumps
   * that use the flags follow at once.
   */
  #setFlags(
    line: number,
    at: LocationId,
    next: LocationId,
    flags: ComparedValues,
    span: Span,
  ): void {
    const { code } = this.#thread;
    const { jumps, areNext } = computeFlagUses(code, line + 1);
    const instruction = code.lines[line]!.instruction;
    for (const jump of jumps) {
      const target = code.lines[jump]!;
      const { instruction: user } = target;
      if (user.kind !== 'jump' || !user.condition || !isUnsigned(user.condition)) continue;
      if (losesCarry(instruction))
        this.#reading.errors.error(() =>
          misplaced(
            target.span,
            'this jump reads a carry flag that is not kept',
            'compare with CMP before the jump',
          ),
        );
    }
    if (areNext) {
      for (const jump of jumps) this.#directFlags.set(jump, flags);
      this.#builder.join(at, next, span);
      return;
    }
    const [left, right] = [this.#builder.hidden('.flags'), this.#builder.hidden('.flags2')];
    const set = this.#builder.step(at, { kind: 'assign', into: left, value: flags.left }, span);
    this.#builder.emit(set, next, { kind: 'assign', into: right, value: flags.right }, span);
  }

  #lowerJump(
    line: number,
    { target, condition }: Extract<X86Instruction, { kind: 'jump' }>,
    span: Span,
  ): void {
    const { lines, lineOfLabel } = this.#thread.code;
    const at = this.#starts[line]!;
    const there = this.#starts[lineOfLabel.get(target.text) ?? lines.length]!;
    if (condition === undefined) {
      this.#builder.join(at, there, span);
      return;
    }
    const flags = this.#directFlags.get(line) ?? {
      left: registerValue(this.#builder.hidden('.flags')),
      right: registerValue(this.#builder.hidden('.flags2')),
    };
    const taken = conditionOf(condition, flags);
    this.#builder.emit(at, there, { kind: 'assume', condition: taken }, span);
    const passed = conditionOf(negations[condition], flags);
    const next = this.#starts[line + 1]!;
    this.#builder.emit(at, next, { kind: 'assume', condition: passed }, span);
  }
}

/** Returns the thread as an automaton, with one access for each access of an instruction. */
export function lowerX86(reading: LitmusReading, thread: X86Thread): Thread {
  return new X86Lowering(reading, thread).build();
}
