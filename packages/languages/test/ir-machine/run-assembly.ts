import type { Argument, Assembly, Instruction } from './assembly.js';
import type { AssemblyOp } from './assembly-op.js';
import type { Operand } from './operand.js';
import type { Outcome } from './library-call.js';
import { Fault, NotKnown } from './stop.js';
import { integer, toBig, toBytes, toNumber, fromBytes, type Value } from './value.js';
import type { World } from './world.js';
import { computed, type Flags, holds } from './x86.js';

/*
 * A processor for assembly: sixteen registers, the flags, and the last loaded value, kept as one
 * value of the frame. Instructions that are visible to other threads are separate steps.
 */

const [carryAt, zeroAt, signAt, overflowAt, loadedAt] = [16, 17, 18, 19, 20];
/**
 * The number whose upper bits fill a register after a narrower value was moved into the register.
 */
const garbage = 0xdead_beef_1234_5678n;

type Get = (operand: Operand) => Value;
type Put = (out: number, value: Value) => Outcome;

/** Executes a step of assembly. */
export function runAssembly(
  world: World,
  id: number,
  op: AssemblyOp,
  get: Get,
  put: Put,
  isSeen: boolean,
): Outcome {
  if (op.kind === 'asm-enter') {
    const state = Array.from({ length: 21 }, (): Value => undefined);
    for (const { register, operand, bits } of op.assembly.inputs) {
      const value = get(operand);
      if (value === undefined) continue;
      const above = (garbage >> BigInt(bits)) << BigInt(bits);
      state[register] = bits === 64 ? toBig(value) : toBig(value) | above;
    }
    return put(op.out, state);
  }
  const state = [...(get(op.state) as readonly Value[])];
  const instruction = op.kind === 'asm-leave' ? undefined : op.instruction;
  const processor = new Processor(world, id, state, get, isSeen, instruction);
  if (op.kind === 'asm-leave') return put(op.out, processor.result(op.assembly));
  const isDone =
    op.kind === 'asm-load' ? processor.load(op.place, op.size) : processor.act(op.instruction);
  return isDone ? put(op.out, processor.state) : 'waits';
}

class Processor {
  constructor(
    readonly world: World,
    readonly id: number,
    readonly state: Value[],
    readonly get: Get,
    readonly isSeen: boolean,
    readonly instruction: Instruction | undefined,
  ) {}

  result({ outputs, isStruct }: Assembly): Value {
    const parts = outputs.map(({ register, bits, condition, isPointer }): Value => {
      if (condition !== undefined) return holds(condition, this.flags) ? 1 : 0;
      const value = this.state[register];
      if (value === undefined) return undefined;
      return isPointer ? toNumber(value) : integer(bits, toBig(value));
    });
    return isStruct ? parts : parts[0];
  }

  get flags(): Flags {
    const flag = (at: number): boolean | undefined =>
      this.state[at] === undefined ? undefined : this.state[at] === 1;
    return { cf: flag(carryAt), zf: flag(zeroAt), sf: flag(signAt), of: flag(overflowAt) };
  }

  set flags({ cf, zf, sf, of }: Flags) {
    for (const [at, flag] of [
      [carryAt, cf],
      [zeroAt, zf],
      [signAt, sf],
      [overflowAt, of],
    ] as const)
      this.state[at] = flag === undefined ? undefined : flag ? 1 : 0;
  }

