import type { IrOperation, IrType, Typed } from '../../src/llvm-ir/syntax.js';
import type { Operand } from './operand.js';
import { NotKnown } from './stop.js';

/**
 * The place of an operand of an assembly instruction: a part of a register, memory, or a constant.
 */
export type Argument =
  | { readonly kind: 'register'; readonly register: number; readonly bits: number }
  | {
      readonly kind: 'memory';
      /** The address: an operand of the machine for IR, or a register of the processor. */
      readonly pointer?: Operand;
      readonly base?: number;
      readonly index?: number;
      readonly scale: number;
      readonly distance: number;
    }
  | { readonly kind: 'number'; readonly value: bigint };

/** An instruction of the processor; `from` is the first operand in AT&T syntax. */
export interface Instruction {
  readonly name: string;
  readonly size: number;
  readonly isLocked: boolean;
  readonly from?: Argument;
  readonly to?: Argument;
  /**
   * The size in bytes of the source operand of `movz` and `movs`, which the instruction extends.
   */
  readonly small: number;
  /** The condition on the flags for `set` and `cmov`. */
  readonly condition: string;
}

/** Inline assembly with assigned registers and parsed instructions. */
export interface Assembly {
  readonly inputs: readonly {
    readonly register: number;
    readonly operand: Operand;
    readonly bits: number;
  }[];
  readonly instructions: readonly Instruction[];
  readonly outputs: readonly {
    readonly register: number;
    readonly bits: number;
    readonly condition?: string;
    readonly isPointer: boolean;
  }[];
  readonly isStruct: boolean;
}

const names = ['ax', 'cx', 'dx', 'bx', 'sp', 'bp', 'si', 'di'];
/** The numbers of the registers that a compiler may choose, in the order of their choice. */
const free = [9, 10, 6, 11, 7, 12, 8, 13, 14, 15, 3, 2, 1, 0];
const suffixes = ['b', 'w', 'l', 'q'];
const sizes = [8, 16, 32, 64];

function registerOf(name: string): { readonly register: number; readonly bits: number } {
  const numbered = /^r(\d+)([bwd]?)$/.exec(name);
  if (numbered) {
    const bits = { b: 8, w: 16, d: 32 }[numbered[2]!] ?? 64;
    return { register: Number(numbered[1]), bits };
  }
  const byte = /^([abcd])l$/.exec(name);
  if (byte) return { register: names.indexOf(`${byte[1]}x`), bits: 8 };
  const [, prefix = '', word = ''] = /^([er]?)(\w\w)$/.exec(name) ?? [];
  const register = names.indexOf(word);
  if (register < 0) throw new NotKnown(`register ${name}`);
  return { register, bits: { e: 32, r: 64 }[prefix] ?? 16 };
}

function bitsOf(type: IrType): number {
  if (type.kind === 'pointer') return 64;
  if (type.kind === 'int' && sizes.includes(type.bits)) return type.bits;
  throw new NotKnown('asm operand');
}

