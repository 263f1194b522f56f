import { countOf } from './words.js';

/** What a check may use up. */
export interface VerifyLimits {
  /** Milliseconds, from the start of the check on. */
  readonly timeout?: number;
  /** States of all searches together. */
  readonly maxStates?: number;
  /** Bytes of the JavaScript heap and what belongs to it. */
  readonly maxMemory?: number;
  readonly signal?: AbortSignal;
}

export const defaultMaxStates = 200_000;

/** What ran out, in words. */
export type Exhausted = string;

/** Counts what the searches of one check use up. */
export class Budget {
  readonly #limits: VerifyLimits;
  readonly #start = performance.now();
  #states = 0;
  #ticks = 0;
  #exhausted: Exhausted | undefined;

  constructor(limits: VerifyLimits) {
    this.#limits = limits;
  }

  get states(): number {
    return this.#states;
  }

  /** Milliseconds left, for what is run outside; at least 1. */
  get milliseconds(): number {
    const { timeout = Number.POSITIVE_INFINITY } = this.#limits;
    return Math.max(1, timeout - (performance.now() - this.#start));
  }

  /**
   * Counts `states` new ones, or just a bit of work; gives what ran out, if anything has by now.
   */
  spend(states = 0): Exhausted | undefined {
    this.#states += states;
    const { maxStates = defaultMaxStates } = this.#limits;
    if (this.#states > maxStates) this.#exhausted ??= `more than ${countOf(maxStates, 'state')}`;
    if ((this.#ticks++ & 255) === 0) this.#look();
    return this.#exhausted;
  }

  #look(): void {
    const { timeout, maxMemory, signal } = this.#limits;
    if (signal?.aborted) this.#exhausted ??= 'it was interrupted';
    if (timeout !== undefined && performance.now() - this.#start > timeout)
      this.#exhausted ??= `the time of ${timeout / 1000} s is over`;
    // Asking for memory takes a while itself.
    if (maxMemory === undefined || (this.#ticks & 4095) !== 1) return;
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external > maxMemory) this.#exhausted ??= 'the memory allowed is used up';
  }
}
