import { hints, lockable } from '../x86/mnemonics.js';
import { FlagWriter, type Flags, known } from './assembly-flags.js';
import type { AssemblyOperands, AssemblyPlace } from './assembly-operands.js';
import { constantOfBits, intOf, NotLifted, type StepWriter } from './assembly-steps.js';
import type { IrType, Typed } from './syntax.js';

type MemoryPlace = Extract<AssemblyPlace, { readonly kind: 'memory' }>;

const suffixes: ReadonlyMap<string, number> = new Map([
  ['b', 8],
  ['w', 16],
  ['l', 32],
  ['q', 64],
]);

/** An instruction with operands in AT&T order: the destination is last. */
interface AssemblyInstruction {
  readonly name: string;
  readonly bits: number;
  readonly places: readonly AssemblyPlace[];
  readonly isLocked: boolean;
}

type Effect = (effects: AssemblyEffects, instruction: AssemblyInstruction) => void;

/**
 * Translates x86 instructions to instructions of the IR. Without LOCK, an instruction that reads
 * and writes memory becomes a load and a store.
 */
export class AssemblyEffects {
  flags: Flags = {};
  readonly flagWriter: FlagWriter;

  constructor(
    readonly writer: StepWriter,
    readonly operands: AssemblyOperands,
  ) {
    this.flagWriter = new FlagWriter(writer);
  }

  /** Translates one statement. Throws `NotLifted` if the statement's exact effect is unknown. */
  statement(text: string): void {
    const [, lock, name = '', rest = ''] = /^(lock )?([a-z][a-z0-9]*)(?: (.*))?$/.exec(text) ?? [];
    if (name === '') throw new NotLifted(`'${text}' is unknown`);
    if (!lock && (hints.includes(name) || /^(?:nop[lw]?|rep|prefetch\w*)$/.test(name))) {
      if (name !== 'rep' || rest === '' || rest === 'nop') return;
      throw new NotLifted(`'rep ${rest}' is unknown`);
    }
    if (!lock && name === 'mfence' && rest === '') {
      this.fence();
      return;
    }
    const texts = rest === '' ? [] : rest.split(/,(?![^(]*\))/).map((each) => each.trim());
    const places = texts.map((each) => this.operands.place(each));
    const isLocked = lock !== undefined;
    if (!isLocked && this.#ofTwoSizes(name, places)) return;
    const [base, bits] = this.#sizeOf(name, places);
    const effect = effects.get(base);
    const count = base === 'cmpxchg8b' || base === 'cmpxchg16b' ? 1 : countOf(base, places.length);
    if (!effect || places.length !== count)
      throw new NotLifted(`the instruction '${name}' is unknown`);
    if (places.filter(({ kind }) => kind === 'memory').length > 1)
      throw new NotLifted(`'${name}' has two operands in memory`);
    if (isLocked && (!lockable.has(base) || !places.some(({ kind }) => kind === 'memory')))
      throw new NotLifted(`'lock ${name}' is no instruction`);
    effect(this, { name: base, bits, places, isLocked });
  }

  /** Translates `setCC`, `cmovCC`, and moves between sizes; false for all other instructions. */
  #ofTwoSizes(name: string, places: readonly AssemblyPlace[]): boolean {
    const [from, to] = places;
    const set = /^set(\w+)$/.exec(name)?.[1];
    if (set !== undefined && from && places.length === 1) {
      const value = this.writer.resized(this.flagWriter.holds(set, this.flags), 8);
      this.operands.write(from, value);
      return true;
    }
    if (!from || !to || places.length !== 2) return false;
    const [, kind = '', small = '', large = ''] = /^mov([zs])([bwl])([wlq])$/.exec(name) ?? [];
    const [before, after] = [suffixes.get(small) ?? 0, suffixes.get(large) ?? 0];
    if (kind !== '' && before < after && (before < 32 || kind === 's')) {
      if (to.kind !== 'register' || from.kind === 'number')
        throw new NotLifted(`the operands of '${name}' are unknown`);
      const value = this.operands.read(from, before);
      this.operands.write(to, this.writer.resized(value, after, kind === 's'));
      return true;
    }
    const move = /^cmov([a-z]+?)([wlq]?)$/.exec(name);
    if (move && to.kind === 'register' && from.kind !== 'number') {
      const bits = to.bits;
      if (move[2] !== '' && suffixes.get(move[2]!) !== bits) return false;
      const [value, old] = [this.operands.read(from, bits), this.operands.read(to, bits)];
      const holds = this.flagWriter.holds(move[1]!, this.flags);
      this.operands.write(to, this.writer.select(holds, value, old));
      return true;
    }
    return false;
  }

