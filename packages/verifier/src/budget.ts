import { countOf } from './words.js';

/** The limits of a check. */
export interface VerifyLimits {
  /** The number of milliseconds allowed, from the start of the check on. */
  readonly timeout?: number;
  /** The maximum number of states of all searches of the check together. */
  readonly maxStates?: number;
  /** The maximum number of units of counted work: states, and small pieces of work. */
  readonly effort?: number;
  /**
   * The maximum number of bytes of the JavaScript heap and of memory outside the heap that
   * JavaScript objects own.
   */
  readonly maxMemory?: number;
  readonly signal?: AbortSignal;
}

const defaultMaxStates = 200_000;

/** The name of the limit that a check has used up, in words. */
export type Exhausted = string;

/**
 * Thrown if the verifier would have to compute a list of states or values that is infinite or too
 * long.
 */
export class Endless extends Error {
  override readonly name = 'Endless';
}

/** Counts the states, time and memory used up by the searches of one check. */
export class Budget {
  readonly #limits: VerifyLimits;
  readonly #start = performance.now();
  #states = 0;
  #work = 0;
  #ticks = 0;
  #exhausted: Exhausted | undefined;

  constructor(limits: VerifyLimits) {
    this.#limits = limits;
  }

  get states(): number {
    return this.#states;
  }

  /** Returns the milliseconds left, as a time limit for external programs; at least 1. */
  get milliseconds(): number {
    const { timeout = Number.POSITIVE_INFINITY } = this.#limits;
    return Math.max(1, timeout - (performance.now() - this.#start));
  }

  /**
   * Counts `states` new states, or, for 0, a small piece of work. Returns the limit that is now
   * exceeded; `undefined` if none is.
   */
  spend(states = 0): Exhausted | undefined {
    this.#states += states;
    this.#work += 1 + states;
    const { maxStates = defaultMaxStates, effort = Number.POSITIVE_INFINITY } = this.#limits;
    if (this.#states > maxStates)
      this.#exhausted ??= `more than ${countOf(maxStates, 'state')}: raise --max-states`;
    if (this.#work > effort) this.#exhausted ??= 'the limit on work was reached: raise --effort';
    if ((this.#ticks++ & 255) === 0) this.#look();
    return this.#exhausted;
  }

  #look(): void {
    const { timeout, maxMemory, signal } = this.#limits;
    if (signal?.aborted) this.#exhausted ??= 'the check was interrupted';
    if (timeout !== undefined && performance.now() - this.#start > timeout)
      this.#exhausted ??= `the time limit of ${timeout / 1000} s was reached: raise --timeout`;
    // Reading memory usage takes time, too.
    if (maxMemory === undefined || (this.#ticks & 4095) !== 1) return;
    const { heapUsed, external } = process.memoryUsage();
    if (heapUsed + external > maxMemory)
      this.#exhausted ??= 'the memory limit was reached: raise --max-memory';
  }
}
