import { bitsOfValue, constantOfBits, NotLifted, type StepWriter } from './assembly-steps.js';
import { registerNamed, Registers } from './assembly-registers.js';
import type { AssemblyCode, IrType, Typed } from './syntax.js';

/** A register or memory location that an instruction accesses, or an immediate number. */
export type AssemblyPlace =
  | { readonly kind: 'register'; readonly key: string; readonly bits: number }
  | { readonly kind: 'memory'; readonly address: Typed; readonly isOfStack: boolean }
  | { readonly kind: 'number'; readonly value: bigint };

/** Inline assembly with its operands. */
export interface Assembly extends Omit<AssemblyCode, 'kind'> {
  readonly operands: readonly Typed[];
  readonly returns: IrType;
}

/** The operand of the assembly text that `$0`, `$1`, ... denotes. */
type Slot =
  | { readonly kind: 'memory'; readonly address: Typed }
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'register'; readonly key: string; readonly type: IrType }
  /** A register or number that no translated instruction supports. */
  | { readonly kind: 'other' };

/**
 * An output in a register or a flag: a part of the result or, if `address` is present, a value to
 * store.
 */
export interface AssemblyOutput {
  readonly type: IrType;
  readonly key: string;
  /** The letters of the condition on the flags, if the output is a flag. */
  readonly condition?: string;
  readonly address?: Typed;
  readonly isEarly: boolean;
}

const modifiers: ReadonlyMap<string, number> = new Map([
  ['b', 8],
  ['w', 16],
  ['k', 32],
  ['q', 64],
]);

/** Matches constraint letters that allow a register; `X` allows registers and memory. */
const registerLetters = /[rqQlRX]/;
/** Matches constraint letters that allow memory. */
const memoryLetters = /[moVX]/;

/** The operands of an assembly text, and the registers that the text may use. */
export class AssemblyOperands {
  readonly registers: Registers;
  readonly outputs: AssemblyOutput[] = [];
  readonly #slots: Slot[] = [];
  /** The keys of the registers that the text may write: outputs and clobbered registers. */
  readonly #writable = new Set<string>();
  /**
   * The keys of the registers of inputs only. The compiler may assign an output to the same
   * register.
   */
  readonly #inputs = new Set<string>();
  /** Whether an output was written whose register may be shared with an input. */
  #isSharedWritten = false;

  constructor(
    readonly assembly: Assembly,
    readonly writer: StepWriter,
  ) {
    this.registers = new Registers(writer);
    const { constraints, operands } = assembly;
    const all = constraints.split(',').filter((each) => each !== '');
    let taken = 0;
    const next = (): Typed => {
      const operand = operands[taken++];
      if (!operand) throw new NotLifted('there are fewer operands than constraints');
      return operand;
    };
    for (const each of all)
      if (each.startsWith('~')) this.#clobber(each);
      else if (each.startsWith('=')) this.#output(each, next);
      else this.#input(each, next());
    for (const key of this.#inputs) if (this.#writable.has(key)) this.#inputs.delete(key);
  }

  #clobber(constraint: string): void {
    const key = registerNamed(/^~\{(\w+)\}$/.exec(constraint)?.[1] ?? '')?.key;
    if (key !== undefined) this.#writable.add(key);
  }

  #output(constraint: string, next: () => Typed): void {
    const isEarly = constraint.includes('&');
    const plain = constraint.replaceAll(/[=&%]/g, '');
    const letters = plain.replace('*', '');
    this.#refuseAlternatives(letters);
    const address = plain.startsWith('*') ? next() : undefined;
    if (address && !registerLetters.test(letters) && !letters.startsWith('{')) {
      if (!memoryLetters.test(letters)) throw new NotLifted('a constraint is unknown');
      this.#slots.push({ kind: 'memory', address });
      return;
    }
    const condition = /^\{@cc(\w+)\}$/.exec(letters)?.[1];
    const key = this.#keyOf(letters);
    const type = address ? undefined : this.#typeOfResult();
    if (address && !type) {
      // An output that allows a register or memory is kept in a register and stored at the end.
      const pointee = this.assembly.pointees[this.#indexOf(address)];
      if (!pointee) throw new NotLifted('an output has no type');
      this.outputs.push({ type: pointee, key, address, isEarly });
      this.#slots.push({ kind: 'register', key, type: pointee });
    } else if (type) {
      this.outputs.push({ type, key, isEarly, ...(condition !== undefined && { condition }) });
      const isKnown = condition === undefined && isSized(type);
      this.#slots.push(isKnown ? { kind: 'register', key, type } : { kind: 'other' });
    }
    this.#writable.add(key);
  }