  /** The name of an instruction without its size suffix, and the size of its operands in bits. */
  #sizeOf(name: string, places: readonly AssemblyPlace[]): readonly [name: string, bits: number] {
    if (name === 'cmpxchg8b') return [name, 64];
    if (name === 'cmpxchg16b') return [name, 128];
    const isWhole = effects.has(name);
    const base = isWhole ? name : name.slice(0, -1);
    // The count of a shift is a register of another size.
    const sized = isShift(base) && places.length > 1 ? places.slice(1) : places;
    const ofRegister = sized.flatMap((place) => (place.kind === 'register' ? [place.bits] : []));
    const bits = isWhole ? ofRegister.at(-1) : suffixes.get(name.slice(-1));
    if (bits === undefined) throw new NotLifted(`the size of '${name}' is unknown`);
    if (ofRegister.some((each) => each !== bits))
      throw new NotLifted('the sizes of the operands differ');
    return [base, bits];
  }

  fence(): void {
    this.writer.effect({ kind: 'fence', order: 'seq_cst', isOfAssembly: true });
  }

  read(place: AssemblyPlace, bits: number): Typed {
    return this.writer.integer(this.operands.read(place, bits));
  }

  /** Applies an operation of the IR to a place and returns the old value. */
  modify(
    { isLocked, bits }: AssemblyInstruction,
    operation: string,
    to: AssemblyPlace,
    operand: Typed,
  ): Typed {
    const { writer } = this;
    if (isLocked) {
      if (to.kind !== 'memory') throw new NotLifted('LOCK is applied to a register');
      return this.exchanged(operation, to, operand);
    }
    const old = this.read(to, bits);
    this.operands.write(to, writer.binary(operation, old, operand));
    return old;
  }

  exchanged(operation: string, to: MemoryPlace, operand: Typed): Typed {
    if (to.isOfStack) throw new NotLifted('the code accesses the stack');
    const address = this.operands.pointer(to);
    return this.writer.emit({ kind: 'modify', operation, address, operand }, operand.type);
  }
}

function isShift(name: string): boolean {
  return /^(?:sh[lr]|sa[lr]|ro[lr])$/.test(name);
}

/**
 * The number of operands of an instruction when all are written; a shift by one may omit its count.
 */
function countOf(name: string, given: number): number {
  if (isShift(name)) return given === 1 ? 1 : 2;
  return ['inc', 'dec', 'neg', 'not'].includes(name) ? 1 : 2;
}

function two({ places }: AssemblyInstruction): readonly [from: AssemblyPlace, to: AssemblyPlace] {
  return [places[0]!, places[1]!];
}

const move: Effect = ({ operands }, instruction) => {
  const [from, to] = two(instruction);
  const value = operands.read(from, instruction.bits);
  operands.write(to, value);
};

/** The effect of `lea`: it computes an address, and does not access memory. */
const address: Effect = ({ operands, writer }, { places: [from, to], bits }) => {
  if (from?.kind !== 'memory' || from.isOfStack || to?.kind !== 'register')
    throw new NotLifted("the operands of 'lea' are unknown");
  const whole = writer.pointer(from.address);
  operands.write(to, bits === 64 ? whole : writer.resized(whole, bits));
};

