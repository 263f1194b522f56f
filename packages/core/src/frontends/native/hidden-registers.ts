import type { RegisterId } from '../../program/ids.js';
import type { Register } from '../../program/program.js';

/** Hands out the registers that hold loaded values within one statement, as few as possible. */
export class HiddenRegisters {
  readonly #first: RegisterId;
  #inUse = 0;
  #most = 0;

  /** The hidden registers are numbered from `first` on. */
  constructor(first: RegisterId) {
    this.#first = first;
  }

  /** A register that is not in use. */
  take(): RegisterId {
    this.#inUse += 1;
    this.#most = Math.max(this.#most, this.#inUse);
    return this.#first + this.#inUse - 1;
  }

  /** Runs `use` and gives back the registers that it took. */
  during<T>(use: () => T): T {
    const before = this.#inUse;
    const result = use();
    this.#inUse = before;
    return result;
  }

  /** The registers that were ever in use at once, under names of which none is in `taken`. */
  list(taken: (name: string) => boolean): readonly Register[] {
    const list: Register[] = [];
    for (let number = 1; list.length < this.#most; number++) {
      const name = `h${number}`;
      if (!taken(name)) list.push({ name, hidden: true });
    }
    return list;
  }
}
