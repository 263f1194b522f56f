import type { IrOperation, IrType, IrValue, Typed } from './syntax.js';

/** Thrown if the exact effect of inline assembly is unknown; the message is the reason. */
export class NotLifted extends Error {}

/** An instruction of the IR that translates a part of an x86 instruction. */
export interface LiftedStep {
  readonly operation: IrOperation;
  readonly result?: string;
}

export const intOf = (bits: number): IrType => ({ kind: 'int', bits });

/** A constant of `bits` bits. */
export function constantOfBits(bits: number, value: bigint): Typed {
  const kept = bits === 1 ? BigInt.asUintN(1, value) : BigInt.asIntN(bits, value);
  return { type: intOf(bits), value: { kind: 'integer', value: kept } };
}

/** The number of bits of an integer or a pointer. Throws `NotLifted`. */
export function bitsOfValue({ type }: { readonly type: IrType }): number {
  if (type.kind === 'int') return type.bits;
  if (type.kind === 'pointer') return 64;
  throw new NotLifted('an operand is neither an integer nor a pointer');
}

/** Writes instructions of the IR; each result gets a fresh name. */
export class StepWriter {
  readonly steps: LiftedStep[] = [];

  /**
   * `prefix` is the start of the names of all results; it occurs in no other name of the function.
   */
  constructor(readonly prefix: string) {}

  emit(operation: IrOperation, type: IrType): Typed {
    const name = `${this.prefix}.${this.steps.length}`;
    this.steps.push({ operation, result: name });
    return { type, value: { kind: 'local', name } };
  }

  effect(operation: IrOperation): void {
    this.steps.push({ operation });
  }

  binary(operation: string, left: Typed, right: Typed): Typed {
    const { type } = left;
    const sides = { left: left.value, right: right.value };
    return this.emit({ kind: 'binary', operation, isSignedOnly: false, type, ...sides }, type);
  }

  compare(relation: string, left: Typed, right: Typed): Typed {
    const { type } = left;
    const sides = { left: left.value, right: right.value };
    return this.emit({ kind: 'compare', relation, type, ...sides }, intOf(1));
  }

  not(truth: Typed): Typed {
    return this.binary('xor', truth, constantOfBits(1, 1n));
  }

  select(condition: Typed, then: Typed, otherwise: Typed): Typed {
    const { type } = then;
    const ways = { then: then.value, otherwise: otherwise.value };
    return this.emit({ kind: 'select', condition: condition.value, type, ...ways }, type);
  }

  extract(from: Typed, index: number, type: IrType): Typed {
    return this.emit({ kind: 'extract', from, index }, type);
  }

  /** A pointer as an integer, for arithmetic; an integer unchanged. */
  integer(value: Typed): Typed {
    if (value.type.kind === 'int') return value;
    return this.#cast('ptrtoint', value, intOf(64));
  }

  pointer(value: Typed): Typed {
    if (value.type.kind === 'pointer') return value;
    return this.#cast('inttoptr', this.resized(value, 64), { kind: 'pointer' });
  }

  /**
   * The value as an integer of `bits` bits, extended by its sign if `isSigned`, and by zeros
   * otherwise.
   */
  resized(value: Typed, bits: number, isSigned = false): Typed {
    const have = bitsOfValue(value);
    const number = this.integer(value);
    if (have === bits) return number;
    if (number.value.kind === 'integer') {
      const all = number.value.value;
      return constantOfBits(bits, isSigned ? BigInt.asIntN(have, all) : BigInt.asUintN(have, all));
    }
    const operation = have > bits ? 'trunc' : isSigned ? 'sext' : 'zext';
    return this.#cast(operation, number, intOf(bits));
  }

  load(address: IrValue, bits: number): Typed {
    const type = intOf(bits);
    return this.emit({ kind: 'load', type, address, access: 'volatile' }, type);
  }

  store(address: IrValue, from: Typed): void {
    this.effect({ kind: 'store', from, address, access: 'volatile' });
  }

  /** Gives a value the name `result` in the IR. */
  rename(value: Typed, result: string): void {
    const { type } = value;
    const condition: IrValue = { kind: 'integer', value: 1n };
    const ways = { then: value.value, otherwise: value.value };
    this.steps.push({ operation: { kind: 'select', condition, type, ...ways }, result });
  }

  #cast(operation: string, from: Typed, to: IrType): Typed {
    return this.emit({ kind: 'cast', operation, from, to }, to);
  }
}