const exchange: Effect = (effects, instruction) => {
  const { operands } = effects;
  const [one, other] = two(instruction);
  const [memory, register] = one.kind === 'memory' ? [one, other] : [other, one];
  if (register.kind !== 'register') throw new NotLifted("'xchg' has no register");
  const value = operands.read(register, instruction.bits);
  if (memory.kind === 'memory') {
    operands.write(register, effects.exchanged('xchg', memory, effects.writer.integer(value)));
    return;
  }
  const old = operands.read(memory, instruction.bits);
  operands.write(memory, value);
  operands.write(register, old);
};

const exchangeAdd: Effect = (effects, instruction) => {
  const { operands, writer } = effects;
  const [from, to] = two(instruction);
  if (from.kind !== 'register') throw new NotLifted("'xadd' has no register");
  const operand = effects.read(from, instruction.bits);
  if (instruction.isLocked) {
    const old = effects.modify(instruction, 'add', to, operand);
    operands.write(from, old);
    effects.flags = effects.flagWriter.ofSum(old, operand, writer.binary('add', old, operand));
    return;
  }
  const old = effects.read(to, instruction.bits);
  const sum = writer.binary('add', old, operand);
  // The sum is written last, since both operands may be the same register.
  operands.write(from, old);
  operands.write(to, sum);
  effects.flags = effects.flagWriter.ofSum(old, operand, sum);
};

const compareExchange: Effect = (effects, instruction) => {
  const { operands, writer, flagWriter } = effects;
  const { bits, isLocked } = instruction;
  const [from, to] = two(instruction);
  if (from.kind !== 'register') throw new NotLifted("'cmpxchg' has no register");
  const accumulator: AssemblyPlace = { kind: 'register', key: 'a', bits };
  // If the comparison succeeds, all bits of the accumulator stay unchanged, upper bits included.
  const expected = writer.integer(operands.read(accumulator, bits));
  const desired = effects.read(from, bits);
  if (isLocked && to.kind === 'memory') {
    const { old, isDone } = exchangeIf(effects, to, expected, desired);
    operands.writeRegister('a', old, false);
    effects.flags = { ...flagWriter.ofComparison(expected, old), zero: () => isDone };
    return;
  }
  const old = effects.read(to, bits);
  const isSame = writer.compare('eq', expected, old);
  operands.writeRegister('a', old, false);
  operands.write(to, writer.select(isSame, desired, old));
  effects.flags = flagWriter.ofComparison(expected, old);
};

function exchangeIf(
  { operands, writer }: AssemblyEffects,
  to: MemoryPlace,
  expected: Typed,
  desired: Typed,
): { readonly old: Typed; readonly isDone: Typed } {
  if (to.isOfStack) throw new NotLifted('the code accesses the stack');
  const { type } = expected;
  const fields = [type, intOf(1)];
  const pair: IrType = { kind: 'struct', fields, isPacked: false };
  const both = writer.emit(
    { kind: 'exchange-if', address: operands.pointer(to), expected, desired: desired.value },
    pair,
  );
  return { old: writer.extract(both, 0, type), isDone: writer.extract(both, 1, intOf(1)) };
}

/**
 * `cmpxchg8b` and `cmpxchg16b`: if memory equals the pair `dx:ax`, store the pair `cx:bx`; then
 * load the old value of memory into `dx:ax`.
 */
const exchangePair: Effect = (effects, { name, places: [to], bits, isLocked }) => {
  const { operands, writer } = effects;
  if (to?.kind !== 'memory') throw new NotLifted(`'${name}' has no operand in memory`);
  if (!isLocked) throw new NotLifted(`'${name}' is not locked`);
  const half = bits / 2;
  const distance = constantOfBits(bits, BigInt(half));
  const joined = (low: string, high: string): Typed => {
    const [lower, upper] = [low, high].map((key) =>
      writer.integer(operands.read({ kind: 'register', key, bits: half }, half)),
    );
    return writer.emit({ kind: 'join', low: lower!, high: upper! }, intOf(bits));
  };
  const { old, isDone } = exchangeIf(effects, to, joined('a', 'd'), joined('b', 'c'));
  operands.writeRegister('a', writer.resized(old, half));
  operands.writeRegister('d', writer.resized(writer.binary('lshr', old, distance), half));
  effects.flags = { ...withoutComparison(effects), zero: () => isDone };
};