/** Parses a call of inline assembly; `operand` converts operands to those of the machine for IR. */
export function readAssembly(
  { callee, operands, returns }: Extract<IrOperation, { readonly kind: 'call' }>,
  operand: (typed: Typed) => Operand,
): Assembly {
  if (callee.kind !== 'assembly' || callee.isIntel) throw new NotKnown('asm');
  const constraints = callee.constraints.split(',').filter((one) => !one.startsWith('~'));
  const taken = new Set(
    constraints.flatMap((one) => {
      const name = /\{(\w+)\}/.exec(one)?.[1];
      return name === undefined ? [] : [registerOf(name).register];
    }),
  );
  for (const [, name] of callee.constraints.matchAll(/~\{(\w+)\}/g))
    try {
      taken.add(registerOf(name!).register);
    } catch {
      // Flags and memory.
    }
  for (const [, name] of callee.text.matchAll(/%(\w+)/g)) taken.add(registerOf(name!).register);
  const next = (): number => {
    const found = free.find((one) => !taken.has(one));
    if (found === undefined) throw new NotKnown('asm with many operands');
    taken.add(found);
    return found;
  };
  const slots: Argument[] = [];
  const inputs: Assembly['inputs'][number][] = [];
  const outputs: Assembly['outputs'][number][] = [];
  let given = 0;
  for (const one of constraints) {
    const plain = one.replaceAll(/[=&]/g, '');
    if (plain.startsWith('*')) {
      if (!/^\*[mo]+$/.test(plain)) throw new NotKnown(`asm ${one}`);
      slots.push({ kind: 'memory', pointer: operand(operands[given++]!), scale: 0, distance: 0 });
      continue;
    }
    const fixed = /^\{(\w+)\}$/.exec(plain)?.[1];
    if (one.startsWith('=')) {
      const type = returns.kind === 'struct' ? returns.fields[outputs.length]! : returns;
      const condition = /^\{@cc(\w+)\}$/.exec(plain)?.[1];
      const bits = bitsOf(type);
      const isPointer = type.kind === 'pointer';
      if (condition !== undefined) {
        outputs.push({ register: -1, bits, condition, isPointer });
        slots.push({ kind: 'number', value: 0n });
        continue;
      }
      const register = fixed === undefined ? next() : registerOf(fixed).register;
      outputs.push({ register, bits, isPointer });
      slots.push({ kind: 'register', register, bits });
      continue;
    }
    const typed = operands[given++]!;
    const bits = bitsOf(typed.type);
    const tied = /^\d+$/.test(plain) ? slots[Number(plain)] : undefined;
    if (!tied && typed.value.kind === 'integer' && /^[^{]*[in]/.test(plain)) {
      slots.push({ kind: 'number', value: typed.value.value });
      continue;
    }
    if (tied && tied.kind !== 'register') throw new NotKnown('asm tied to memory');
    const register = tied?.register ?? (fixed === undefined ? next() : registerOf(fixed).register);
    inputs.push({ register, operand: operand(typed), bits });
    slots.push({ kind: 'register', register, bits });
  }
  const instructions = statementsOf(callee.text).map((each) => instructionOf(each, slots));
  return { inputs, instructions, outputs, isStruct: returns.kind === 'struct' };
}

function statementsOf(text: string): readonly string[] {
  const lines = text.replaceAll('\\0A', '\n').replaceAll('\\09', ' ').split(/[\n;]/);
  const found: string[] = [];
  let prefix = '';
  for (const line of lines) {
    const one = line.trim();
    if (one === 'lock') prefix = 'lock ';
    else if (one !== '') {
      found.push(prefix + one);
      prefix = '';
    }
  }
  return found;
}

function argumentOf(text: string, slots: readonly Argument[]): Argument {
  const plain = text.trim();
  const number = /^\$\$(-?\d+|0x[0-9a-f]+)$/.exec(plain)?.[1];
  if (number !== undefined) return { kind: 'number', value: BigInt(number) };
  const slot = /^\$\{?(\d+)(?::(\w))?\}?$/.exec(plain);
  if (slot) {
    const found = slots[Number(slot[1])];
    if (!found) throw new NotKnown(`asm ${text}`);
    const bits = { b: 8, w: 16, k: 32, q: 64 }[slot[2] ?? ''];
    return found.kind === 'register' && bits !== undefined ? { ...found, bits } : found;
  }
  if (plain.startsWith('%')) return { kind: 'register', ...registerOf(plain.slice(1)) };
  const address = /^(-?\d*)\(([^,()]+)(?:,([^,()]+)(?:,(\d))?)?\)$/.exec(plain);
  if (!address) throw new NotKnown(`asm ${text}`);
  const [, distance = '', base = '', index, scale = '1'] = address;
  const inner = (part: string): number => {
    const found = argumentOf(part, slots);
    if (found.kind !== 'register' || found.bits !== 64) throw new NotKnown(`asm ${text}`);
    return found.register;
  };
  return {
    kind: 'memory',
    base: inner(base),
    ...(index !== undefined && { index: inner(index) }),
    scale: Number(scale),
    distance: Number(distance || '0'),
  };
}

const plainNames =
  /^(mov|lea|xchg|xadd|cmpxchg|inc|dec|neg|not|add|sub|adc|sbb|and|or|xor|cmp|test|bt[src]?|bs[fr]|shl|shr|sar|rol|ror|cmov(?:[a-z]+?))([bwlq])$/;

function instructionOf(text: string, slots: readonly Argument[]): Instruction {
  const [, lock, name = '', rest = ''] = /^(lock\s+)?(\w+)\s*(.*)$/.exec(text) ?? [];
  const isLocked = lock !== undefined;
  const common = { isLocked, small: 0, condition: '', size: 0 };
  if (!isLocked && /^(?:pause|nop|rep|lfence|sfence)$/.test(name))
    return { ...common, name: 'nop' };
  if (/^rep\s+nop$/.test(text)) return { ...common, name: 'nop' };
  if (text === 'mfence' || /^lock\s+(?:orl?|addl?)\s+\$\$0\s*,\s*\d*\(%[re]sp\)$/.test(text))
    return { ...common, name: 'mfence' };
  const texts = rest.split(/,(?![^(]*\))/).filter((one) => one !== '');
  const parts = texts.map((one) => argumentOf(one, slots));
  const [first, second] = parts;
  const ends = {
    ...(second && first && { from: first }),
    ...((second ?? first) && { to: second ?? first! }),
  };
  if (/^set[a-z]+$/.test(name))
    return { ...common, ...ends, name: 'set', size: 8, condition: name.slice(3) };
  if (name === 'cmpxchg8b' || name === 'cmpxchg16b')
    return { ...common, ...ends, name, size: name === 'cmpxchg8b' ? 64 : 128 };
  const widening = /^mov([zs])([bwl])([wlq])$/.exec(name);
  if (widening) {
    const [small, size] = [widening[2]!, widening[3]!].map((one) => sizes[suffixes.indexOf(one)]!);
    return { ...common, ...ends, name: `mov${widening[1]}`, small: small!, size: size! };
  }
  const [, base = '', suffix = ''] = plainNames.exec(name) ?? [];
  if (base === '') throw new NotKnown(`asm ${text}`);
  const size = sizes[suffixes.indexOf(suffix)]!;
  const isCmov = base.startsWith('cmov');
  return {
    ...common,
    ...ends,
    name: isCmov ? 'cmov' : base,
    size,
    condition: isCmov ? base.slice(4) : '',
  };
}