  #register(register: number): bigint {
    const value = this.state[register];
    if (value === undefined) throw new Fault('use of a register that is not there');
    return toBig(value);
  }

  #address(place: Argument): number {
    if (place.kind !== 'memory') throw new NotKnown('asm');
    const { pointer, base, index, scale, distance } = place;
    let address = BigInt(distance);
    if (pointer !== undefined) {
      const value = this.get(pointer);
      if (value === undefined) throw new Fault('use of a pointer that is not there');
      address += toBig(value);
    }
    if (base !== undefined) address += this.#register(base);
    if (index !== undefined) address += this.#register(index) * BigInt(scale);
    return Number(BigInt.asUintN(64, address + this.#distanceOfBit()));
  }

  /**
   * Returns the distance in bytes to the word that holds the bit named by a register, which may be
   * outside of the operand.
   */
  #distanceOfBit(): bigint {
    const { name = '', from, size = 8 } = this.instruction ?? {};
    if (!/^bt[src]?$/.test(name) || from?.kind !== 'register') return 0n;
    const index = BigInt.asIntN(size, this.#read(from, size));
    const within = BigInt.asUintN(size, index) % BigInt(size);
    return ((index - within) / BigInt(size)) * BigInt(size / 8);
  }

  /** Whether an access is visible to other threads while only invisible steps are allowed. */
  #isTooEarly(address: number, bytes: number): boolean {
    return this.world.isSeen(this.id, address, bytes) && !this.isSeen;
  }

  #inMemory(address: number, bits: number): bigint {
    const shape = { kind: 'integer', bits, size: bits / 8 } as const;
    const value = fromBytes(shape, this.world.load(this.id, address, bits / 8));
    if (value === undefined) throw new Fault('use of a value that is not there');
    return toBig(value);
  }

  load(place: Argument, bits: number): boolean {
    const address = this.#address(place);
    if (this.#isTooEarly(address, bits / 8)) return false;
    this.state[loadedAt] = this.#inMemory(address, bits);
    return true;
  }

  #read(argument: Argument, bits: number): bigint {
    if (argument.kind === 'number') return BigInt.asUintN(bits, argument.value);
    if (argument.kind === 'memory') return toBig(this.state[loadedAt]);
    return BigInt.asUintN(bits, this.#register(argument.register));
  }

  #writeRegister(register: number, bits: number, value: bigint): void {
    const old = this.state[register];
    const kept =
      bits >= 32
        ? 0n
        : ((old === undefined ? garbage : toBig(old)) >> BigInt(bits)) << BigInt(bits);
    this.state[register] = BigInt.asUintN(bits, value) | kept;
  }

  #bytes(bits: number, value: bigint): readonly number[] {
    const shape = { kind: 'integer', bits, size: bits / 8 } as const;
    return toBytes(shape, integer(bits, value));
  }

  /**
   * Writes a value to a register or to memory; returns false if a visible store is not allowed yet.
   */
  #write(argument: Argument, bits: number, value: bigint): boolean {
    if (argument.kind === 'register') {
      this.#writeRegister(argument.register, bits, value);
      return true;
    }
    const address = this.#address(argument);
    if (this.world.model === 'SC' && this.#isTooEarly(address, bits / 8)) return false;
    this.world.store(this.id, address, this.#bytes(bits, value));
    return true;
  }

  /** Executes an instruction, apart from its load; returns false if the instruction has to wait. */
  act(instruction: Instruction): boolean {
    const { name, size, to, from, small, condition } = instruction;
    if (name === 'nop') return true;
    if (name === 'mfence') return this.world.look(this.id).buffer.length === 0;
    if (!to) throw new NotKnown(`asm ${name}`);
    if (
      instruction.isLocked ||
      (name === 'xchg' && (to.kind === 'memory' || from?.kind === 'memory'))
    )
      return this.#locked(instruction);
    switch (name) {
      case 'set':
        return this.#write(to, 8, holds(condition, this.flags) ? 1n : 0n);
      case 'lea':
        return this.#write(to, size, BigInt(this.#address(from!)));
      case 'movz':
        return this.#write(to, size, this.#read(from!, small));
      case 'movs':
        return this.#write(to, size, BigInt.asIntN(small, this.#read(from!, small)));
      case 'cmov': {
        const [value, old] = [this.#read(from!, size), this.#read(to, size)];
        return this.#write(to, size, holds(condition, this.flags) ? value : old);
      }
      case 'xchg': {
        const [one, other] = [this.#read(from!, size), this.#read(to, size)];
        return this.#write(from!, size, other) && this.#write(to, size, one);
      }
      case 'xadd': {
        const [operand, old] = [this.#read(from!, size), this.#read(to, size)];
        const { result, flags } = computed(name, size, old, operand, {});
        if (!this.#write(to, size, result)) return false;
        this.#write(from!, size, old);
        this.flags = flags;
        return true;
      }
      case 'cmpxchg': {
        const [desired, old] = [this.#read(from!, size), this.#read(to, size)];
        const expected = BigInt.asUintN(size, this.#register(0));
        const isSame = old === expected;
        if (!this.#write(to, size, isSame ? desired : old)) return false;
        if (!isSame) this.#writeRegister(0, size, old);
        this.flags = computed('cmp', size, expected, old, {}).flags;
        return true;
      }
      default:
        return this.#compute(instruction, to);
    }
  }

  #compute({ name, size, from }: Instruction, to: Argument): boolean {
    const isOfMove = name === 'mov';
    // A shift takes its count from a byte.
    const isShift = ['shl', 'shr', 'sar', 'rol', 'ror'].includes(name);
    const operand = from ? this.#read(from, isShift ? 8 : size) : 1n;
    const old = isOfMove ? 0n : this.#read(to, size);
    const { result, flags } = computed(name, size, old, operand, this.flags);
    const isOnlyLooked = name === 'cmp' || name === 'test' || name === 'bt';
    if (!isOnlyLooked && !this.#write(to, size, result)) return false;
    this.flags = flags;
    return true;
  }

  /** Executes a locked instruction, which needs an empty buffer. */
  #locked(instruction: Instruction): boolean {
    const { name, size } = instruction;
    const { to, from } =
      instruction.to!.kind === 'memory'
        ? instruction
        : { to: instruction.from, from: instruction.to };
    if (to?.kind !== 'memory') throw new NotKnown(`asm lock ${name}`);
    const address = this.#address(to);
    const isDrained = this.world.look(this.id).buffer.length === 0;
    if (!isDrained || this.#isTooEarly(address, size / 8)) return false;
    const old = this.#inMemory(address, size);
    const store = (value: bigint): void => {
      this.world.modify(this.id, address, this.#bytes(size, value));
    };
    switch (name) {
      case 'xchg':
        store(this.#read(from!, size));
        this.#writeRegister((from as { register: number }).register, size, old);
        return true;
      case 'cmpxchg': {
        const expected = BigInt.asUintN(size, this.#register(0));
        if (old === expected) store(this.#read(from!, size));
        else this.#writeRegister(0, size, old);
        this.flags = computed('cmp', size, expected, old, {}).flags;
        return true;
      }
      case 'cmpxchg8b':
      case 'cmpxchg16b': {
        const half = size / 2;
        const joined = (high: number, low: number): bigint =>
          (BigInt.asUintN(half, this.#register(high)) << BigInt(half)) |
          BigInt.asUintN(half, this.#register(low));
        const isSame = old === joined(2, 0);
        if (isSame) store(joined(1, 3));
        else {
          this.#writeRegister(0, half, old);
          this.#writeRegister(2, half, old >> BigInt(half));
        }
        this.flags = { ...this.flags, zf: isSame };
        return true;
      }
      default: {
        const operand = from ? this.#read(from, size) : 1n;
        const { result, flags } = computed(name, size, old, operand, this.flags);
        store(result);
        if (name === 'xadd')
          this.#writeRegister((from as { register: number }).register, size, old);
        this.flags = flags;
        return true;
      }
    }
  }
}
