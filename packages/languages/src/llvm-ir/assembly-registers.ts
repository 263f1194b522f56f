import { bitsOfValue, constantOfBits, NotLifted, type StepWriter } from './assembly-steps.js';
import type { Typed } from './syntax.js';

/** The known content of a register: its lowest bits, and whether all higher bits are 0. */
interface Content {
  readonly value: Typed;
  readonly isZeroAbove: boolean;
}

/** The register that a name of x86 denotes a part of, and the number of lowest bits in the part. */
export interface NamedRegister {
  readonly key: string;
  readonly bits: number;
}

const legacy = /^(?:([er]?)([abcd])x|([abcd])l|([er]?)(si|di|sp|bp)|(si|di|sp|bp)l)$/;
const wordsOf: ReadonlyMap<string, number> = new Map([
  ['', 16],
  ['e', 32],
  ['r', 64],
]);
const numberedBits: ReadonlyMap<string, number> = new Map([
  ['b', 8],
  ['w', 16],
  ['d', 32],
  ['', 64],
]);

/**
 * The general register with a name, given without `%`; `undefined` for second bytes such as `ah`.
 */
export function registerNamed(name: string): NamedRegister | undefined {
  const numbered = /^(r(?:[89]|1[0-5]))([bwd]?)$/.exec(name);
  if (numbered) return { key: numbered[1]!, bits: numberedBits.get(numbered[2]!)! };
  const found = legacy.exec(name);
  if (!found) return undefined;
  const [, prefix, letter, byte, otherPrefix, word, wordByte] = found;
  if (letter !== undefined) return { key: letter, bits: wordsOf.get(prefix!)! };
  if (word !== undefined) return { key: word, bits: wordsOf.get(otherPrefix!)! };
  return { key: (byte ?? wordByte)!, bits: 8 };
}

/** The contents of the registers that an assembly text uses, by key. */
export class Registers {
  readonly #contents = new Map<string, Content>();

  constructor(readonly writer: StepWriter) {}

  has(key: string): boolean {
    return this.#contents.has(key);
  }

  /** The value last written to a register, in whatever size; `undefined` if there is none. */
  whole(key: string): Typed | undefined {
    return this.#contents.get(key)?.value;
  }

  /** Sets the value that a register has before the assembly text is executed. */
  begin(key: string, value: Typed): void {
    this.#contents.set(key, { value, isZeroAbove: false });
  }

  /** Returns the lowest `bits` bits of a register. Throws `NotLifted`. */
  read(key: string, bits: number): Typed {
    const content = this.#contents.get(key);
    if (!content) throw new NotLifted('the code reads an uninitialised register');
    const have = bitsOfValue(content.value);
    if (have < bits && !content.isZeroAbove)
      throw new NotLifted('the code reads uninitialised bits of a register');
    return have === bits ? content.value : this.writer.resized(content.value, bits);
  }

  /**
   * Writes the lowest bits of a register. A write of 32 bits sets the higher bits to 0 or, if
   * `isZeroAbove` is false, makes them unknown. A smaller write keeps the higher bits.
   */
  write(key: string, value: Typed, isZeroAbove = true): void {
    const bits = bitsOfValue(value);
    const old = this.#contents.get(key);
    const have = old ? bitsOfValue(old.value) : 0;
    if (!old || bits >= 32 || have <= bits) {
      const wasZeroAbove = bits < 32 && have === bits && !!old?.isZeroAbove;
      const isZero = bits === 32 ? isZeroAbove : wasZeroAbove;
      this.#contents.set(key, { value, isZeroAbove: isZero });
      return;
    }
    const { writer } = this;
    const above = constantOfBits(have, -1n << BigInt(bits));
    const kept = writer.binary('and', writer.integer(old.value), above);
    const merged = writer.binary('or', kept, writer.resized(value, have));
    this.#contents.set(key, { value: merged, isZeroAbove: old.isZeroAbove });
  }
}