/**
 * Returns the flags without the record of the compared operands, for an instruction that changes
 * only some flags.
 */
function withoutComparison({ flags }: AssemblyEffects): Flags {
  const { zero, carry, sign, overflow } = flags;
  return {
    ...(zero && { zero }),
    ...(carry && { carry }),
    ...(sign && { sign }),
    ...(overflow && { overflow }),
  };
}

/** The effects of the instructions `add`, `sub`, `and`, `or` and `xor`. */
const arithmetic: Effect = (effects, instruction) => {
  const { name, bits, isLocked } = instruction;
  const { writer, flagWriter, operands } = effects;
  const [from, to] = two(instruction);
  if (to.kind === 'memory' && to.isOfStack) {
    const isNothing = from.kind === 'number' && (from.value === 0n || name === 'or');
    // `lock or $0, (%rsp)` is a full fence: the thread's own stack stays unchanged. Every other
    // access to the stack is refused, since its content is unknown.
    if (!isLocked || !isNothing || from.value !== 0n || name === 'and')
      throw new NotLifted('the code accesses the stack');
    effects.fence();
    effects.flags = {};
    return;
  }
  const isSameRegister = from.kind === 'register' && to.kind === 'register' && from.key === to.key;
  if (isSameRegister && (name === 'xor' || name === 'sub')) {
    const zero = constantOfBits(bits, 0n);
    operands.write(to, zero);
    effects.flags = flagWriter.ofResult(zero);
    return;
  }
  const operand = effects.read(from, bits);
  const old = effects.modify(instruction, name, to, operand);
  if (name === 'sub') {
    effects.flags = flagWriter.ofComparison(old, operand);
    return;
  }
  const result = writer.binary(name, old, operand);
  effects.flags =
    name === 'add' ? flagWriter.ofSum(old, operand, result) : flagWriter.ofResult(result);
};

/** The effects of the instructions `adc` and `sbb`. */
const carried: Effect = (effects, instruction) => {
  const name = instruction.name === 'adc' ? 'adc' : 'sbb';
  const { bits } = instruction;
  const { writer, flagWriter } = effects;
  const [from, to] = two(instruction);
  const carry = known(effects.flags.carry);
  const isSameRegister = from.kind === 'register' && to.kind === 'register' && from.key === to.key;
  if (name === 'sbb' && isSameRegister && !effects.operands.registers.has(to.key)) {
    // `sbb` of an uninitialised register from itself gives 0 without a carry, and -1 with a carry.
    const result = writer.binary('sub', constantOfBits(bits, 0n), writer.resized(carry, bits));
    effects.operands.write(to, result);
    effects.flags = { ...flagWriter.withoutCarry(result), carry: () => carry };
    return;
  }
  const given = effects.read(from, bits);
  const operand = writer.binary('add', given, writer.resized(carry, bits));
  const operation = name === 'adc' ? 'add' : 'sub';
  const old = effects.modify(instruction, operation, to, operand);
  const result = writer.binary(operation, old, operand);
  effects.flags = flagWriter.ofCarried(name, old, given, carry, result);
};

/** The effects of `inc` and `dec`, which leave the carry unchanged. */
const count: Effect = (effects, instruction) => {
  const { name, bits, places } = instruction;
  const { writer, flagWriter } = effects;
  const one = constantOfBits(bits, 1n);
  const operation = name === 'inc' ? 'add' : 'sub';
  const old = effects.modify(instruction, operation, places[0]!, one);
  const result = writer.binary(operation, old, one);
  const of =
    name === 'inc' ? flagWriter.ofSum(old, one, result) : flagWriter.ofComparison(old, one);
  const { zero, sign, overflow } = of;
  const { carry } = effects.flags;
  effects.flags = {
    ...(zero && { zero }),
    ...(sign && { sign }),
    ...(overflow && { overflow }),
    ...(carry && { carry }),
  };
};