  #indexOf(operand: Typed): number {
    return this.assembly.operands.indexOf(operand);
  }

  #typeOfResult(): IrType {
    const { returns } = this.assembly;
    const count = this.outputs.filter(({ address }) => !address).length;
    const type = returns.kind === 'struct' ? returns.fields[count] : returns;
    if (!type || (count > 0 && returns.kind !== 'struct'))
      throw new NotLifted('there are more outputs than results');
    return type;
  }

  #input(constraint: string, operand: Typed): void {
    this.#refuseAlternatives(constraint);
    const tied = /^\d+$/.test(constraint) ? this.#slots[Number(constraint)] : undefined;
    if (tied) {
      if (tied.kind === 'memory' || tied.kind === 'number')
        throw new NotLifted('an input shares the place of an output in memory');
      const key = tied.kind === 'register' ? tied.key : this.#keyOfSlot(Number(constraint));
      this.registers.begin(key, operand);
      this.#slots.push(
        isSized(operand.type) ? { kind: 'register', key, type: operand.type } : tied,
      );
      return;
    }
    if (constraint.startsWith('*')) {
      if (!memoryLetters.test(constraint)) throw new NotLifted('a constraint is unknown');
      this.#slots.push({ kind: 'memory', address: operand });
      return;
    }
    const { value } = operand;
    const isFixed = constraint.startsWith('{');
    const mayBeNumber = !isFixed && /[inegIJKLMNOZs]/.test(constraint);
    const isNumber = value.kind === 'integer' && mayBeNumber;
    if (isNumber || !(registerLetters.test(constraint) || isFixed)) {
      this.#slots.push(isNumber ? { kind: 'number', value: value.value } : { kind: 'other' });
      return;
    }
    const key = this.#keyOf(constraint);
    if (!isSized(operand.type)) {
      this.#slots.push({ kind: 'other' });
      return;
    }
    this.registers.begin(key, operand);
    this.#inputs.add(key);
    this.#slots.push({ kind: 'register', key, type: operand.type });
  }

  #refuseAlternatives(letters: string): void {
    if (letters.includes('|'))
      throw new NotLifted('constraints with alternatives are not supported');
  }

  /** The key of the register that the constraint letters assign to the next operand. */
  #keyOf(letters: string): string {
    const name = /^\{(\w+)\}$/.exec(letters)?.[1];
    return registerNamed(name ?? '')?.key ?? this.#keyOfSlot(this.#slots.length);
  }

  #keyOfSlot(index: number): string {
    return `operand ${index}`;
  }

  /**
   * The register, memory location or number that an operand of an instruction denotes. Throws
   * `NotLifted`.
   */
  place(text: string): AssemblyPlace {
    const literal = /^\$\$(-?(?:0[xX][0-9a-fA-F]+|\d+))$/.exec(text)?.[1];
    if (literal !== undefined) return { kind: 'number', value: integerOf(literal) };
    const named = /^\$(?:(\d+)|\{(\d+)(?::([bwkqca]))?\})$/.exec(text);
    if (named) return this.#slotPlace(Number(named[1] ?? named[2]), named[3]);
    const register = registerNamed(/^%(\w+)$/.exec(text)?.[1] ?? '');
    if (register) return { kind: 'register', ...register };
    const moved = /^(-?(?:0[xX][0-9a-fA-F]+|\d+))\+?(\$(?:\d+|\{\d+\}))$/.exec(text);
    if (moved && text.includes('+')) {
      const place = this.place(moved[2]!);
      if (place.kind !== 'memory') throw new NotLifted('an operand is unknown');
      return { ...place, address: this.#plus(place.address, integerOf(moved[1]!)) };
    }
    return this.#indirect(text);
  }

  #slotPlace(index: number, modifier: string | undefined): AssemblyPlace {
    const slot = this.#slots[index];
    switch (slot?.kind) {
      case 'memory':
        if (modifier === 'a' || modifier === 'c') break;
        this.#checkShared();
        return { kind: 'memory', address: slot.address, isOfStack: false };
      case 'register':
        if (modifier === 'a') {
          const address = this.#address(slot.key, 64);
          return { kind: 'memory', address, isOfStack: false };
        }
        if (modifier === 'c') break;
        return {
          kind: 'register',
          key: slot.key,
          bits: modifiers.get(modifier ?? '') ?? bitsOfValue(slot),
        };
      case 'number':
        if (modifier !== 'a') return { kind: 'number', value: slot.value };
        break;
      case 'other':
      case undefined:
    }
    throw new NotLifted('an operand is unknown');
  }

  /** The memory place of an operand such as `8(%rax,%rbx,4)`. */
  #indirect(text: string): AssemblyPlace {
    const found = /^([^()]*)\(([^(),]*)(?:,([^(),]+)(?:,([1248]))?)?\)$/.exec(text);
    if (!found) throw new NotLifted(`'${shown(text)}' is unknown`);
    const [, distance = '', base = '', index, scale = '1'] = found.map((each) => each?.trim());
    const isOfStack = /^%[re]sp$/.test(base);
    if (isOfStack && index === undefined && /^(?:-?\d+)?$/.test(distance))
      return { kind: 'memory', address: constantOfBits(64, 0n), isOfStack };
    if (distance !== '' && !/^-?(?:0[xX][0-9a-fA-F]+|\d+)$/.test(distance))
      throw new NotLifted(`'${shown(text)}' is unknown`);
    let address = this.#registerIn(base);
    if (index !== undefined) {
      const { writer } = this;
      const by = writer.resized(this.#registerIn(index), 64);
      const times = writer.binary('mul', by, constantOfBits(64, BigInt(scale)));
      address = this.#moved(address, times);
    }
    const by = distance === '' ? 0n : integerOf(distance);
    return { kind: 'memory', address: this.#plus(address, by), isOfStack: false };
  }

  #registerIn(text: string): Typed {
    const place = this.place(text);
    if (place.kind !== 'register' || place.bits !== 64)
      throw new NotLifted('an address is not made of registers of 64 bits');
    return this.#address(place.key, 64);
  }

  #address(key: string, bits: number): Typed {
    return this.read({ kind: 'register', key, bits }, bits);
  }

  #plus(address: Typed, by: bigint): Typed {
    return by === 0n ? address : this.#moved(address, constantOfBits(64, by));
  }

  /** Returns the address that is `by` bytes after the given address. */
  #moved(address: Typed, by: Typed): Typed {
    const { writer } = this;
    const source: IrType = { kind: 'int', bits: 8 };
    const operands = [writer.pointer(address), by];
    return writer.emit(
      { kind: 'element', source, operands, isInBounds: false },
      { kind: 'pointer' },
    );
  }

  /** The place in memory moved by a computed number of bytes. */
  moved(place: Extract<AssemblyPlace, { kind: 'memory' }>, by: Typed): AssemblyPlace {
    return { ...place, address: this.#moved(place.address, by) };
  }

  #checkShared(): void {
    if (this.#isSharedWritten)
      throw new NotLifted("an output without '&' is written before all inputs are read");
  }

  /**
   * Reads a register, memory location or number; a pointer in a register stays a pointer. Throws
   * `NotLifted`.
   */
  read(place: AssemblyPlace, bits: number): Typed {
    switch (place.kind) {
      case 'number':
        return constantOfBits(bits, place.value);
      case 'memory':
        if (place.isOfStack) throw new NotLifted('the code accesses the stack');
        return this.writer.load(this.pointer(place), bits);
      case 'register':
        if (place.bits !== bits) throw new NotLifted('the sizes of the operands differ');
        if (this.#inputs.has(place.key)) this.#checkShared();
        return this.registers.read(place.key, bits);
    }
  }

  /** Writes a value to a register or memory location. Throws `NotLifted`. */
  write(place: AssemblyPlace, value: Typed): void {
    switch (place.kind) {
      case 'number':
        throw new NotLifted('the code writes to a constant');
      case 'memory':
        if (place.isOfStack) throw new NotLifted('the code accesses the stack');
        this.writer.store(this.pointer(place), value);
        return;
      case 'register':
        if (place.bits !== bitsOfValue(value))
          throw new NotLifted('the sizes of the operands differ');
        this.writeRegister(place.key, value);
    }
  }

  /** Writes a register, given by its key, as `Registers.write` does. Throws `NotLifted`. */
  writeRegister(key: string, value: Typed, isZeroAbove?: boolean): void {
    if (!this.#writable.has(key))
      throw new NotLifted('the code writes a register that is neither an output nor clobbered');
    const output = this.outputs.find((each) => each.key === key);
    if (output && !output.isEarly) this.#isSharedWritten = true;
    this.registers.write(key, value, isZeroAbove);
  }

  pointer(place: Extract<AssemblyPlace, { kind: 'memory' }>): Typed['value'] {
    return this.writer.pointer(place.address).value;
  }
}

function isSized(type: IrType): boolean {
  return (type.kind === 'int' && [8, 16, 32, 64].includes(type.bits)) || type.kind === 'pointer';
}

function integerOf(literal: string): bigint {
  return literal.startsWith('-') ? -BigInt(literal.slice(1)) : BigInt(literal);
}

/** The operand roughly as the C source spells it, for messages. */
function shown(text: string): string {
  return text.replaceAll(/\$(\d)/g, '%$1');
}
