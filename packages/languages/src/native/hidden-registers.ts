import { at } from '@fencewright/ground/base/at.js';
import type { AutomatonBuilder } from '@fencewright/model/program/automaton-builder.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';

/**
 * Hands out hidden registers `h1`, `h2`, ... for the values loaded within one statement; released
 * registers are used again.
 */
export class HiddenRegisters {
  readonly #builder: Pick<AutomatonBuilder, 'hidden'>;
  readonly #isTaken: (name: string) => boolean;
  readonly #registers: RegisterId[] = [];
  #inUse = 0;
  #number = 0;

  /** `isTaken` tells whether a name is already used, and so not available for a register. */
  constructor(builder: Pick<AutomatonBuilder, 'hidden'>, isTaken: (name: string) => boolean) {
    this.#builder = builder;
    this.#isTaken = isTaken;
  }

  /** Returns an unused register. */
  take(): RegisterId {
    this.#inUse += 1;
    if (this.#inUse > this.#registers.length)
      this.#registers.push(this.#builder.hidden(this.#freshName()));
    return at(this.#registers, this.#inUse - 1);
  }

  /** Runs `use`, then releases the registers that were taken meanwhile. */
  during<T>(use: () => T): T {
    const before = this.#inUse;
    const result = use();
    this.#inUse = before;
    return result;
  }

  #freshName(): string {
    let name: string;
    do {
      this.#number += 1;
      name = `h${this.#number}`;
    } while (this.#isTaken(name));
    return name;
  }
}