const negate: Effect = (effects, { bits, places: [to], isLocked }) => {
  if (isLocked) throw new NotLifted("'lock neg' is unknown");
  const zero = constantOfBits(bits, 0n);
  const old = effects.read(to!, bits);
  effects.operands.write(to!, effects.writer.binary('sub', zero, old));
  effects.flags = effects.flagWriter.ofComparison(zero, old);
};

const complement: Effect = (effects, instruction) => {
  const { bits, places } = instruction;
  effects.modify(instruction, 'xor', places[0]!, constantOfBits(bits, -1n));
};

const compare: Effect = (effects, instruction) => {
  const { bits } = instruction;
  const [from, to] = two(instruction);
  const [right, left] = [effects.read(from, bits), effects.read(to, bits)];
  effects.flags = effects.flagWriter.ofComparison(left, right);
};

const test: Effect = (effects, instruction) => {
  const { bits } = instruction;
  const [from, to] = two(instruction);
  const isSame = from.kind === 'register' && to.kind === 'register' && from.key === to.key;
  const left = effects.read(to, bits);
  const result = isSame ? left : effects.writer.binary('and', left, effects.read(from, bits));
  effects.flags = effects.flagWriter.ofResult(result);
};

const changesOfBit: ReadonlyMap<string, string> = new Map([
  ['bts', 'or'],
  ['btr', 'and'],
  ['btc', 'xor'],
]);

/**
 * The effects of `bt`, `bts`, `btr` and `btc`. An index in a register may select a bit beyond the
 * addressed word.
 */
const bit: Effect = (effects, instruction) => {
  const { name, bits } = instruction;
  const { writer, operands } = effects;
  if (bits === 8) throw new NotLifted(`'${name}' has 8 bits`);
  const [from, at] = two(instruction);
  const given = effects.read(from, bits);
  const index = writer.binary('and', given, constantOfBits(bits, BigInt(bits - 1)));
  let to = at;
  if (at.kind === 'memory' && from.kind === 'register') {
    const shift = constantOfBits(bits, BigInt(Math.log2(bits)));
    const words = writer.resized(writer.binary('ashr', given, shift), 64, true);
    const bytes = writer.binary('mul', words, constantOfBits(64, BigInt(bits / 8)));
    to = operands.moved(at, bytes);
  }
  const mask = writer.binary('shl', constantOfBits(bits, 1n), index);
  const operation = changesOfBit.get(name);
  const operand = name === 'btr' ? writer.binary('xor', mask, constantOfBits(bits, -1n)) : mask;
  const old =
    operation === undefined
      ? effects.read(to, bits)
      : effects.modify(instruction, operation, to, operand);
  const { zero } = effects.flags;
  effects.flags = {
    ...(zero && { zero }),
    carry: () => writer.compare('ne', writer.binary('and', old, mask), constantOfBits(bits, 0n)),
  };
};

/**
 * `bsf` and `bsr`: the index of the lowest and of the highest bit that is 1. Without such a bit,
 * the destination has no value.
 */
const scan: Effect = (effects, instruction) => {
  const { name, bits } = instruction;
  const { writer, operands } = effects;
  const [from, to] = two(instruction);
  if (bits === 8 || from.kind === 'number' || to.kind !== 'register')
    throw new NotLifted(`the operands of '${name}' are unknown`);
  const given = effects.read(from, bits);
  const zero = constantOfBits(bits, 0n);
  const isZero = writer.compare('eq', given, zero);
  let [rest, index] = [given, zero];
  for (let half = bits / 2; half >= 1; half /= 2) {
    const distance = constantOfBits(bits, BigInt(half));
    const above = writer.binary('lshr', rest, distance);
    const below = writer.binary('and', rest, constantOfBits(bits, (1n << BigInt(half)) - 1n));
    // Whether the search goes on in the upper half of the bits.
    const isAbove =
      name === 'bsr' ? writer.compare('ne', above, zero) : writer.compare('eq', below, zero);
    rest = writer.select(isAbove, above, below);
    index = writer.binary('add', index, writer.select(isAbove, distance, zero));
  }
  const none: Typed = { type: intOf(bits), value: { kind: 'undefined' } };
  operands.write(to, writer.select(isZero, none, index));
  effects.flags = { zero: () => isZero };
};

const shifts: ReadonlyMap<string, string> = new Map([
  ['shl', 'shl'],
  ['sal', 'shl'],
  ['shr', 'lshr'],
  ['sar', 'ashr'],
]);

/**
 * Shifts by a constant or by `cl`. The processor uses only the lowest five or six bits of a count.
 */
const shift: Effect = (effects, { name, bits, places }) => {
  const { writer, operands, flagWriter } = effects;
  const to = places.at(-1)!;
  const by: AssemblyPlace = places.length === 1 ? { kind: 'number', value: 1n } : places[0]!;
  const most = BigInt(bits === 64 ? 63 : 31);
  const operation = shifts.get(name)!;
  const old = effects.read(to, bits);
  if (by.kind === 'number') {
    const distance = by.value & most;
    if (distance >= BigInt(bits)) throw new NotLifted('a shift count exceeds the number of bits');
    if (distance === 0n) {
      operands.write(to, old);
      return;
    }
    const result = writer.binary(operation, old, constantOfBits(bits, distance));
    operands.write(to, result);
    const last = name === 'shl' || name === 'sal' ? BigInt(bits) - distance : distance - 1n;
    const mask = constantOfBits(bits, 1n << last);
    effects.flags = {
      ...flagWriter.withoutCarry(result),
      carry: () => writer.compare('ne', writer.binary('and', old, mask), constantOfBits(bits, 0n)),
    };
    return;
  }
  if (by.kind !== 'register' || by.key !== 'c' || by.bits !== 8 || bits < 32)
    throw new NotLifted(`the operands of '${name}' are unknown`);
  const count = writer.resized(effects.read(by, 8), bits);
  const distance = writer.binary('and', count, constantOfBits(bits, most));
  operands.write(to, writer.binary(operation, old, distance));
  // The flags are unknown: a shift by 0 keeps the old flags, any other shift sets them.
  effects.flags = {};
};

/** Rotations: zero and sign stay unchanged, carry and overflow become unknown. */
const rotate: Effect = (effects, { name, bits, places }) => {
  const { writer, operands } = effects;
  const to = places.at(-1)!;
  const by: AssemblyPlace = places.length === 1 ? { kind: 'number', value: 1n } : places[0]!;
  if (by.kind === 'memory' || (by.kind === 'register' && (by.key !== 'c' || by.bits !== 8)))
    throw new NotLifted(`the operands of '${name}' are unknown`);
  const old = effects.read(to, bits);
  const most = constantOfBits(bits, BigInt(bits - 1));
  const given = writer.resized(effects.read(by, 8), bits);
  const distance = writer.binary('and', given, most);
  const rest = writer.binary(
    'and',
    writer.binary('sub', constantOfBits(bits, BigInt(bits)), distance),
    most,
  );
  const [left, right] = name === 'rol' ? [distance, rest] : [rest, distance];
  const [high, low] = [writer.binary('shl', old, left), writer.binary('lshr', old, right)];
  operands.write(to, writer.binary('or', high, low));
  const { zero, sign } = effects.flags;
  effects.flags = { ...(zero && { zero }), ...(sign && { sign }) };
};

const effects: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ['mov', move],
  ['movabs', move],
  ['lea', address],
  ['xchg', exchange],
  ['xadd', exchangeAdd],
  ['cmpxchg', compareExchange],
  ['cmpxchg8b', exchangePair],
  ['cmpxchg16b', exchangePair],
  ...['add', 'sub', 'and', 'or', 'xor'].map((name): [string, Effect] => [name, arithmetic]),
  ['adc', carried],
  ['sbb', carried],
  ['inc', count],
  ['dec', count],
  ['neg', negate],
  ['not', complement],
  ['cmp', compare],
  ['test', test],
  ...['bt', 'bts', 'btr', 'btc'].map((name): [string, Effect] => [name, bit]),
  ['bsf', scan],
  ['bsr', scan],
  ...[...shifts.keys()].map((name): [string, Effect] => [name, shift]),
  ['rol', rotate],
  ['ror', rotate],
]);
